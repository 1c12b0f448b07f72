import { ApiError } from '../errors.ts';
import type { Transaction } from '../ports.ts';
import type { NewUser, User } from './user.ts';

/** Login and email are each held by one user, ignoring case. */
export async function createUser({ users }: Transaction, user: NewUser): Promise<User> {
  const id = await users.insert(user);
  if (id === null) {
    const taken = (await users.byLoginOrEmail(user.login)) ? 'login' : 'email';
    const sentence = `A user with the ${taken} ${user[taken]} exists already.`;
    throw new ApiError('rest_invalid_param', { message: sentence, data: { params: { [taken]: sentence } } });
  }
  return { ...user, id, parentId: null };
}
