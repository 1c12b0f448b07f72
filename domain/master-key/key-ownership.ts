import type { Stores } from '../ports.ts';
import { type SecureRandom, systemRandom } from '../random.ts';
import { listAllWebhooks } from '../webhooks/all.ts';
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
