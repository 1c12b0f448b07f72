import type { ApiKey } from '../../domain/keys/key.ts';
import type { User } from '../../domain/users/user.ts';
import { keyView } from '../../handlers/views/key.ts';
import type { CommandContext } from '../context.ts';
import { operatorAs } from '../operator.ts';
import { formatAge } from '../terminal/format.ts';
import { type Column, formatTable, numberColumn } from '../terminal/table.ts';

/** The API's own record, so that a script reads the same fields here and there. */
export type KeyRecord = ReturnType<typeof keyView>;

export interface ListedKey {
  key: ApiKey;
  record: KeyRecord;
}

export const keyRecord = (key: ApiKey, user: User, { settings, now }: CommandContext): KeyRecord =>
  keyView(key, user, { caller: operatorAs(user), settings, now });

const colors = { active: 'green', expired: 'yellow', revoked: 'dim' } as const;
const status: Column = { name: 'STATUS', color: (cell) => colors[cell as KeyRecord['status']] };
const columns = [numberColumn('ID'), 'TOKEN', 'USER', 'SCOPES', status, 'LAST USED', 'EXPIRES', 'DESCRIPTION'];

export function keyTable(keys: readonly ListedKey[], { now, zone }: CommandContext): string {
  if (keys.length === 0) return 'There are no keys. affiliate key create makes one.';
  const rows = keys.map(({ key, record }) => [
    String(record.id),
    `${record.key_prefix}…`,
    record.user.login ?? '-',
    record.scopes.join(','),
    record.status,
    formatAge(key.lastUsedAt, now, zone),
    record.date_expires?.slice(0, 10) ?? 'never',
    record.description,
  ]);
  return formatTable(columns, rows);
}
