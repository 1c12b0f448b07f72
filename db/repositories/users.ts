import { type EntityManager, In, IsNull, LessThanOrEqual, MoreThan, Not } from 'typeorm';
import type { ApiKey, KeyStatus, NewApiKey } from '../../domain/keys/key.ts';
import type { KeyFilter, KeyRepository } from '../../domain/keys/repository.ts';
import type { Page, Paged } from '../../domain/page.ts';
import type { OneTimeTokenRepository } from '../../domain/users/one-time-token.ts';
import type {
  Ancestor,
  AppPasswordRepository,
  ProgramUserRepository,
  UserCredentials,
  UserRecord,
  UserRecordRepository,
  UserRepository,
} from '../../domain/users/repository.ts';
import type { SessionRepository } from '../../domain/users/session.ts';
import type { NewUser, User } from '../../domain/users/user.ts';
import { bigint, isId, toSafeInteger } from '../entities/columns.ts';
import { registrations } from '../entities/registrations.ts';
import { apiKeys, appPasswords, oneTimeTokens, sessions, users } from '../entities/users.ts';
import { foldCase, isStorable } from '../sql/conditions.ts';
import { insertIfAbsent, insertWithId, isAmong } from '../sql/insert.ts';
import { compileJoin, findPage, projectionOf, resultColumns, selectRows } from '../sql/projection.ts';

// By hand: `byIds`, the identity of every request that is not cached (benchmark rows `coupon-unseen` and `me`), and `above`, a recursive query
// of the order ingest (`ingest`); the last use of any number of keys is one statement.

export const userRepository = (manager: EntityManager): UserRepository => ({
  byId: async (id) => (await byIds(manager, [id]))[0] ?? null,
  byIds: (ids) => byIds(manager, ids),
  byLoginOrEmail: async (name) => (await named(manager, [name]))[0] ?? null,
  named: (names) => named(manager, names),
  withCredentials: (name) => withCredentials(manager, foldCase(name)),
  passwordHashOf: async (id) => {
    const where = { id, disabledAt: IsNull() };
    const user = isId(id) ? await manager.findOne(users, { select: { passwordHash: true }, where }) : null;
    return user?.passwordHash ?? null;
  },
  hasPassword: (id) => manager.exists(users, { where: { id, passwordHash: Not(IsNull()) } }),
  joinedOnline: (userId) => manager.existsBy(registrations, { userId, isOnline: true, status: 'accepted' }),
  insert: (user) => insertIfAbsent(manager, users, withFolded(user)),
  emailChangedAt: async (id) => {
    const user = await manager
      .createQueryBuilder(users, 'user')
      .select(['user.id', 'user.emailChangedAt'])
      .where('user.id = :id', { id })
      .getOne();
    return user?.emailChangedAt ?? null;
  },
  setPasswordHash: async (id, passwordHash) => void (await manager.update(users, { id }, { passwordHash })),
  hasAdministrator: () => manager.existsBy(users, { role: 'administrator' }),
  countByRole: (role) => manager.countBy(users, { role, disabledAt: IsNull() }),
  admins: () => manager.find(users, { where: { role: In(['administrator', 'manager']), disabledAt: IsNull() }, order: { id: 'ASC' } }),
  accounts: () => manager.find(users, { select: account, order: { id: 'ASC' } }),
  isDisabled: (id) => manager.existsBy(users, { id, disabledAt: Not(IsNull()) }),
  setDisabledAt: async (id, disabledAt) => {
    const { affected } = await manager.update(users, { id, disabledAt: disabledAt === null ? Not(IsNull()) : IsNull() }, { disabledAt });
    return affected === 1;
  },
});

function named(manager: EntityManager, names: readonly string[]): Promise<User[]> {
  const folded = In(names.filter(isStorable).map(foldCase));
  return manager.findBy(users, [{ loginFolded: folded }, { emailFolded: folded }]);
}

/** What every look-up of a user returns. */
export const userProjection = projectionOf(users, ['id', 'login', 'email', 'displayName', 'role', 'parentId', 'registeredAt']);

const account = { id: true, login: true, email: true, displayName: true, role: true, registeredAt: true, disabledAt: true } as const;
const appPasswordProjection = projectionOf(appPasswords);

const idByName = (column: string): string => `(select id from users as named where named.${column} = sent.name)`;

/**
 * By hand: one statement, whether or not there is such a user, and a row in any case, so that the response time does not reveal which names
 * exist. Looks up emails before logins, as `byLoginOrEmail` does.
 */
const selectCredentials = compileJoin({
  tables: { users: userProjection, app_passwords: appPasswordProjection },
  computed: { passwordHash: 'users.password_hash' },
  from: `from (select cast($1 as text) as name) as sent
    left join users on users.id = coalesce(${idByName('email_folded')}, ${idByName('login_folded')}) and users.disabled_at is null
    left join app_passwords on app_passwords.user_id = users.id
    order by app_passwords.id`,
});

async function withCredentials(manager: EntityManager, folded: string): Promise<UserCredentials | null> {
  const rows = await selectCredentials(manager, [isStorable(folded) ? folded : '']);
  const [first] = rows;
  if (!first?.users) return null;
  const passwordHash = first.computed['passwordHash'] as string | null;
  return { user: first.users, passwordHash, appPasswords: rows.flatMap((row) => row.app_passwords ?? []) };
}

async function byIds(manager: EntityManager, ids: readonly number[]): Promise<User[]> {
  const valid = ids.filter(isId);
  if (valid.length === 0) return [];
  const sql = `select ${userProjection.list()} from users where id ${isAmong(manager, 'bigint')} order by id`;
  return selectRows(manager, userProjection, sql, [JSON.stringify(valid)]);
}

const withFolded = <Named extends Pick<NewUser, 'login' | 'email' | 'displayName'>>(user: Named) => ({
  ...user,
  loginFolded: foldCase(user.login),
  emailFolded: foldCase(user.email),
  displayNameFolded: foldCase(user.displayName),
});

/** All of a user but secrets and the place in the tree. */
export const userRecord = ['id', 'login', 'email', 'displayName', 'role', 'registeredAt', 'profile', 'groups', 'customFields'] as const;

export const userRecordRepository = (manager: EntityManager): UserRecordRepository => ({
  byLogin: (login) => findRecord(manager, login),
  insert: (user, id, disabledAt) => insertWithId(manager, users, { ...withFolded(user), disabledAt }, id),
  change: async (id, user, change) => void (await manager.update(users, { id }, { ...withFolded(user), ...change } as object)),
});

async function findRecord(manager: EntityManager, login: string): Promise<(UserRecord & { id: number }) | null> {
  if (!isStorable(login)) return null;
  return manager
    .createQueryBuilder(users, 'user')
    .select(userRecord.map((name) => `user.${name}`))
    .where('user.loginFolded = :folded', { folded: foldCase(login) })
    .getOne();
}

export const programUserRepository = (manager: EntityManager): ProgramUserRepository => ({
  above: (userIds, tiers) => above(manager, userIds.filter(isId), tiers),
  setParent: async (userId, parentId) => void (await manager.update(users, { id: userId }, { parentId })),
  hadCoupon: async (userId) => isId(userId) && (await manager.countBy(users, { id: userId, hadCoupon: true })) > 0,
  makeAffiliate: async (userId) => void (await manager.update(users, { id: userId, role: 'customer' }, { role: 'affiliate' })),
});

// `path` holds the ids on the way up, so that a cycle of parents ends where it closes.
const climb = (manager: EntityManager, tiers: number): string => `
  with recursive above (user_id, tier, ancestor_id, path) as (
    select id, 1, parent_id, ',' || id || ',' || parent_id || ',' from users
    where id ${isAmong(manager, 'bigint')} and parent_id is not null and parent_id <> id
    union all
    select above.user_id, above.tier + 1, users.parent_id, above.path || users.parent_id || ','
    from above join users on users.id = above.ancestor_id
    where above.tier < ${tiers} and users.parent_id is not null and above.path not like '%,' || users.parent_id || ',%'
  )
  select user_id, tier, ancestor_id from above order by user_id, tier`;

const ancestorColumns = resultColumns({ userId: bigint('user_id'), tier: bigint('tier'), ancestorId: bigint('ancestor_id') });

const above = async (manager: EntityManager, userIds: readonly number[], tiers: number): Promise<Ancestor[]> =>
  userIds.length === 0 || tiers === 0 ? [] : selectRows(manager, ancestorColumns, climb(manager, tiers), [JSON.stringify(userIds)]);

export const appPasswordRepository = (manager: EntityManager): AppPasswordRepository => ({
  ofUser: async (userId) => (isId(userId) ? manager.find(appPasswords, { where: { userId }, order: { id: 'ASC' } }) : []),
  insert: async (password) => {
    const { identifiers } = await manager.insert(appPasswords, password);
    return toSafeInteger(identifiers[0]?.id);
  },
  remove: async (id) => void (await manager.delete(appPasswords, { id })),
  touch: (ids, at, unlessSince) => touchLastUsed(manager, 'app_passwords', ids, at, unlessSince),
});

/** Of all keys or application passwords that were used since the last flush. */
export async function touchLastUsed(
  manager: EntityManager,
  table: 'api_keys' | 'app_passwords',
  ids: readonly number[],
  at: number,
  unlessSince: number,
): Promise<void> {
  await manager.query(
    `update ${table} set last_used_at = $2 where id ${isAmong(manager, 'bigint')} and (last_used_at is null or last_used_at <= $3)`,
    [JSON.stringify(ids.filter(isId)), at, unlessSince],
  );
}

// By hand: every request of a signed-in browser reads its session with its user.
const selectSession = compileJoin({
  tables: { sessions: projectionOf(sessions), users: userProjection },
  from: 'from sessions left join users on users.id = sessions.user_id and users.disabled_at is null where sessions.hash = $1',
});

export const sessionRepository = (manager: EntityManager): SessionRepository => ({
  byHash: (hash) => manager.findOneBy(sessions, { hash }),
  withUserByHash: async (hash) => {
    const [row] = await selectSession(manager, [hash]);
    return row?.sessions ? { session: row.sessions, user: row.users } : null;
  },
  insert: async (session) => void (await manager.insert(sessions, { ...session })),
  confirm: async (hash, confirmed) => (await manager.update(sessions, { hash }, confirmed)).affected === 1,
  remove: async (hash) => void (await manager.delete(sessions, { hash })),
  ofUser: (userId, now) =>
    manager.find(sessions, { where: { userId, expiresAt: MoreThan(now) }, order: { lastUsedAt: 'DESC', hash: 'ASC' } }),
  removeOf: async (userId, exceptHash) =>
    void (await manager.delete(sessions, { userId, ...(exceptHash !== undefined && { hash: Not(exceptHash) }) })),
  touch: async (hashes, at, unlessSince) => {
    const stale = { hash: In([...hashes]), lastUsedAt: LessThanOrEqual(unlessSince) };
    await manager.update(sessions, stale, { lastUsedAt: at });
  },
  removeExpired: async (now) => void (await manager.delete(sessions, { expiresAt: LessThanOrEqual(now) })),
});

export const oneTimeTokenRepository = (manager: EntityManager): OneTimeTokenRepository => ({
  byHash: (hash) => manager.findOneBy(oneTimeTokens, { hash }),
  insert: async (token) => void (await manager.insert(oneTimeTokens, token as object)),
  remove: async (hash) => (await manager.delete(oneTimeTokens, { hash })).affected === 1,
  removeBy: async (filter) => void (await manager.delete(oneTimeTokens, filter)),
  removeExpired: async (now) => void (await manager.delete(oneTimeTokens, { expiresAt: LessThanOrEqual(now) })),
});

export const keyRepository = (manager: EntityManager): KeyRepository => ({
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
const selectKey = compileJoin({
  tables: { api_keys: keyProjection, users: userProjection },
  from: 'from api_keys left join users on users.id = api_keys.user_id and users.disabled_at is null where api_keys.hash = $1',
});

async function withUserByHash(manager: EntityManager, hash: string): Promise<{ key: ApiKey; user: User | null } | null> {
  const [row] = await selectKey(manager, [hash]);
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
