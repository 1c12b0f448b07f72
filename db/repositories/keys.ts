import { type EntityManager, IsNull, type SelectQueryBuilder } from 'typeorm';
import type { ApiKey, KeyStatus, NewApiKey } from '../../domain/keys/key.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import type { KeyFilter, KeyStore } from '../../domain/ports.ts';
import type { User } from '../../domain/users/user.ts';
import { apiKeys } from '../entities/api-keys.ts';
import { type EntityRow, isId, toSafeInteger } from '../entities/columns.ts';
import { toUser, userFields } from '../entities/user-columns.ts';
import { selectJoined } from '../sql/joined-select.ts';
import { jsonList } from '../sql/json-parameters.ts';

export const keyStore = (manager: EntityManager): KeyStore => ({
  byHash: async (hash) => (await withUserByHash(manager, hash))?.key ?? null,
  withUserByHash: (hash) => withUserByHash(manager, hash),
  byId: async (id) => (isId(id) ? manager.findOneBy(apiKeys, { id }) : null),
  page: (filter, page) => pageOf(manager, filter, page),
  insert: (key) => insert(manager, key),
  revoke: (id, at) => revoke(manager, id, at),
  touch: (ids, at, unlessSince) => touch(manager, ids, at, unlessSince),
});

// Hand-written for the benchmark row coupon: every request whose key is not cached reads the key with its user.
const columns = [
  'id',
  'prefix',
  'user_id',
  'description',
  'scopes',
  'created_by',
  'created_at',
  'last_used_at',
  'expires_day',
  'revoked_at',
];

async function withUserByHash(manager: EntityManager, hash: string): Promise<{ key: ApiKey; user: User | null } | null> {
  const from = 'from api_keys left join users on users.id = api_keys.user_id where api_keys.hash = $1';
  const [row] = await selectJoined(manager, { columns: { api_keys: columns, users: userFields }, from }, [hash]);
  return row ? { key: toKey(row.api_keys), user: row.users['id'] === null ? null : toUser(row.users) } : null;
}

const momentOf = (stored: unknown): number | null => (stored === null ? null : toSafeInteger(stored));

const toKey = (row: Record<string, unknown>): ApiKey => ({
  id: toSafeInteger(row['id']),
  prefix: String(row['prefix']),
  userId: toSafeInteger(row['user_id']),
  description: String(row['description']),
  scopes: String(row['scopes']).split(',') as ApiKey['scopes'],
  createdBy: toSafeInteger(row['created_by']),
  createdAt: toSafeInteger(row['created_at']),
  lastUsedAt: momentOf(row['last_used_at']),
  expiresDay: row['expires_day'] as string | null,
  revokedAt: momentOf(row['revoked_at']),
});

// As `statusOf` in domain/keys/key.ts says it, for the database.
const conditionOf: Record<KeyStatus, string> = {
  revoked: 'key.revokedAt is not null',
  expired: 'key.revokedAt is null and key.expiresDay < :today',
  active: 'key.revokedAt is null and (key.expiresDay is null or key.expiresDay >= :today)',
};

async function pageOf(manager: EntityManager, filter: KeyFilter, page: Page): Promise<Paged<ApiKey>> {
  const { userId } = filter;
  if (userId !== undefined && !isId(userId)) return { items: [], total: 0 };
  const matching = matchingKeys(manager, filter);
  const total = await matching.getCount();
  if (isPastTheEnd(page, total)) return { items: [], total };
  const newestFirst = matching.orderBy({ 'key.createdAt': 'DESC', 'key.id': 'DESC' });
  return { items: await newestFirst.offset(offsetOf(page)).limit(page.perPage).getMany(), total };
}

function matchingKeys(manager: EntityManager, { userId, status, today }: KeyFilter): SelectQueryBuilder<EntityRow<typeof apiKeys>> {
  const query = manager.createQueryBuilder(apiKeys, 'key');
  if (userId !== undefined) query.andWhere('key.userId = :userId', { userId });
  if (status !== undefined) query.andWhere(conditionOf[status], { today });
  return query;
}

async function insert(manager: EntityManager, key: NewApiKey): Promise<ApiKey> {
  const { hash, ...visible } = key;
  const { identifiers } = await manager.insert(apiKeys, { ...visible, hash });
  return { ...visible, id: toSafeInteger(identifiers[0]?.id), lastUsedAt: null, revokedAt: null };
}

async function revoke(manager: EntityManager, id: number, at: number): Promise<boolean> {
  if (!isId(id)) return false;
  const { affected } = await manager.update(apiKeys, { id, revokedAt: IsNull() }, { revokedAt: at });
  return affected === 1;
}

const touched = (manager: EntityManager): string => `
  update api_keys set last_used_at = $2
  where id in ${jsonList(manager, 'bigint')} and (last_used_at is null or last_used_at <= $3)`;

async function touch(manager: EntityManager, ids: readonly number[], at: number, unlessSince: number): Promise<void> {
  await manager.query(touched(manager), [JSON.stringify(ids.filter(isId)), at, unlessSince]);
}
