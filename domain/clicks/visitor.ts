import { createHmac, hkdfSync } from 'node:crypto';

/** Turns the shop's id of a visitor into what is kept instead of it. */
export type HashVisitor = (visitor: string) => string;

/**
 * The same visitor always gives the same hash, so that a click and an order find each other; without the master key nobody can tell
 * whose it is, not even by trying all ids.
 */
export function visitorHasher(masterKey: string): HashVisitor {
  // A key of its own, so that what is known about one use of the master key says nothing about another.
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'affiliate-api/visitor/v1', 32));
  return (visitor) => createHmac('sha256', key).update(visitor).digest('base64url');
}
