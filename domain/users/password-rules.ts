import { isSameName } from './names.ts';
import type { User } from './user.ts';

export const minPasswordLength = 10;
/** Longer ones would only cost time to hash. */
const maxPasswordLength = 1000;

/** Completes "The password …". Null if the password may be used. */
export async function findPasswordProblem(given: string, { login, email }: Pick<User, 'login' | 'email'>): Promise<string | null> {
  // As it is hashed: full-width letters are other ways to write a common password.
  const password = given.normalize('NFKC');
  if ([...password].length < minPasswordLength) return `must have at least ${minPasswordLength} characters.`;
  if (password.length > maxPasswordLength) return `must have at most ${maxPasswordLength} characters.`;
  if ([login, email].some((name) => isSameName(name, password))) return 'must not be your login or your email address.';
  const { commonPasswords } = await import('./common-passwords.ts');
  return commonPasswords.has(password.toLowerCase()) ? 'is one of the most common ones. Choose another one.' : null;
}
