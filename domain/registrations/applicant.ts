import type { UserStore } from '../ports.ts';
import type { User } from '../users/user.ts';

/**
 * The user who has this email. Never the one who has the login: anybody can write another's login into a form, and would be given that
 * person's account to earn with.
 */
export async function findApplicant(users: UserStore, email: string): Promise<User | null> {
  const user = await users.byLoginOrEmail(email);
  // Somebody else may have chosen this very address as a login.
  return user && isSameEmail(user.email, email) ? user : null;
}

export const isSameEmail = (one: string, other: string): boolean => folded(one) === folded(other);

const folded = (email: string): string => email.normalize('NFC').toLowerCase();
