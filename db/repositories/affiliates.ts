import type { EntityManager } from 'typeorm';
import type { Affiliate, AffiliateFilter, AffiliateOrder, AffiliateRepository, AffiliateUser } from '../../domain/affiliates/affiliate.ts';
import type { Page, Paged } from '../../domain/page.ts';
import { type Caller, callerIsAdmin } from '../../domain/users/user.ts';
import { isId } from '../entities/columns.ts';
import { users } from '../entities/users.ts';
import { Conditions, containing, isStorable } from '../sql/conditions.ts';
import { findPage, projectionOf, selectRows } from '../sql/projection.ts';

export const affiliateRepository = (manager: EntityManager): AffiliateRepository => ({
  page: (filter, order, page) => pageOfAffiliates(manager, filter, order, page),
  visibleTo: (caller, id) => visibleTo(manager, caller, id),
});

const orderBy: Record<AffiliateOrder['by'], string> = {
  id: 'affiliate.id',
  display_name: 'affiliate.displayNameFolded',
  unpaid_commission: '(select coalesce(sum(unpaid_minor), 0) from coupons where user_id = affiliate.id)',
  date_registered: 'affiliate.registeredAt',
};

// Not `exists`: SQLite 3.52 turns that into a join, and its OFFSET then counts a user once for each of their coupons.
const conditionOf: Record<AffiliateFilter['coupons'], string> = {
  published: "affiliate.id in (select user_id from coupons where status = 'publish')",
  any: "(affiliate.role = 'affiliate' or affiliate.hadCoupon = 1 or affiliate.id in (select user_id from coupons))",
};
const hasCode = "affiliate.id in (select user_id from coupons where code_folded like :pattern escape '!')";

const listed = ['id', 'login', 'email', 'displayName', 'role', 'parentId', 'registeredAt', 'disabledAt'].map((name) => `affiliate.${name}`);

async function pageOfAffiliates(
  manager: EntityManager,
  { search, searchesCodes, coupons, status }: AffiliateFilter,
  { by, direction }: AffiliateOrder,
  page: Page,
): Promise<Paged<AffiliateUser>> {
  // Without the custom fields, which may be long.
  const query = manager.createQueryBuilder(users, 'affiliate').select(listed).where(conditionOf[coupons]);
  if (status !== undefined) query.andWhere(`affiliate.disabledAt is ${status === 'disabled' ? 'not null' : 'null'}`);
  if (search !== undefined) {
    if (!isStorable(search)) return { items: [], total: 0 };
    const columns = ['loginFolded', 'emailFolded', 'displayNameFolded'].map((name) => `affiliate.${name} like :pattern escape '!'`);
    query.andWhere(`(${[...columns, ...(searchesCodes ? [hasCode] : [])].join(' or ')})`, { pattern: containing(search) });
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
  'disabledAt',
  'profile',
  'groups',
  'customFields',
]);

const isAffiliate = "(role = 'affiliate' or had_coupon = 1 or exists (select 1 from coupons where user_id = users.id))";

// By hand: every request about one affiliate reads it first, by the same statement for a foreign and a missing one. TypeORM writes ids into the
// text of statements for SQLite.
async function visibleTo(manager: EntityManager, caller: Caller, id: number): Promise<Affiliate | null> {
  if (!isId(id)) return null;
  const conditions = new Conditions().and('id = ?', id).and(isAffiliate);
  if (!callerIsAdmin(caller)) conditions.and('id = ?', caller.user.id);
  const sql = `select ${affiliateProjection.list()} from users ${conditions.where}`;
  const [affiliate] = await selectRows(manager, affiliateProjection, sql, conditions.values);
  if (!affiliate) return null;
  const { phone = '', website = '', promote = '', referrer = '' } = affiliate.profile;
  return { ...affiliate, profile: { phone, website, promote, referrer } };
}
