import type { UserStore } from '../ports.ts';
import type { User } from '../users/user.ts';

/**
 * Finds the user by email, never by login: an applicant could enter the login of another user, and would be given that
 * user's account.
 */
export async function findApplicant(users: UserStore, email: string): Promise<User | null> {
  const user = await users.byLoginOrEmail(email);
  // Another user may have chosen this address as a login.
  return user && isSameEmail(user.email, email) ? user : null;
}

export const isSameEmail = (one: string, other: string): boolean => folded(one) === folded(other);

const folded = (email: string): string => email.normalize('NFC').toLowerCase();
