import type { EntityManager } from 'typeorm';
import type { Affiliate, AffiliateOrder, AffiliateRepository } from '../../domain/affiliates/affiliate.ts';
import type { Page, Paged } from '../../domain/page.ts';
import { type Caller, callerIsAdmin, type User } from '../../domain/users/user.ts';
import { isId } from '../entities/columns.ts';
import { users } from '../entities/users.ts';
import { containing, isStorable } from '../sql/conditions.ts';
import { findPage, projectionOf } from '../sql/projection.ts';

export const affiliateRepository = (manager: EntityManager): AffiliateRepository => ({
  page: (search, order, page) => pageOfAffiliates(manager, search, order, page),
  visibleTo: (caller, id) => visibleTo(manager, caller, id),
});

const orderBy: Record<AffiliateOrder['by'], string> = {
  id: 'affiliate.id',
  display_name: 'affiliate.displayNameFolded',
  unpaid_commission: '(select sum(unpaid_minor) from coupons where user_id = affiliate.id)',
  date_registered: 'affiliate.registeredAt',
};

// Not `exists`: SQLite 3.52 turns that into a join, and its OFFSET then counts a user once for each of their coupons.
const hasPublishedCoupon = "affiliate.id in (select user_id from coupons where status = 'publish')";

const listed = ['id', 'login', 'email', 'displayName', 'role', 'parentId', 'registeredAt'].map((name) => `affiliate.${name}`);

async function pageOfAffiliates(
  manager: EntityManager,
  search: string | undefined,
  { by, direction }: AffiliateOrder,
  page: Page,
): Promise<Paged<User>> {
  // Without the custom fields, which may be long.
  const query = manager.createQueryBuilder(users, 'affiliate').select(listed).where(hasPublishedCoupon);
  if (search !== undefined) {
    if (!isStorable(search)) return { items: [], total: 0 };
    const columns = ['loginFolded', 'emailFolded', 'displayNameFolded'].map((name) => `affiliate.${name} like :pattern escape '!'`);
    query.andWhere(`(${columns.join(' or ')})`, { pattern: containing(search) });
  }
  const sort = direction === 'asc' ? 'ASC' : 'DESC';
  return findPage(query.orderBy(orderBy[by], sort).addOrderBy('affiliate.id', sort), page);
}

const affiliateProjection = projectionOf(users, [
  'id',
  'login',
  'email',
  'displayName',
  'role',
  'parentId',
  'registeredAt',
  'profile',
  'groups',
  'customFields',
]);

const hasCoupon = 'exists (select 1 from coupons where user_id = users.id)';

// By hand: one affiliate, which every request about one looks up first.
const oneAffiliate = `
  select ${affiliateProjection.list()} from users where id = $1 and (role = 'affiliate' or had_coupon = 1 or ${hasCoupon})`;

async function visibleTo(manager: EntityManager, caller: Caller, id: number): Promise<Affiliate | null> {
  if (!isId(id)) return null;
  const [row] = callerIsAdmin(caller)
    ? await manager.query(oneAffiliate, [id])
    : await manager.query(`${oneAffiliate} and id = $2`, [id, caller.user.id]);
  if (!row) return null;
  const affiliate = affiliateProjection.toObject(row);
  const { phone = '', website = '', promote = '', referrer = '' } = affiliate.profile;
  return { ...affiliate, profile: { phone, website, promote, referrer } };
}
