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

/** Bounds the query; real hierarchies are far smaller. */
const allTiers = 10_000;

/** Sets the parent of a user. Refused if it would create a cycle. */
export async function setParent({ users, programUsers }: Transaction, userId: number, parentId: number | null): Promise<void> {
  const user = await users.byId(userId);
  if (!user) throw invalid('user_id', 'There is no such user.');
  if (user.parentId === parentId) return;
  if (parentId !== null) {
    if (!(await users.byId(parentId))) throw invalid('parent', 'There is no such user.');
    const above = await programUsers.above([parentId], allTiers);
    if (parentId === userId || above.some(({ ancestorId }) => ancestorId === userId))
      throw invalid('parent', `${user.displayName} would be their own multi-level parent.`);
  }
  await programUsers.setParent(userId, parentId);
}

const invalid = (name: string, sentence: string): ApiError =>
  new ApiError('rest_invalid_param', { message: sentence, data: { params: { [name]: sentence } } });
