import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { createSecrets, type SecretKind, type SecretOwner } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';

/** A secret as versions before associated data have encrypted it: it opens in the row of any owner. */
export function boundToNothing(kind: SecretKind, masterKey: string, encrypted: string, owner: SecretOwner): string {
  const text = createSecrets(kind, masterKey, systemRandom).decrypt(encrypted, owner);
  const nonce = randomBytes(12);
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', `affiliate-api/${kind}/v1`, 32));
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return `v1:${Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')}`;
}
