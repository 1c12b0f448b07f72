import { type EntityManager, IsNull } from 'typeorm';
import type { ApiKey, KeyStatus, NewApiKey } from '../../domain/keys/key.ts';
import type { Page, Paged } from '../../domain/page.ts';
import type { KeyFilter, KeyStore } from '../../domain/ports.ts';
import type { User } from '../../domain/users/user.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { apiKeys } from '../entities/users.ts';
import { selectJoined } from '../sql/json-select.ts';
import { projectionOf } from '../sql/projection.ts';
import { findPage } from '../sql/query.ts';
import { touchLastUsed, userProjection } from './users.ts';

export const keyStore = (manager: EntityManager): KeyStore => ({
  byHash: async (hash) => (await withUserByHash(manager, hash))?.key ?? null,
  withUserByHash: (hash) => withUserByHash(manager, hash),
  byId: async (id) => (isId(id) ? manager.findOneBy(apiKeys, { id }) : null),
  page: (filter, page) => pageOfKeys(manager, filter, page),
  insert: (key) => insert(manager, key),
  revoke: (id, at) => revoke(manager, id, at),
  touch: (ids, at, unlessSince) => touchLastUsed(manager, 'api_keys', ids, at, unlessSince),
});

const keyProjection = projectionOf(apiKeys, [
  'id',
  'prefix',
  'userId',
  'description',
  'scopes',
  'createdBy',
  'createdAt',
  'lastUsedAt',
  'expiresDay',
  'revokedAt',
]);

// By hand: every request whose key is not cached reads the key with its user (benchmark row `coupon-unseen`).
async function withUserByHash(manager: EntityManager, hash: string): Promise<{ key: ApiKey; user: User | null } | null> {
  const from = 'from api_keys left join users on users.id = api_keys.user_id and users.disabled_at is null where api_keys.hash = $1';
  const [row] = await selectJoined(manager, { tables: { api_keys: keyProjection, users: userProjection }, from }, [hash]);
  return row?.api_keys ? { key: row.api_keys, user: row.users } : null;
}

// As `statusOf` in domain/keys/key.ts computes it.
const conditionOf: Record<KeyStatus, string> = {
  revoked: 'key.revokedAt is not null',
  expired: 'key.revokedAt is null and key.expiresDay < :today',
  active: 'key.revokedAt is null and (key.expiresDay is null or key.expiresDay >= :today)',
};

async function pageOfKeys(manager: EntityManager, { userId, status, today }: KeyFilter, page: Page): Promise<Paged<ApiKey>> {
  if (userId !== undefined && !isId(userId)) return { items: [], total: 0 };
  const query = manager.createQueryBuilder(apiKeys, 'key');
  if (userId !== undefined) query.andWhere('key.userId = :userId', { userId });
  if (status !== undefined) query.andWhere(conditionOf[status], { today });
  return findPage(query.orderBy({ 'key.createdAt': 'DESC', 'key.id': 'DESC' }), page);
}

async function insert(manager: EntityManager, key: NewApiKey): Promise<ApiKey> {
  const { hash, ...visible } = key;
  const { identifiers } = await manager.insert(apiKeys, { ...visible, hash });
  return { ...visible, id: toSafeInteger(identifiers[0]?.['id']), lastUsedAt: null, revokedAt: null };
}

async function revoke(manager: EntityManager, id: number, at: number): Promise<boolean> {
  if (!isId(id)) return false;
  const { affected } = await manager.update(apiKeys, { id, revokedAt: IsNull() }, { revokedAt: at });
  return affected === 1;
}
