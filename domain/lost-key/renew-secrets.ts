import { createProof, createStoredKeys } from '../master-key/key-ownership.ts';
import type { MasterKey } from '../master-key/key-ring.ts';
import { readEncrypted } from '../master-key/read-encrypted.ts';
import type { MasterKeyRepository, StoredKeyName } from '../master-key/repository.ts';
import { createSecrets, opens } from '../master-key/secrets.ts';
import { type SaveDetailsRepositories, savePayoutDetails } from '../payout-details/save.ts';
import type { BatchRepository } from '../payouts/batch.ts';
import { systemRandom } from '../random.ts';
import type { ConnectionRepository } from '../store/connection.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { SecondFactorRepository } from '../users/second-factor.ts';
import { listAllWebhooks } from '../webhooks/manage.ts';
import type { WebhookRepository } from '../webhooks/repository.ts';
import { createSigningSecret } from '../webhooks/signature.ts';
import type { Webhook } from '../webhooks/webhook.ts';

interface RenewalRepositories extends SaveDetailsRepositories {
  masterKeys: MasterKeyRepository;
  webhooks: WebhookRepository;
  connections: ConnectionRepository;
  batches: BatchRepository;
  secondFactors: SecondFactorRepository;
}

interface Renewed {
  /** Their new signing secrets, returned only here. */
  webhooks: { webhook: Webhook; secret: string }[];
  /** Who has to say again where to be paid. */
  userIds: number[];
  /** Whose second factor was removed: their codes cannot be checked any more. */
  secondFactorsOf: number[];
  /** Connections to a store, which must be given their secret again. */
  connectionIds: string[];
  /** Visitors from before are not recognised: the key that hashed them is lost as well. */
  isVisitorKeyNew: boolean;
  /** The chain of seals must continue with the new key. */
  isSealingKeyNew: boolean;
}

/**
 * The database belongs to this master key from now on. What only a lost one could open is made anew, where it is ours to make, and
 * forgotten where it is not. What this key opens stays as it is.
 */
export async function renewSecrets(transaction: Transaction<RenewalRepositories>, masterKey: MasterKey, now: number): Promise<Renewed> {
  const renewed: Renewed = {
    webhooks: await renewSigning(transaction, masterKey),
    userIds: await forgetDestinations(transaction, masterKey, now),
    secondFactorsOf: await forgetSecondFactors(transaction, masterKey),
    connectionIds: await forgetStoreSecrets(transaction, masterKey),
    isVisitorKeyNew: await renewStoredKey(transaction, masterKey, 'visitor_key'),
    isSealingKeyNew: await renewStoredKey(transaction, masterKey, 'sealing_key'),
  };
  await forgetPayoutFiles(transaction, masterKey);
  await transaction.masterKeys.replaceProof(createProof(masterKey));
  return renewed;
}

/** Their deliveries are refused, and nothing is pulled, until the secrets are set again. */
async function forgetStoreSecrets({ connections }: Transaction<RenewalRepositories>, masterKey: MasterKey): Promise<string[]> {
  const [signing, api] = [
    createSecrets('store_secret', masterKey, systemRandom),
    createSecrets('store_api_secret', masterKey, systemRandom),
  ];
  const all = await connections.all();
  const closed = all.filter(({ id, encryptedSecret }) => encryptedSecret !== null && !opens(signing, encryptedSecret, id));
  const closedApis = all.filter(({ id, encryptedApiSecret }) => encryptedApiSecret !== null && !opens(api, encryptedApiSecret, id));
  for (const { id } of closed) await connections.setSecret(id, null);
  for (const { id } of closedApis) await connections.setApi(id, { encryptedApiSecret: null });
  const ids = new Set([...closed, ...closedApis].filter(({ disconnectedAt }) => disconnectedAt === null).map(({ id }) => id));
  return [...ids];
}

async function renewStoredKey(
  { masterKeys }: Transaction<RenewalRepositories>,
  masterKey: MasterKey,
  name: StoredKeyName,
): Promise<boolean> {
  const stored = await masterKeys.storedKey(name);
  if (stored === null || opens(createSecrets(name, masterKey, systemRandom), stored, name)) return false;
  await masterKeys.replaceEncrypted(name, name, createStoredKeys(masterKey)[name]);
  return true;
}

async function renewSigning(
  { webhooks, masterKeys }: Transaction<RenewalRepositories>,
  masterKey: MasterKey,
): Promise<Renewed['webhooks']> {
  const secrets = createSecrets('webhook_secret', masterKey, systemRandom);
  const closed = (await listAllWebhooks(webhooks)).filter(({ id, encryptedSecret }) => !opens(secrets, encryptedSecret, id));
  const renewed = closed.map((webhook) => ({ webhook, secret: createSigningSecret(systemRandom) }));
  for (const { webhook, secret } of renewed)
    await masterKeys.replaceEncrypted('webhook_secret', webhook.id, secrets.encrypt(secret, webhook.id));
  return renewed;
}

/** The files themselves are where they were written to. */
async function forgetPayoutFiles({ masterKeys, batches }: Transaction<RenewalRepositories>, masterKey: MasterKey): Promise<void> {
  const secrets = createSecrets('payout_file', masterKey, systemRandom);
  for await (const { id, text } of readEncrypted(masterKeys, 'payout_file'))
    if (!opens(secrets, text, id)) await batches.update(Number(id), { encryptedFile: null });
}

async function forgetSecondFactors(
  { masterKeys, secondFactors }: Transaction<RenewalRepositories>,
  masterKey: MasterKey,
): Promise<number[]> {
  const secrets = createSecrets('second_factor', masterKey, systemRandom);
  const closed: number[] = [];
  for await (const { id, text } of readEncrypted(masterKeys, 'second_factor')) if (!opens(secrets, text, id)) closed.push(Number(id));
  for (const userId of closed) await secondFactors.remove(userId);
  return closed;
}

/** Recorded as an event, as if the affiliate had removed them. */
async function forgetDestinations(transaction: Transaction<RenewalRepositories>, masterKey: MasterKey, now: number): Promise<number[]> {
  const secrets = createSecrets('payout_details', masterKey, systemRandom);
  const all = await transaction.payoutDetails.newest(Number.MAX_SAFE_INTEGER);
  const closed = all.filter(({ userId, encryptedDetails }) => encryptedDetails !== null && !opens(secrets, encryptedDetails, userId));
  for (const { userId, method, methodType } of closed)
    await savePayoutDetails(transaction, { userId, method, methodType, details: {} }, { now, userId: 0, ...secrets });
  return closed.map(({ userId }) => userId).toSorted((one, other) => one - other);
}
