import type { Stores, UserStore } from '../../domain/ports.ts';
import { roles, type User } from '../../domain/users/user.ts';
import { CommandError } from '../terminal/errors.ts';

export async function userNamed(users: UserStore, name: string): Promise<User> {
  const user = await users.byLoginOrEmail(name);
  if (user) return user;
  throw new CommandError(`There is no user "${name}". affiliate user list shows them.`);
}

const idsAtOnce = 5000;

/**
 * All users by id. Storage lists no users yet, so this asks for id after id until it has as many as there are; ids are given out in
 * sequence, so it is done after a few steps.
 */
export async function allUsers({ users }: Stores): Promise<User[]> {
  let total = 0;
  for (const role of roles) total += await users.countByRole(role);
  const found: User[] = [];
  for (let first = 1; found.length < total; first += idsAtOnce)
    found.push(...(await users.byIds(Array.from({ length: idsAtOnce }, (_, index) => first + index))));
  return found;
}
