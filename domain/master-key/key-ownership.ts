import { savePayoutDetails } from '../payout-details/save.ts';
import type { Stores, Transaction } from '../ports.ts';
import { type SecureRandom, systemRandom } from '../random.ts';
import { listAllWebhooks } from '../webhooks/manage.ts';
import { createSigningSecret } from '../webhooks/signature.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { createSecrets, opens, type SecretKind } from './secrets.ts';

/** What identifies the master key of a database. */
export interface KeyTraces {
  readonly proof: string | null;
  /** Looked at only where there is no proof yet: a database of before there were any. */
  readonly sealed: readonly { kind: SecretKind; text: string }[];
}

/** Each takes some microseconds to open, and none opens with another key. */
const lookedAt = 500;

export async function readTraces({ sealing, webhooks, payoutDetails }: Stores): Promise<KeyTraces> {
  const proof = await sealing.proof();
  if (proof !== null) return { proof, sealed: [] };
  const secrets = (await listAllWebhooks(webhooks)).map(({ encryptedSecret: text }) => ({ kind: 'webhook_secret' as const, text }));
  const details = (await payoutDetails.newest(lookedAt)).flatMap(({ encryptedDetails: text }) =>
    text === null ? [] : [{ kind: 'payout_details' as const, text }],
  );
  return { proof, sealed: [...secrets, ...details] };
}

/** Nothing was ever sealed: any key will do. */
export const hasNoSecrets = ({ proof, sealed }: KeyTraces): boolean => proof === null && sealed.length === 0;

/** Whether everything that was looked at was sealed with this key. */
export function matchesKey({ proof, sealed }: KeyTraces, masterKey: string): boolean {
  if (proof !== null) return opens(createSecrets('key_proof', masterKey, systemRandom), proof);
  const secrets = {
    webhook_secret: createSecrets('webhook_secret', masterKey, systemRandom),
    payout_details: createSecrets('payout_details', masterKey, systemRandom),
  };
  return sealed.every(({ kind, text }) => opens(secrets[kind], text));
}

/** What the text says does not matter: that it can be opened does. */
export const createProof = (masterKey: string, random: SecureRandom = systemRandom): string =>
  createSecrets('key_proof', masterKey, random).encrypt('This database belongs to the master key that opens this.');

interface Renewed {
  /** Their new signing secrets, returned only here. */
  webhooks: { webhook: Webhook; secret: string }[];
  /** Who has to say again where to be paid. */
  userIds: number[];
}

/**
 * The database belongs to this master key from now on. What only a lost one could open is made anew, where it is ours to make, and
 * forgotten where it is not. What this key opens stays as it is.
 */
export async function renewSecrets(transaction: Transaction, masterKey: string, now: number): Promise<Renewed> {
  const webhooks = await renewSigning(transaction, masterKey);
  const userIds = await forgetDestinations(transaction, masterKey, now);
  await transaction.sealing.replaceProof(createProof(masterKey));
  return { webhooks, userIds };
}

async function renewSigning({ webhooks, sealing }: Transaction, masterKey: string): Promise<Renewed['webhooks']> {
  const secrets = createSecrets('webhook_secret', masterKey, systemRandom);
  const closed = (await listAllWebhooks(webhooks)).filter(({ encryptedSecret }) => !opens(secrets, encryptedSecret));
  const renewed = closed.map((webhook) => ({ webhook, secret: createSigningSecret(systemRandom) }));
  for (const { webhook, secret } of renewed) await sealing.setWebhookSecret(webhook.id, secrets.encrypt(secret));
  return renewed;
}

/** Recorded as an event, as if the affiliate had removed them. */
async function forgetDestinations(transaction: Transaction, masterKey: string, now: number): Promise<number[]> {
  const secrets = createSecrets('payout_details', masterKey, systemRandom);
  const all = await transaction.payoutDetails.newest(Number.MAX_SAFE_INTEGER);
  const closed = all.filter(({ encryptedDetails }) => encryptedDetails !== null && !opens(secrets, encryptedDetails));
  for (const { userId, method, methodType } of closed)
    await savePayoutDetails(transaction, { userId, method, methodType, details: {} }, { now, userId: 0, ...secrets });
  return closed.map(({ userId }) => userId).toSorted((one, other) => one - other);
}
