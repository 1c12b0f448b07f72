import type { EntityManager } from 'typeorm';
import type { Affiliate } from '../../domain/affiliates/affiliate.ts';
import type { AffiliateOrder, AffiliateStore } from '../../domain/affiliates/store.ts';
import { type Caller, callerIsAdmin } from '../../domain/caller.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import type { User } from '../../domain/users/user.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { toUser, userColumns } from '../entities/user-columns.ts';
import { Conditions } from '../sql/conditions.ts';

type Row = Record<string, unknown>;

export const affiliateStore = (manager: EntityManager): AffiliateStore => ({
  page: (search, order, page) => pageOf(manager, search, order, page),
  visibleTo: (caller, id) => visibleTo(manager, caller, id),
});

const orderColumn: Record<AffiliateOrder['by'], string> = {
  id: 'id',
  display_name: 'display_name_folded',
  unpaid_commission: '(select sum(unpaid_minor) from coupons where user_id = users.id)',
  date_registered: 'registered_at',
};

// Not `exists`: SQLite 3.52 turns that into a join, and its OFFSET then counts a user once for each of their coupons.
const hasPublishedCoupon = "id in (select user_id from coupons where status = 'publish')";

async function pageOf(
  manager: EntityManager,
  search: string | undefined,
  { by, direction }: AffiliateOrder,
  page: Page,
): Promise<Paged<User>> {
  const matching = new Conditions().and(hasPublishedCoupon);
  if (search !== undefined) matching.hold(['login_folded', 'email_folded', 'display_name_folded'], search);
  const { where, values } = matching;
  const [counted]: Row[] = await manager.query(`select count(*) as total from users ${where}`, values);
  const total = toSafeInteger(counted?.['total']);
  if (isPastTheEnd(page, total)) return { items: [], total };
  const rows: Row[] = await manager.query(
    `select ${userColumns} from users ${where} order by ${orderColumn[by]} ${direction}, id ${direction}
     limit ${page.perPage} offset ${offsetOf(page)}`,
    values,
  );
  return { items: rows.map(toUser), total };
}

const oneAffiliate = `
  select ${userColumns}, profile, "groups", custom_fields from users
  where id = $1 and exists (select 1 from coupons where user_id = users.id)`;

async function visibleTo(manager: EntityManager, caller: Caller, id: number): Promise<Affiliate | null> {
  if (!isId(id)) return null;
  const [row]: Row[] = callerIsAdmin(caller)
    ? await manager.query(oneAffiliate, [id])
    : await manager.query(`${oneAffiliate} and id = $2`, [id, caller.user.id]);
  return row ? toAffiliate(row) : null;
}

function toAffiliate(row: Row): Affiliate {
  const { phone = '', website = '', promote = '', referrer = '' } = JSON.parse(String(row['profile'])) as Partial<Affiliate['profile']>;
  return {
    ...toUser(row),
    profile: { phone, website, promote, referrer },
    groups: JSON.parse(String(row['groups'])) as string[],
    customFields: JSON.parse(String(row['custom_fields'])) as Record<string, unknown>,
  };
}
