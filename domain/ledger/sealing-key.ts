import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto';

/** Where marks and digests began. It is stored encrypted, with the key: the tables alone cannot say that they have not begun. */
export interface Beginning {
  /** Rows of the ledger up to this id have no mark of the key. */
  unmarkedTo: number;
  /** The kinds of records of which every one has a digest. */
  kinds: readonly string[];
}

/** Signs the seals of a ledger, and marks what the service itself has written. */
export interface SealingKey {
  /** Ed25519, as base64url of its 32 bytes. */
  readonly publicKey: string;
  readonly publicKeyPem: string;
  sign(text: string): string;
  /** Only a process that has the master key can compute it. */
  mark(text: string): string;
  /** Null from the creation of the key in a database that has records until its first seal, and in one of an earlier version. */
  readonly beginning: Beginning | null;
  /** How it is stored, and how it would be with a beginning. */
  readonly stored?: { text: string; encrypt(beginning: Beginning): string };
}

export const seedLength = 32;

/** The fixed beginning of an Ed25519 key in DER: PKCS#8 before the seed, SPKI before the public key. */
const privateBeginning = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicBeginning = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * The first 16 of 32 bytes: half of the state is cut off, so that a hash cannot be continued without the key. An HMAC takes nearly twice as
 * long (benchmark row `import`).
 */
export const markLength = 22;

export function createSealingKey(seed: Buffer, beginning: Beginning | null = null): SealingKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([privateBeginning, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const marking = Buffer.from(hkdfSync('sha256', seed, '', 'affiliate-api/ledger-mark/v1', 32)).toString('hex');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(publicBeginning.length).toString('base64url'),
    publicKeyPem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
    mark: (text) =>
      createHash('sha256')
        .update(marking + text)
        .digest('base64url')
        .slice(0, markLength),
    beginning,
  };
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = readPublicKey(publicKey);
  const bytes = Buffer.from(signature, 'base64url');
  // Node.js passes over other characters: a head with them is none.
  return key !== null && bytes.toString('base64url') === signature && verify(null, Buffer.from(text), key, bytes);
}

function readPublicKey(publicKey: string): KeyObject | null {
  const bytes = Buffer.from(publicKey, 'base64url');
  if (bytes.length !== 32) return null;
  return createPublicKey({ key: Buffer.concat([publicBeginning, bytes]), format: 'der', type: 'spki' });
}
