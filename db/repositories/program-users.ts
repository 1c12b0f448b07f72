import type { EntityManager } from 'typeorm';
import type { Ancestor, ProgramUserStore } from '../../domain/users/program-store.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { jsonList } from '../sql/json-parameters.ts';

export const programUserStore = (manager: EntityManager): ProgramUserStore => ({
  above: (userIds, tiers) => above(manager, userIds.filter(isId), tiers),
  setParent: async (userId, parentId) => void (await manager.query('update users set parent_id = $1 where id = $2', [parentId, userId])),
  makeAffiliate: async (userId) =>
    void (await manager.query(`update users set role = 'affiliate' where id = $1 and role = 'customer'`, [userId])),
});

// The path holds everybody met so far: who is on it already closes a circle.
const climb = (manager: EntityManager, tiers: number): string => `
  with recursive above (user_id, tier, ancestor_id, path) as (
    select id, 1, parent_id, ',' || id || ',' || parent_id || ',' from users
    where id in ${jsonList(manager, 'bigint')} and parent_id is not null and parent_id <> id
    union all
    select above.user_id, above.tier + 1, users.parent_id, above.path || users.parent_id || ','
    from above join users on users.id = above.ancestor_id
    where users.parent_id is not null and above.tier < ${tiers} and above.path not like '%,' || users.parent_id || ',%'
  )
  select user_id, tier, ancestor_id from above order by user_id, tier`;

async function above(manager: EntityManager, userIds: readonly number[], tiers: number): Promise<Ancestor[]> {
  if (userIds.length === 0 || tiers === 0) return [];
  const rows: { user_id: unknown; tier: unknown; ancestor_id: unknown }[] = await manager.query(climb(manager, tiers), [
    JSON.stringify(userIds),
  ]);
  return rows.map(({ user_id, tier, ancestor_id }) => ({
    userId: toSafeInteger(user_id),
    tier: toSafeInteger(tier),
    ancestorId: toSafeInteger(ancestor_id),
  }));
}
