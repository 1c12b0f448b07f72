import { createHash, timingSafeEqual } from 'node:crypto';
import type { SecureRandom } from '../random.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 24 random alphanumerics, shown in groups of four. */
export function generateAppPassword(random: SecureRandom): string {
  const characters = Array.from({ length: 24 }, () => alphabet[random.below(alphabet.length)]);
  return characters.join('').replace(/(.{4})(?=.)/g, '$1 ');
}

/** Spaces are for reading only. A fast hash will do, because the password is random and long. */
export const appPasswordHash = (password: string): string => createHash('sha256').update(password.replaceAll(' ', '')).digest('hex');

const dummyHash = appPasswordHash('no application password');

/** Whether the password has one of the hashes. Compares with a dummy if there are none, so that timing does not reveal whether a user exists. */
export function matchesAny(password: string, hashes: readonly string[]): boolean {
  const given = Buffer.from(appPasswordHash(password));
  let matches = false;
  for (const hash of hashes.length > 0 ? hashes : [dummyHash]) if (timingSafeEqual(given, Buffer.from(hash))) matches = hashes.length > 0;
  return matches;
}
