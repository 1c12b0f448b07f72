import { ApiError } from '../errors.ts';
import type { Transaction } from '../ports.ts';
import type { Caller } from '../users/caller.ts';
import { canEdit } from '../users/user.ts';

/** Ends a key. Doing it again changes nothing and is no error. */
export async function revokeKey({ users, keys, events }: Transaction, caller: Caller, id: number, now: number): Promise<void> {
  const key = await keys.byId(id);
  if (!key) throw new ApiError('svc_api_not_found');
  const user = await users.byId(key.userId);
  if (user && !canEdit(caller.user, user)) throw new ApiError('svc_api_cannot_manage_key');

  if (!(await keys.revoke(id, now))) return;
  const info = `API key ${key.prefix} was revoked.`;
  await events.record({
    kind: 'api_key_revoked',
    type: null,
    objectType: 'api_key',
    objectId: id,
    userId: caller.user.id,
    info,
    data: null,
    at: now,
  });
}
