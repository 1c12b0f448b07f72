import { localDateTime } from '../../domain/dates.ts';
import { type ApiKey, keyStatus } from '../../domain/keys/key.ts';
import type { Caller, User } from '../../domain/users/user.ts';
import type { components } from '../../generated/api.d.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { userView } from './user.ts';

interface Viewing {
  caller: Caller;
  settings: Settings;
  now: number;
}

/** A key outlives its user; then only the user's id is left. */
export function keyView(key: ApiKey, user: User | null, { caller, settings, now }: Viewing): components['schemas']['Key'] {
  const zone = settings.store.timezone;
  const moment = (at: number | null): string | null => (at === null ? null : localDateTime(at, zone));
  return {
    id: key.id,
    user_id: key.userId,
    user: user ? userView(user, caller) : { id: key.userId, display_name: '' },
    description: key.description,
    key_prefix: key.prefix,
    scopes: key.scopes,
    status: keyStatus(key, now, zone),
    last_used: moment(key.lastUsedAt),
    date_created: localDateTime(key.createdAt, zone),
    date_expires: key.expiresDay === null ? null : `${key.expiresDay}T23:59:59`,
    date_revoked: moment(key.revokedAt),
    created_by: key.createdBy,
  };
}
