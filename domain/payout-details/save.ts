import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import { isErasedAddress } from '../mail/mail-queue.ts';
import type { Secrets } from '../master-key/secrets.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { UserRepository } from '../users/repository.ts';
import { readDestination, storedDetails } from './destination.ts';
import { type MethodType, methodOf, methodTypes, type PayoutDetails, type PayoutDetailsRepository } from './payout-details.ts';

export interface NewPayoutDetails {
  userId: number;
  /** What people read: "PayPal". */
  method: string;
  methodType: MethodType;
  /** The destination, as the method has it. Empty when there is none. */
  details: Record<string, unknown>;
}

export interface SaveDetailsContext extends Secrets {
  now: number;
  /** Who saves them; 0 for the system. */
  userId: number;
}

export interface SaveDetailsRepositories {
  users: UserRepository;
  payoutDetails: PayoutDetailsRepository;
  payouts: PendingPayouts;
  events: EventRepository;
}

/** What saving needs of `PayoutRepository`, whose folder is above this one. */
interface PendingPayouts {
  setPendingMethod(userId: number, method: ReturnType<typeof methodOf>): Promise<void>;
}

interface SavedDetails {
  details: PayoutDetails;
  outcome: 'recorded' | 'changed' | 'unchanged';
}

/** Saves an affiliate's payout details, the destination encrypted. Pending payouts follow them. Saving the same again changes nothing and records no event. */
export async function savePayoutDetails(
  { users, payoutDetails, payouts, events }: Transaction<SaveDetailsRepositories>,
  given: NewPayoutDetails,
  { now, userId: actorId, encrypt, decrypt }: SaveDetailsContext,
): Promise<SavedDetails> {
  const { userId, method, methodType } = given;
  refuse(given);
  const user = await users.byId(userId);
  // A request that was under way while its user was erased.
  if (!user || isErasedAddress(user.email)) throw invalid('user', 'There is no such user.');
  const known = await payoutDetails.ofUser(userId);
  // Before the check: older details are free-form, and importing their file again changes nothing.
  if (known && isSame(known, given, decrypt)) return { details: known, outcome: 'unchanged' };
  const details = checkDetails(given);
  if (known && isSame(known, { ...given, details }, decrypt)) return { details: known, outcome: 'unchanged' };

  const hasDetails = Object.keys(details).length > 0;
  const saved = {
    userId,
    method,
    methodType,
    encryptedDetails: hasDetails ? encrypt(JSON.stringify(details), userId) : null,
    firstSavedAt: known?.firstSavedAt ?? now,
    updatedAt: known && isSameDestination(known, { methodType, details }, decrypt) ? known.updatedAt : now,
  };
  await payoutDetails.save(saved);
  await payouts.setPendingMethod(userId, methodOf(saved));
  await events.record({
    kind: 'payout_details',
    type: 'affiliate.payout_details_updated',
    objectType: 'user',
    objectId: userId,
    userId: actorId,
    info: `The payout details of ${user.displayName} were updated.`,
    data: { user_id: userId, method_type: methodType, has_details: hasDetails },
    at: now,
  });
  return { details: saved, outcome: known ? 'changed' : 'recorded' };
}

/** Why the details would be refused for any user. */
export function findDetailsProblems(given: Omit<NewPayoutDetails, 'userId'>): string[] {
  try {
    refuse(given);
    checkDetails(given);
    return [];
  } catch (error) {
    return [(error as ApiError).message];
  }
}

function refuse({ method, methodType, details }: Omit<NewPayoutDetails, 'userId'>): void {
  const isLine = method.trim() !== '' && method.length <= 100 && !/[\p{Cc}\u2028\u2029]/u.test(method);
  if (!isLine) throw invalid('method', 'method must be 1 to 100 characters on one line.');
  if (!methodTypes.includes(methodType)) throw invalid('method_type', `method_type must be one of ${methodTypes.join(', ')}.`);
  if (JSON.stringify(details).length > 50_000) throw invalid('details', 'details must not be longer than 50000 characters as JSON.');
}

/** Returns the details as they are stored. Details without any field remove the destination. */
function checkDetails({ methodType, details }: Pick<NewPayoutDetails, 'methodType' | 'details'>): Record<string, unknown> {
  const read = Object.keys(details).length === 0 ? null : readDestination(methodType, details);
  if (!read) return details;
  if (read.destination) return storedDetails(read.destination);
  const params = Object.fromEntries(read.problems.map(({ field, problem }) => [`details.${field}`, `details.${field} ${problem}.`]));
  throw new ApiError('rest_invalid_param', { message: Object.values(params).join(' '), data: { params } });
}

/** The same text is encrypted differently every time, so only what is inside can be compared. */
const isSame = (known: PayoutDetails, given: NewPayoutDetails, decrypt: Secrets['decrypt']): boolean =>
  known.method === given.method && isSameDestination(known, given, decrypt);

const isSameDestination = (
  known: PayoutDetails,
  { methodType, details }: Pick<NewPayoutDetails, 'methodType' | 'details'>,
  decrypt: Secrets['decrypt'],
): boolean => known.methodType === methodType && isDeepStrictEqual(destinationOf(known, decrypt), JSON.parse(JSON.stringify(details)));

/** Undefined where it cannot be read: a lost master key is no reason to refuse details that are given anew. */
export function destinationOf(
  { userId, encryptedDetails }: PayoutDetails,
  decrypt: Secrets['decrypt'],
): Record<string, unknown> | undefined {
  try {
    return encryptedDetails === null ? {} : JSON.parse(decrypt(encryptedDetails, userId));
  } catch {
    return undefined;
  }
}

const invalid = (name: string, sentence: string): ApiError =>
  new ApiError('rest_invalid_param', { message: sentence, data: { params: { [name]: sentence } } });
