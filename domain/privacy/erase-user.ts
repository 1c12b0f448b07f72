import { commissionEvent } from '../coupons/commission-event.ts';
import type { CouponTermsRepository } from '../coupons/terms.ts';
import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import { directed, type Movement } from '../ledger/movement.ts';
import type { LedgerRepository } from '../ledger/repository.ts';
import { erasedAddress } from '../mail/mail-queue.ts';
import { inWords } from '../money.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { UserRepository } from '../users/repository.ts';
import type { User } from '../users/user.ts';
import type { ErasureRepository, HeldBalance } from './erasure.ts';

interface ErasureRepositories {
  erasure: ErasureRepository;
  users: UserRepository;
  couponTerms: CouponTermsRepository;
  ledger: LedgerRepository;
  events: EventRepository;
}

interface ErasureContext {
  now: number;
  /** Who does it; 0 for the operator. */
  userId: number;
  currency: string;
  /** Books balances to the store. Otherwise a user with a balance is not erased. */
  forfeits: boolean;
}

export interface Erasure {
  /** The login from now on. */
  login: string;
  mailIds: number[];
}

/**
 * Erases what is known of a person; what accounting needs stays under the number of the user. All checks run before the first write.
 * docs/guides/privacy.md lists both.
 */
export async function eraseUser(transaction: Transaction<ErasureRepositories>, user: User, context: ErasureContext): Promise<Erasure> {
  const { erasure, users, events } = transaction;
  await refuseLastAdministrator(users, user);
  const held = (await erasure.lockBalances(user.id)).filter(({ unpaid, pendingOrder }) => unpaid !== 0 || pendingOrder !== 0);
  await refuseOpenPayouts(erasure, user);
  if (!context.forfeits) refuseBalances(user, held, context);
  for (const balance of held) await forfeit(transaction, user, balance, context);
  const login = await choosePlaceholder(users, user);
  const mailIds = await erasure.eraseUser(user, login, context.now);
  const info = `User ${user.id} was erased.`;
  const { now: at, userId } = context;
  await events.record({ kind: 'user_disabled', type: null, objectType: 'user', objectId: user.id, userId, info, data: null, at });
  return { login, mailIds };
}

async function refuseLastAdministrator(users: UserRepository, { id, login, role }: User): Promise<void> {
  if (role !== 'administrator') return;
  const others = (await users.admins()).filter((admin) => admin.role === 'administrator' && admin.id !== id);
  if (others.length === 0) throw conflict(`${login} is the last administrator. Create another one first: affiliate user create.`);
}

async function refuseOpenPayouts(erasure: ErasureRepository, { id, login }: User): Promise<void> {
  const payouts = await erasure.openPayouts(id);
  if (payouts.length > 0) throw conflict(`${login} has an open payout, ${payouts.join(', ')}. Settle or cancel it first.`);
  const batches = await erasure.openBatches(id);
  if (batches.length > 0)
    throw conflict(
      `A payout of ${login} is in a payout file that is not settled, ${batches.join(', ')}. Settle it first: affiliate payout batch paid.`,
    );
}

function refuseBalances({ login }: User, held: readonly HeldBalance[], { currency }: ErasureContext): void {
  if (held.length === 0) return;
  const amounts = held.map(
    ({ code, unpaid, pendingOrder }) =>
      `${inWords(unpaid, currency)} unpaid and ${inWords(pendingOrder, currency)} of orders that are not cleared on ${code}`,
  );
  throw conflict(`${login} has a balance: ${amounts.join('; ')}. Pay it out first, or give it to the store with --forfeit.`);
}

/** The coupon counts as handed over: orders from before no longer move its balances, so that none that is cleared later is credited. */
async function forfeit(
  { ledger, couponTerms, events }: Transaction<ErasureRepositories>,
  user: User,
  { couponId, code, handovers, forfeits, unpaid, pendingOrder }: HeldBalance,
  { now, userId, currency }: ErasureContext,
): Promise<void> {
  const note = `Forfeited when user ${user.id} was erased.`;
  const cause = { couponId, reason: 'forfeit', orderId: null, payoutId: null, userId, note, at: now } as const;
  const movements: Movement[] = [];
  if (unpaid !== 0) movements.push({ ...cause, ...directed('unpaid', 'store', unpaid) });
  if (pendingOrder !== 0) movements.push({ ...cause, ...directed('pending_order', 'store', pendingOrder) });
  await ledger.append(movements);
  await couponTerms.forfeit(couponId, { handovers: handovers + 1, forfeits: [...forfeits, handovers] });
  if (unpaid === 0) return;
  const change = { coupon: { id: couponId, code }, userId: user.id, amount: -unpaid, note };
  await events.record(commissionEvent(change, { now, userId, program: { currency } }));
}

/** `erased-<id>`, with a number where another user has that name. */
async function choosePlaceholder(users: UserRepository, { id }: User): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `erased-${id}` : `erased-${id}-${number}`;
    const others = (await users.named([name, erasedAddress(name)])).filter((user) => user.id !== id);
    if (others.length === 0) return name;
  }
}

const conflict = (message: string): ApiError => new ApiError('svc_api_conflict', { message });
