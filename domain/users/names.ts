import { ApiError } from '../errors.ts';
import type { UserRepository } from './repository.ts';
import type { User } from './user.ts';

type Names = Pick<User, 'login' | 'email'>;

/**
 * Logins and emails are one namespace: returns which of the names is another user's login or email, ignoring case. Writes are serializable,
 * so the answer holds until the end of the transaction.
 */
export async function findTakenName(users: UserRepository, names: Names, ownId?: number): Promise<keyof Names | null> {
  const others = (await users.named([names.login, names.email])).filter(({ id }) => id !== ownId);
  if (others.length === 0) return null;
  return others.some(({ login, email }) => [login, email].some((name) => isSameName(name, names.login))) ? 'login' : 'email';
}

export const isSameName = (one: string, other: string): boolean => foldName(one) === foldName(other);

export const foldName = (name: string): string => name.normalize('NFC').toLowerCase();

export function nameTaken(field: keyof Names, names: Names): ApiError {
  const sentence = `A user with the login or email ${names[field]} exists already.`;
  return new ApiError('rest_invalid_param', { message: sentence, data: { params: { [field]: sentence } } });
}
