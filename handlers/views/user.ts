import { totalPages } from '../../domain/page.ts';
import { type Caller, callerIsAdmin, type User } from '../../domain/users/user.ts';
import type { components } from '../../generated/api.d.ts';

/** Login and email are for admins and for the user alone. */
export function userView(user: User, viewer: Caller): components['schemas']['User'] {
  const { id, displayName: display_name, login, email } = user;
  return callerIsAdmin(viewer) || viewer.user.id === id ? { id, display_name, login, email } : { id, display_name };
}

/** A user by name. Null where there is none. */
export const userRefView = (user: Pick<User, 'id' | 'displayName'> | null): components['schemas']['UserRef'] | null =>
  user && { id: user.id, display_name: user.displayName };

/** The two headers that every collection carries. */
export const totals = (total: number, perPage: number): { 'X-Svc-Total': number; 'X-Svc-TotalPages': number } => ({
  'X-Svc-Total': total,
  'X-Svc-TotalPages': totalPages(total, perPage),
});
