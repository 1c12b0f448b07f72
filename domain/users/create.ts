import { ApiError } from '../errors.ts';
import type { Transaction } from '../unit-of-work.ts';
import { findTakenName, nameTaken } from './names.ts';
import type { ProgramUserRepository, UserRepository } from './repository.ts';
import type { NewUser, User } from './user.ts';

/** @throws ApiError where another user has the login or the email. */
export async function createUser({ users }: Transaction<{ users: UserRepository }>, user: NewUser): Promise<User> {
  const taken = await findTakenName(users, user);
  const id = taken === null ? await users.insert(user) : null;
  if (id === null) throw nameTaken(taken ?? 'login', user);
  return { ...user, id, parentId: null };
}

/** Bounds the query; real hierarchies are far smaller. */
const allTiers = 10_000;

/** Sets the parent of a user. Refused if it would create a cycle. */
export async function setParent(
  { users, programUsers }: Transaction<{ users: UserRepository; programUsers: ProgramUserRepository }>,
  userId: number,
  parentId: number | null,
): Promise<void> {
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
