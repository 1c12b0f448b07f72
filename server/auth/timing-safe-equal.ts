import { timingSafeEqual } from 'node:crypto';

/** Takes as long for a secret that is right in its first letters as for one that is wrong in all. */
export function isSameSecret(kept: string, given: string): boolean {
  const [one, other] = [Buffer.from(kept), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
