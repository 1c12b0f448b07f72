import { ApiError } from '../errors.ts';
import type { MailRepository } from '../mail/mail.ts';
import { queueHourly } from '../mail/mail-queue.ts';
import { composeMail, type Sender } from '../mail/mail-templates.ts';
import type { Secrets } from '../master-key/secrets.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { User } from '../users/user.ts';
import { destinationHint, readDestination } from './destination.ts';
import type { MethodType, PayoutDetails } from './payout-details.ts';
import { destinationOf, type NewPayoutDetails, type SaveDetailsRepositories, savePayoutDetails } from './save.ts';

/** The labels of the methods that can be chosen, by kind. */
export type MethodLabels = Partial<Record<MethodType, string>>;

interface OwnDetailsContext {
  now: number;
  secrets: Secrets;
  labels: MethodLabels;
  sender: Sender;
}

/** Saves what the users choose for themselves, and tells them of every change by mail, of several in an hour by one. */
export async function saveOwnDetails(
  transaction: Transaction<SaveDetailsRepositories & { mails: MailRepository }>,
  user: User,
  { methodType, method, details }: Pick<NewPayoutDetails, 'methodType' | 'details'> & { method?: string | undefined },
  { now, secrets, labels, sender }: OwnDetailsContext,
): Promise<PayoutDetails> {
  const label = labels[methodType];
  if (label === undefined) throw notOffered(methodType, labels);
  const given = { userId: user.id, methodType, method: method ?? label, details };
  const saved = await savePayoutDetails(transaction, given, { now, userId: user.id, ...secrets });
  if (saved.outcome !== 'unchanged') {
    const destination = describeHint(getHint(saved.details, secrets.decrypt));
    const compose = (isSummary: boolean, at: number) =>
      changeMail(user, `${label}${destination && `, ${destination}`}`, sender, at, isSummary);
    await queueHourly(transaction, `payout-details ${user.id}`, compose, now);
  }
  return saved.details;
}

function notOffered(methodType: MethodType, labels: MethodLabels): ApiError {
  const offered = Object.keys(labels).join(', ') || 'none';
  const sentence = `method_type is ${methodType}, by which this store does not pay. It can be: ${offered}.`;
  return new ApiError('rest_invalid_param', { message: sentence, data: { params: { method_type: sentence } } });
}

/** Empty without a destination, where details are free, and where they cannot be decrypted. */
export function getHint(details: PayoutDetails, decrypt: Secrets['decrypt']): string {
  const stored = destinationOf(details, decrypt);
  const read = stored ? readDestination(details.methodType, stored) : null;
  return read?.destination ? destinationHint(read.destination) : '';
}

const describeHint = (hint: string): string => (hint === '' || hint.includes('@') ? hint : `ending in ${hint}`);

const changeMail = ({ displayName, email }: User, destination: string, sender: Sender, at: number, isSummary: boolean) =>
  composeMail(
    {
      to: { name: displayName, address: email },
      subject: 'your payout details were changed',
      paragraphs: [
        `your payout details were changed${isSummary ? ' again, once or several times within an hour' : ''}. From now on you are paid by: ${destination}. Pending payouts follow them.`,
        'If it was not you, change your password at once and write to the store.',
      ],
      link: { text: 'Check your payout details', path: '/console/account' },
    },
    sender,
    at,
  );
