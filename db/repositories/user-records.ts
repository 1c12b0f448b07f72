import type { EntityManager } from 'typeorm';
import type { UserRecord, UserRecordStore } from '../../domain/users/record-store.ts';
import type { User } from '../../domain/users/user.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { foldCase } from '../sql/fold-case.ts';
import { insertRow } from '../sql/insert-with-id.ts';

export const userRecordColumns = 'id, login, email, display_name, role, registered_at, profile, "groups", custom_fields';

export const userRecordStore = (manager: EntityManager): UserRecordStore => ({
  byLogin: async (login) => {
    const [row] = await find(manager, userRecordColumns, 'login_folded', login);
    return row ? toUserRecord(row) : null;
  },
  idOfEmail: async (email) => {
    const [row] = await find(manager, 'id', 'email_folded', email);
    return row ? toSafeInteger(row['id']) : null;
  },
  insert: (user, id) => insertRow(manager, 'users', rowOf(user), id),
  change: async (id, user) => {
    const row = rowOf(user);
    const assignments = Object.keys(row).map((column, index) => `${column} = $${index + 1}`);
    await manager.query(`update users set ${assignments.join(', ')} where id = $${assignments.length + 1}`, [...Object.values(row), id]);
  },
});

type Row = Record<string, unknown>;

const find = (manager: EntityManager, columns: string, by: 'login_folded' | 'email_folded', name: string): Promise<Row[]> =>
  // PostgreSQL keeps no NUL, and would refuse to compare.
  name.includes('\0') ? Promise.resolve([]) : manager.query(`select ${columns} from users where ${by} = $1`, [foldCase(name)]);

export const toUserRecord = (row: Row): UserRecord & Pick<User, 'id'> => ({
  id: toSafeInteger(row['id']),
  login: String(row['login']),
  email: String(row['email']),
  displayName: String(row['display_name']),
  role: row['role'] as User['role'],
  registeredAt: toSafeInteger(row['registered_at']),
  profile: JSON.parse(String(row['profile'])),
  groups: JSON.parse(String(row['groups'])),
  customFields: JSON.parse(String(row['custom_fields'])),
});

const rowOf = ({ login, email, displayName, role, registeredAt, profile, groups, customFields }: UserRecord): Row => ({
  login,
  login_folded: foldCase(login),
  email,
  email_folded: foldCase(email),
  display_name: displayName,
  display_name_folded: foldCase(displayName),
  role,
  registered_at: registeredAt,
  profile: JSON.stringify(profile),
  '"groups"': JSON.stringify(groups),
  custom_fields: JSON.stringify(customFields),
});
