import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { SecureRandom } from '../random.ts';
import { listKeys, type MasterKey } from './key-ring.ts';

/** What is stored encrypted. Each kind has a key of its own, so that a text taken from one place opens in no other. */
export type SecretKind = 'payout_details' | 'payout_file' | 'webhook_secret' | 'store_secret' | 'store_api_secret' | 'second_factor';

/** The id of the row that a text belongs to. */
export type SecretOwner = number | string;

export interface Secrets {
  /** Bound to its owner: in the row of another it does not open. */
  encrypt(text: string, owner: SecretOwner): string;
  /** @throws when the text was changed, is of another owner, or was encrypted with another key: there is no half-right answer. */
  decrypt(sealed: string, owner: SecretOwner): string;
}

export function opens({ decrypt }: Pick<Secrets, 'decrypt'>, sealed: string, owner: SecretOwner): boolean {
  try {
    decrypt(sealed, owner);
    return true;
  } catch {
    return false;
  }
}

// AES-256-GCM: a nonce of 12 random bytes, the text, a tag of 16 bytes that detects every change.
const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** Says how the rest was made. */
const version = 'v1:';

export function createSecrets(
  kind: SecretKind | 'key_proof' | 'visitor_key' | 'sealing_key',
  masterKey: MasterKey,
  random: SecureRandom,
): Secrets {
  const derived = new Map<string, Buffer>();
  const derive = (key: string): Buffer => {
    const found = derived.get(key) ?? Buffer.from(hkdfSync('sha256', key, '', `affiliate-api/${kind}/v1`, 32));
    derived.set(key, found);
    return found;
  };
  return {
    encrypt: (text, owner) => {
      const key = derive(listKeys(masterKey).at(-1) ?? '');
      return version + seal(text, key, random.bytes(nonceLength), associated(kind, owner)).toString('base64url');
    },
    decrypt(sealed, owner) {
      for (const key of listKeys(masterKey).toReversed()) {
        try {
          return unseal(bytesOf(sealed), derive(key), associated(kind, owner));
        } catch {
          // Not the reason: it would say the same of a wrong key as of a changed text, and nothing of use.
        }
      }
      throw new Error(`A stored secret (${kind}) cannot be read: it was changed, or made with another master key.`);
    },
  };
}

const associated = (kind: string, owner: SecretOwner): Buffer => Buffer.from(`${kind}/${owner}`);

function seal(text: string, key: Buffer, nonce: Buffer, owner: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength });
  cipher.setAAD(owner);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
}

function unseal(bytes: Buffer, key: Buffer, owner: Buffer): string {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength });
  decipher.setAAD(owner);
  decipher.setAuthTag(bytes.subarray(-tagLength));
  const text = decipher.update(bytes.subarray(nonceLength, -tagLength));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

function bytesOf(sealed: string): Buffer {
  const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
  // Node decodes what it can and drops the rest: only the one true spelling is accepted.
  const isWhole = sealed === version + bytes.toString('base64url') && bytes.length >= nonceLength + tagLength;
  if (!isWhole) throw new Error('This is not an encrypted text.');
  return bytes;
}
