import type { ApiKey } from '../../domain/keys/key.ts';
import type { User } from '../../domain/users/user.ts';
import { keyView } from '../../handlers/views/key.ts';
import { operatorAs } from './operator.ts';
import type { Session } from './session.ts';
import { table } from './table.ts';

/** The API's own record, so that a script reads the same fields here and there. */
export type KeyRecord = ReturnType<typeof keyView>;

export const keyRecord = (key: ApiKey, user: User, { settings, now }: Session): KeyRecord =>
  keyView(key, user, { caller: operatorAs(user), settings, now });

const moment = (at: string | null): string => at?.replace('T', ' ') ?? '-';

export function keyTable(keys: readonly KeyRecord[]): string {
  const rows = keys.map((key) => [
    String(key.id),
    `${key.key_prefix}…`,
    key.user.login ?? '-',
    key.scopes.join(','),
    key.status,
    moment(key.last_used),
    key.date_expires?.slice(0, 10) ?? 'never',
    key.description,
  ]);
  return table(['ID', 'TOKEN', 'USER', 'SCOPES', 'STATUS', 'LAST USED', 'EXPIRES', 'DESCRIPTION'], rows);
}
