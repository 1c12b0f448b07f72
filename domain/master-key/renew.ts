import { savePayoutDetails } from '../payout-details/save.ts';
import type { Transaction } from '../ports.ts';
import { systemRandom } from '../random.ts';
import { listAllWebhooks } from '../webhooks/all.ts';
import { createSigningSecret } from '../webhooks/signature.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { createProof } from './key-ownership.ts';
import { createSecrets, opens } from './secrets.ts';

export interface Renewed {
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
