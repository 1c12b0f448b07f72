import type { User } from '../../domain/users/user.ts';
import type { KeyedSelect } from '../sql/rows-by-id.ts';
import { toSafeInteger } from './columns.ts';

export const userFields = ['id', 'login', 'email', 'display_name', 'role', 'parent_id', 'registered_at'];
export const userColumns = userFields.join(', ');
export const usersById: KeyedSelect = { table: 'users', key: 'id', columns: userFields };

export const toUser = (row: Record<string, unknown>): User => ({
  id: toSafeInteger(row['id']),
  login: String(row['login']),
  email: String(row['email']),
  displayName: String(row['display_name']),
  role: row['role'] as User['role'],
  parentId: row['parent_id'] === null ? null : toSafeInteger(row['parent_id']),
  registeredAt: toSafeInteger(row['registered_at']),
});
