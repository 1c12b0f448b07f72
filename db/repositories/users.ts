import { type EntityManager, In } from 'typeorm';
import type { UserStore } from '../../domain/ports.ts';
import type { NewUser, User } from '../../domain/users/user.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { toUser, usersById } from '../entities/user-columns.ts';
import { users } from '../entities/users.ts';
import { foldCase } from '../sql/fold-case.ts';
import { rowsById } from '../sql/rows-by-id.ts';

export const userStore = (manager: EntityManager): UserStore => ({
  byId: async (id) => (await byIds(manager, [id]))[0] ?? null,
  byIds: (ids) => byIds(manager, ids),
  byLoginOrEmail: (name) => byLoginOrEmail(manager, foldCase(name)),
  passwordHashOf: async (id) => {
    const user = isId(id) ? await manager.findOne(users, { select: { passwordHash: true }, where: { id } }) : null;
    return user?.passwordHash ?? null;
  },
  insert: (user) => insert(manager, user),
  setPasswordHash: async (id, passwordHash) => void (await manager.update(users, { id }, { passwordHash })),
  countByRole: (role) => manager.countBy(users, { role }),
  admins: () => manager.find(users, { where: { role: In(['administrator', 'manager']) }, order: { id: 'ASC' } }),
});

async function byIds(manager: EntityManager, ids: readonly number[]): Promise<User[]> {
  const asked = [...new Set(ids)].filter(isId).toSorted((one, other) => one - other);
  const rows = await rowsById(manager, usersById, asked);
  return asked.flatMap((id) => {
    const row = rows.get(id);
    return row ? [toUser(row)] : [];
  });
}

/** Somebody may have chosen another's email as a login. What looks like an email is one first, so that its owner is found. */
async function byLoginOrEmail(manager: EntityManager, folded: string): Promise<User | null> {
  // PostgreSQL has no text with a NUL in it, and would rather fail than find nothing.
  if (folded.includes('\0')) return null;
  const byLogin = () => manager.findOneBy(users, { loginFolded: folded });
  if (!folded.includes('@')) return byLogin();
  return (await manager.findOneBy(users, { emailFolded: folded })) ?? byLogin();
}

// In lower case: TypeORM's sqlite driver recognises statements by "INSERT " and keeps what they return to itself.
const insertUnlessTaken = `
  insert into users (login, login_folded, email, email_folded, display_name, display_name_folded, role, password_hash, registered_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict do nothing
  returning id`;

async function insert(manager: EntityManager, user: NewUser): Promise<number | null> {
  const { login, email, displayName, role, passwordHash, registeredAt } = user;
  const values = [login, foldCase(login), email, foldCase(email), displayName, foldCase(displayName), role, passwordHash, registeredAt];
  const [inserted]: { id: unknown }[] = await manager.query(insertUnlessTaken, values);
  return inserted ? toSafeInteger(inserted.id) : null;
}
