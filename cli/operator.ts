import type { UserRepository } from '../domain/users/repository.ts';
import type { Caller, User } from '../domain/users/user.ts';
import { CommandError } from './terminal/output.ts';

/**
 * The operator has access to the database itself, so no permission is denied. But `created_by` and the change feed name users, and the
 * operator of a machine is not one: there, the operator acts as the user that owns the record.
 */
export const operatorAs = (user: User): Caller => ({
  user: { ...user, role: 'administrator' },
  method: 'session',
  keyId: null,
  scopes: null,
});

/** For records whose owner no longer exists. Actor 0 is the system. */
export const systemCaller: Caller = operatorAs({
  id: 0,
  login: '',
  email: '',
  displayName: '',
  role: 'administrator',
  parentId: null,
  registeredAt: 0,
});

export async function getUser(users: UserRepository, loginOrEmail: string): Promise<User> {
  const user = await users.byLoginOrEmail(loginOrEmail);
  if (user) return user;
  throw new CommandError(`There is no user "${loginOrEmail}". affiliate user list shows them.`);
}
