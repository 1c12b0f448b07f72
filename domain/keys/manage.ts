import type { Scope } from '../../generated/operations.ts';
import { dayOf } from '../dates.ts';
import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { UserRepository } from '../users/repository.ts';
import { type Caller, canEdit, hasScope, type User } from '../users/user.ts';
import { type ApiKey, generateToken, hashToken, prefixOf, scopeOrder } from './key.ts';
import type { KeyRepository } from './repository.ts';

interface KeyManagementRepositories {
  users: UserRepository;
  keys: KeyRepository;
  events: EventRepository;
}

export interface KeyRequest {
  /** The caller's own when not given. */
  userId?: number;
  description: string;
  scopes: readonly Scope[];
  expiresDay?: string;
  /** The next one when not given. */
  id?: number;
}

export interface KeyCreationContext {
  now: number;
  zone: string;
  random: SecureRandom;
}

/** Makes a key for a user whom the caller may edit, with no scope that the caller lacks. The token exists in the result and nowhere else. */
export async function createKey(
  { users, keys, events }: Transaction<KeyManagementRepositories>,
  caller: Caller,
  request: KeyRequest,
  { now, zone, random }: KeyCreationContext,
): Promise<{ key: ApiKey; user: User; token: string }> {
  const user = await keyUser(users, caller, request.userId ?? caller.user.id);
  const scopes = scopeOrder.filter((scope) => request.scopes.includes(scope));
  const lacking = scopes.find((scope) => !hasScope(caller, scope));
  if (lacking)
    throw new ApiError('svc_api_insufficient_scope', {
      message: `A key cannot be given a scope that its creator lacks: yours lacks ${lacking}.`,
    });
  refusePast(request.expiresDay, dayOf(now, zone));

  const token = generateToken(random);
  const key = await keys.insert({
    userId: user.id,
    description: request.description,
    prefix: prefixOf(token),
    hash: hashToken(token),
    scopes,
    createdBy: caller.user.id,
    createdAt: now,
    expiresDay: request.expiresDay ?? null,
    ...(request.id !== undefined && { id: request.id }),
  });
  const info = `API key ${key.prefix} was created for ${user.displayName}.`;
  await events.record({
    kind: 'api_key_created',
    type: null,
    objectType: 'api_key',
    objectId: key.id,
    userId: caller.user.id,
    info,
    data: null,
    at: now,
  });
  return { key, user, token };
}

async function keyUser(users: UserRepository, caller: Caller, userId: number): Promise<User> {
  const user = await users.byId(userId);
  if (!user) throw invalid('user_id', 'There is no such user.');
  if (!canEdit(caller.user, user)) throw new ApiError('svc_api_cannot_create_for_user');
  return user;
}

function refusePast(expiresDay: string | undefined, today: string): void {
  if (expiresDay !== undefined && expiresDay < today) throw invalid('expires', `expires must not be before today, ${today}.`);
}

const invalid = (name: string, sentence: string): ApiError =>
  new ApiError('rest_invalid_param', { message: sentence, data: { params: { [name]: sentence } } });

/** Ends a key. Doing it again changes nothing and is no error. */
export async function revokeKey(
  { users, keys, events }: Transaction<KeyManagementRepositories>,
  caller: Caller,
  id: number,
  now: number,
): Promise<void> {
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
