import { type Beginning, createSealingKey, type SealingKey } from '../ledger/sealing-key.ts';
import { savePayoutDetails } from '../payout-details/save.ts';
import type { Stores, Transaction } from '../ports.ts';
import { systemRandom } from '../random.ts';
import { listAllWebhooks } from '../webhooks/manage.ts';
import { createSigningSecret } from '../webhooks/signature.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { deriveVisitorKey, type MasterKey } from './key-ring.ts';
import { readEncrypted } from './read-encrypted.ts';
import { createSecrets, opens, type SecretKind, type SecretOwner } from './secrets.ts';

/** What identifies the master key of a database. */
export interface KeyTraces {
  readonly proof: string | null;
  /** The stored key that hashes visitors. */
  readonly visitorKey: string | null;
  /** The stored key that seals the ledger. */
  readonly sealingKey: string | null;
  /** Looked at only where there is no proof yet: a database of before there were any. */
  readonly sealed: readonly { kind: SecretKind; text: string; owner: SecretOwner }[];
}

/** Each takes some microseconds to open, and none opens with another key. */
const lookedAt = 500;

export async function readTraces({ sealing, webhooks, payoutDetails }: Stores): Promise<KeyTraces> {
  const proof = await sealing.proof();
  const visitorKey = await sealing.storedKey('visitor_key');
  const sealingKey = await sealing.storedKey('sealing_key');
  if (proof !== null) return { proof, visitorKey, sealingKey, sealed: [] };
  const secrets = (await listAllWebhooks(webhooks)).map(({ id: owner, encryptedSecret: text }) => ({
    ...{ kind: 'webhook_secret' as const, text, owner },
  }));
  const details = (await payoutDetails.newest(lookedAt)).flatMap(({ userId: owner, encryptedDetails: text }) =>
    text === null ? [] : [{ kind: 'payout_details' as const, text, owner }],
  );
  return { proof, visitorKey, sealingKey, sealed: [...secrets, ...details] };
}

/** Nothing was ever sealed: any key will do. */
export const hasNoSecrets = ({ proof, sealed }: KeyTraces): boolean => proof === null && sealed.length === 0;

/** The newest of these keys that the database belongs to. */
export const findOwner = (traces: KeyTraces, keys: readonly string[]): string | undefined =>
  keys.findLast((key) => matchesKey(traces, key));

/** The key that hashes visitors: the stored one, or the one that every database had before keys were stored. */
export function openVisitorKey(traces: KeyTraces, keys: readonly string[]): Buffer {
  const stored = traces.visitorKey;
  const newest = keys.at(-1) ?? '';
  if (stored === null) return deriveVisitorKey(findOwner(traces, keys) ?? newest);
  for (const key of keys) {
    const secrets = createSecrets('visitor_key', key, systemRandom);
    if (opens(secrets, stored, 'visitor_key')) return Buffer.from(secrets.decrypt(stored, 'visitor_key'), 'base64url');
  }
  throw new Error('The stored key that hashes visitors cannot be read: it was made with another master key.');
}

export const sealVisitorKey = (visitorKey: Buffer, masterKey: MasterKey): string =>
  createSecrets('visitor_key', masterKey, systemRandom).encrypt(visitorKey.toString('base64url'), 'visitor_key');

/** At an equals sign base64 ends: a process of the version that knows no beginning reads the same seed, and writes the same marks. */
export const sealSealingKey = (seed: Buffer, masterKey: MasterKey, beginning: Beginning | null = null): string => {
  const parts = [seed.toString('base64url'), ...(beginning ? [JSON.stringify(beginning)] : [])];
  return createSecrets('sealing_key', masterKey, systemRandom).encrypt(parts.join('='), 'sealing_key');
};

/** @throws when it was changed, or encrypted with another master key. */
export function openSealingKey(sealed: string, masterKey: MasterKey): SealingKey {
  const text = createSecrets('sealing_key', masterKey, systemRandom).decrypt(sealed, 'sealing_key');
  const [, seedText = '', beginning] = /^([\w-]*)(?:=(.*))?$/.exec(text) ?? [];
  const seed = Buffer.from(seedText, 'base64url');
  const key = createSealingKey(seed, beginning === undefined ? null : JSON.parse(beginning));
  return { ...key, stored: { text: sealed, encrypt: (beginning) => sealSealingKey(seed, masterKey, beginning) } };
}

/** Whether everything that was looked at was sealed with this key. */
function matchesKey({ proof, sealed }: KeyTraces, masterKey: string): boolean {
  if (proof !== null) return opens(createSecrets('key_proof', masterKey, systemRandom), proof, 'key_proof');
  const secrets = {
    webhook_secret: createSecrets('webhook_secret', masterKey, systemRandom),
    payout_details: createSecrets('payout_details', masterKey, systemRandom),
    payout_file: createSecrets('payout_file', masterKey, systemRandom),
    store_secret: createSecrets('store_secret', masterKey, systemRandom),
    store_api_secret: createSecrets('store_api_secret', masterKey, systemRandom),
  };
  return sealed.every(({ kind, text, owner }) => opens(secrets[kind], text, owner));
}

const proofText = 'This database belongs to the master key that opens this.';
const proofWithSealingKey = 'This database belongs to the master key that opens this, and has a sealing key.';

/** That it can be opened proves the master key. Its text says whether there is a sealing key, which can be deleted. */
export const createProof = (masterKey: MasterKey, hasSealingKey: boolean): string =>
  createSecrets('key_proof', masterKey, systemRandom).encrypt(hasSealingKey ? proofWithSealingKey : proofText, 'key_proof');

/** Whether the proof says that there is a sealing key. One of an earlier version does not. */
export function provesSealingKey(proof: string, keys: readonly string[]): boolean {
  const owner = keys.find((key) => opens(createSecrets('key_proof', key, systemRandom), proof, 'key_proof'));
  return owner !== undefined && createSecrets('key_proof', owner, systemRandom).decrypt(proof, 'key_proof') === proofWithSealingKey;
}

/** A new sealing key would take everything as it is now. */
export const isSealingKeyDeleted = ({ proof, sealingKey }: KeyTraces, keys: readonly string[]): boolean =>
  sealingKey === null && proof !== null && provesSealingKey(proof, keys);

interface Renewed {
  /** Their new signing secrets, returned only here. */
  webhooks: { webhook: Webhook; secret: string }[];
  /** Who has to say again where to be paid. */
  userIds: number[];
  /** Connections to a store, which must be given their secret again. */
  connectionIds: string[];
  /** Visitors from before are not recognised: the key that hashed them is lost as well. */
  isVisitorKeyNew: boolean;
  /** The ledger must begin a new chain of seals: the key that signed the others is lost. */
  isSealingKeyNew: boolean;
}

/**
 * The database belongs to this master key from now on. What only a lost one could open is made anew, where it is ours to make, and
 * forgotten where it is not. What this key opens stays as it is. `seed` is that of a new sealing key, in case one is needed.
 */
export async function renewSecrets(transaction: Transaction, masterKey: MasterKey, seed: Buffer, now: number): Promise<Renewed> {
  // First: with it, what follows is digested.
  const isSealingKeyNew = await renewSealingKey(transaction, masterKey, seed);
  const webhooks = await renewSigning(transaction, masterKey);
  const userIds = await forgetDestinations(transaction, masterKey, now);
  await forgetPayoutFiles(transaction, masterKey);
  const connectionIds = await forgetStoreSecrets(transaction, masterKey);
  const isVisitorKeyNew = await renewVisitorKey(transaction, masterKey);
  await transaction.sealing.replaceProof(createProof(masterKey, (await transaction.sealing.storedKey('sealing_key')) !== null));
  return { webhooks, userIds, connectionIds, isVisitorKeyNew, isSealingKeyNew };
}

/** Their deliveries are refused, and nothing is pulled, until the secrets are set again. */
async function forgetStoreSecrets({ connections }: Transaction, masterKey: MasterKey): Promise<string[]> {
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

async function renewVisitorKey({ sealing }: Transaction, masterKey: MasterKey): Promise<boolean> {
  const stored = await sealing.storedKey('visitor_key');
  if (stored === null || opens(createSecrets('visitor_key', masterKey, systemRandom), stored, 'visitor_key')) return false;
  await sealing.replaceEncrypted('visitor_key', 'visitor_key', sealVisitorKey(systemRandom.bytes(32), masterKey));
  return true;
}

async function renewSealingKey({ sealing }: Transaction, masterKey: MasterKey, seed: Buffer): Promise<boolean> {
  const stored = await sealing.storedKey('sealing_key');
  if (stored === null || opens(createSecrets('sealing_key', masterKey, systemRandom), stored, 'sealing_key')) return false;
  await sealing.replaceEncrypted('sealing_key', 'sealing_key', sealSealingKey(seed, masterKey));
  return true;
}

async function renewSigning({ webhooks, sealing }: Transaction, masterKey: MasterKey): Promise<Renewed['webhooks']> {
  const secrets = createSecrets('webhook_secret', masterKey, systemRandom);
  const closed = (await listAllWebhooks(webhooks)).filter(({ id, encryptedSecret }) => !opens(secrets, encryptedSecret, id));
  const renewed = closed.map((webhook) => ({ webhook, secret: createSigningSecret(systemRandom) }));
  for (const { webhook, secret } of renewed)
    await sealing.replaceEncrypted('webhook_secret', webhook.id, secrets.encrypt(secret, webhook.id));
  return renewed;
}

/** The files themselves are where they were written to. */
async function forgetPayoutFiles({ sealing, batches }: Transaction, masterKey: MasterKey): Promise<void> {
  const secrets = createSecrets('payout_file', masterKey, systemRandom);
  for await (const { id, text } of readEncrypted(sealing, 'payout_file'))
    if (!opens(secrets, text, id)) await batches.update(Number(id), { encryptedFile: null });
}

/** Recorded as an event, as if the affiliate had removed them. */
async function forgetDestinations(transaction: Transaction, masterKey: MasterKey, now: number): Promise<number[]> {
  const secrets = createSecrets('payout_details', masterKey, systemRandom);
  const all = await transaction.payoutDetails.newest(Number.MAX_SAFE_INTEGER);
  const closed = all.filter(({ userId, encryptedDetails }) => encryptedDetails !== null && !opens(secrets, encryptedDetails, userId));
  for (const { userId, method, methodType } of closed)
    await savePayoutDetails(transaction, { userId, method, methodType, details: {} }, { now, userId: 0, ...secrets });
  return closed.map(({ userId }) => userId).toSorted((one, other) => one - other);
}
