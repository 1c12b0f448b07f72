import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';

/** Signs the seals of the ledger. */
export interface SealingKey {
  /** Ed25519, as base64url of its 32 bytes. */
  readonly publicKey: string;
  readonly publicKeyPem: string;
  sign(text: string): string;
}

/** A new private key as PEM. It is stored encrypted. */
export const generateSealingKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

export function createSealingKey(privateKeyPem: string): SealingKey {
  const privateKey = createPrivateKey(privateKeyPem);
  const publicKey = createPublicKey(privateKey);
  return {
    publicKey: publicKey.export({ format: 'jwk' }).x ?? '',
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  };
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  } catch {
    // A text that is not a public key has signed nothing.
    return false;
  }
}
