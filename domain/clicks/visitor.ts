import { createHmac, hkdfSync } from 'node:crypto';

export type HashVisitor = (visitor: string) => string;

/**
 * Equal visitors have equal hashes, so that clicks match orders. Without the master key the visitor cannot be found, not even by trying
 * all ids.
 */
export function createVisitorHasher(masterKey: string): HashVisitor {
  // A derived key, so that a leak of one use of the master key does not affect others.
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'affiliate-api/visitor/v1', 32));
  return (visitor) => createHmac('sha256', key).update(visitor).digest('base64url');
}
