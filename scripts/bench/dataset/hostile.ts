import { createSecrets } from '../../../domain/master-key/secrets.ts';
import { systemRandom } from '../../../domain/random.ts';
import { type SqlDialect, valueLists } from './dialect.ts';
import { figureColumns, figureSums } from './orders.ts';
import { adminId, firstMoment, lastMoment, ownerOf, whale } from './sizes.ts';

/** How much one record holds where that is unusual. */
export interface HostileShape {
  /** Coupons of the whale's owner, all with an order on one day. */
  coupons: number;
  /** Coupons of each of the hundred affiliates after that owner. */
  couponsOfEach: number;
  /** Days on which the whale has orders of each status. */
  days: number;
  keys: number;
  webhooks: number;
  /** Also how many clicks and movements one order has. */
  deliveries: number;
  registrations: number;
}

export const largestShape: HostileShape = {
  coupons: 20_000,
  couponsOfEach: 150,
  days: 3660,
  keys: 100_000,
  webhooks: 10_000,
  deliveries: 100_000,
  registrations: 300,
};

/** Ids of hostile rows begin here, above those of any size. */
export const firstHostileId = 10_000_000;
const ordersOfDays = 500_000_000;

/** An order of the whale with clicks, shares and movements. */
export const explainedOrder = ordersOfDays + 1;

/** The day on which all hostile coupons have an order. */
export const busyDay = '2025-06-01';

const long = (length: number): string => 'x'.repeat(length);
const dayMilliseconds = 86_400_000;
const events = ['referral.created', 'commission.added', 'payout.requested', 'payout.paid', 'payout.cancelled', 'registration.accepted'];

/** The longest custom fields of an application, in characters and values, and of a user. */
const ofApplication = JSON.stringify(Object.fromEntries(Array.from({ length: 490 }, (_, at) => [`k${at}`, long(88)])));
const ofUser = JSON.stringify({ lists: Array.from({ length: 16_000 }, () => []) });

/** Adds to a data set what makes single records large: each request is then as slow as a legal one can be. */
export function hostileStatements(shape: HostileShape, dialect: SqlDialect, masterKey: string): string[] {
  return [...people(shape, dialect), ...orders(shape, dialect), ...explained(shape, dialect), ...others(shape, dialect, masterKey)];
}

function people({ coupons, couponsOfEach }: HostileShape, { upTo, ownIds }: SqlDialect): string[] {
  const owner = ownerOf(whale);
  const insertCoupons = (first: number, count: number, userId: string): string => `
    insert into coupons (id, code, code_folded, user_id, status, created_at, discount_amount) ${ownIds}
    select ${first} + i, 'W' || (${first} + i) || '${long(80)}', 'w' || (${first} + i) || '${long(80)}', ${userId}, 'publish',
      ${firstMoment} + i, 10000 from ${upTo(count)}`;
  const profile = JSON.stringify({ phone: long(5000), website: long(5000), promote: long(5000), referrer: long(5000) });
  const groups = JSON.stringify(Array.from({ length: 1000 }, () => 'group'));
  return [
    insertCoupons(firstHostileId, coupons, String(owner)),
    insertCoupons(firstHostileId + coupons, couponsOfEach * 100, `${owner + 1} + i % 100`),
    // An upline of a hundred tiers.
    `update users set parent_id = id + 1 where id between ${owner} and ${owner + 99}`,
    `update users set profile = '${profile}', "groups" = '${groups}', custom_fields = '${ofUser}'
     where id between ${owner} and ${owner + 100}`,
  ];
}

/** Without commission, so that no ledger movement belongs to them. */
const insertOrders = (id: string, coupon: string, moment: string, status: string, from: string, { day }: SqlDialect): string => `
  insert into orders (order_id, coupon_id, used_coupon_id, day, placed_at, status, total_minor, discount_minor, shipping_minor, tax_minor,
    quantity, refunded_minor, percent_thousandths, fixed_per_order_minor, fixed_per_product_minor, commission_minor, commission_status,
    due_at, credited_via)
  select ${id}, ${coupon}, ${coupon}, ${day(moment)}, ${moment}, ${status}, 1000, 100, 0, 0, 1, 0, 0, 0, 0, 0,
    case ${status} when 'processing' then 'pending' else 'reversed' end, ${moment}, 'coupon'
  from ${from}`;

const statuses = ['processing', 'failed', 'cancelled'];

function orders({ days }: HostileShape, dialect: SqlDialect): string[] {
  const add = (table: string): string => figureColumns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');
  const list = figureColumns.join(', ');
  return [
    insertOrders('id', 'id', String(Date.parse(busyDay)), `'processing'`, `coupons where id > ${firstHostileId}`, dialect),
    ...statuses.map((status, at) =>
      insertOrders(
        `${ordersOfDays + at * days} + i`,
        String(whale),
        `${lastMoment} - i * ${dayMilliseconds}`,
        `'${status}'`,
        dialect.upTo(days),
        dialect,
      ),
    ),
    `insert into coupon_days (coupon_id, day, ${list}) select coupon_id, day, ${figureSums} from orders where order_id > ${firstHostileId}
     group by coupon_id, day on conflict (coupon_id, day) do update set ${add('coupon_days')}`,
    `insert into coupon_totals (coupon_id, version, ${list}) select coupon_id, 1, ${figureSums} from orders
     where order_id > ${firstHostileId} group by coupon_id
     on conflict (coupon_id) do update set version = coupon_totals.version + 1, ${add('coupon_totals')}`,
  ];
}

/** The movements of the order sum to zero, which is its commission. */
function explained({ coupons, deliveries }: HostileShape, { upTo, day }: SqlDialect): string[] {
  const visitor = 'hostile-visitor';
  const clickedAt = `${lastMoment - 2 * dayMilliseconds} - i`;
  return [
    `update orders set visitor_hash = '${visitor}' where order_id = ${explainedOrder}`,
    `insert into clicks (coupon_id, day, clicked_at, visitor_hash) select ${firstHostileId} + 1 + i % 100, ${day(clickedAt)}, ${clickedAt},
       '${visitor}' from ${upTo(deliveries)}`,
    `insert into order_shares (order_id, tier, coupon_id, user_id, rate_thousandths, amount_minor)
     select ${explainedOrder}, i, ${firstHostileId + coupons} + i, ${ownerOf(whale) + 1} + i % 100, 1000, 0 from ${upTo(10)}`,
    `insert into ledger (movement, coupon_id, pool, amount_minor, reason, order_id, user_id, note, created_at)
     select 'h.' || i, ${whale}, case when side = 1 then 'pending_order' else 'store' end, case when i % 2 = 0 then side else -side end,
       'order_changed', ${explainedOrder}, 0, 'Order ${explainedOrder} was changed.', ${lastMoment} + i
     from ${upTo(2 * deliveries)} cross join (select -1 as side union all select 1) as sides order by i`,
  ];
}

function others({ keys, webhooks, deliveries, registrations }: HostileShape, { upTo }: SqlDialect, masterKey: string): string[] {
  const { encrypt } = createSecrets('webhook_secret', masterKey, systemRandom);
  const secrets = valueLists(webhooks, (i) => `${i}, '${encrypt(`whsec_${Buffer.alloc(32).toString('base64')}`, i)}'`);
  return [
    `insert into settings (path, value) values ('addons.store', 'true'), ('addons.insights', 'true')`,
    `insert into api_keys (hash, prefix, user_id, description, scopes, created_by, created_at)
     select 'hostile' || i, 'svc_01234567', ${adminId}, '${long(200)}', 'read', ${adminId}, ${firstMoment} + i from ${upTo(keys)}`,
    // At most a hundred are active: each event has a delivery to every one of them, so that thousands would measure nothing else.
    ...secrets.map(
      (values) => `insert into webhooks (name, url, events, status, encrypted_secret, created_by, created_at)
       select '${long(100)}', 'https://receiver.invalid/${long(1900)}', '${JSON.stringify(events)}',
         case when column1 % 2 = 0 and column1 <= 200 then 'active' else 'disabled' end, column2, ${adminId}, ${firstMoment} + column1
       from (values ${values}) as given order by column1`,
    ),
    `insert into webhook_health (webhook_id, failures, last_error) select id, 0, '' from webhooks`,
    `insert into webhook_deliveries (webhook_id, event, created_at, status, attempts, finished_at)
     select 1, 'payout.paid', ${lastMoment}, 'failed', 1, ${lastMoment} from ${upTo(deliveries)}`,
    `insert into registrations (login, email, email_folded, display_name, search_folded, coupon_code, status, type, promote, referrer, website,
       custom_fields, message, created_at)
     select 'a' || i, 'a' || i || '@shop.example', 'a' || i || '@shop.example', '${long(200)}', 'a' || i, 'HOSTILE' || i, 'pending',
       '${long(100)}', '${long(5000)}', '${long(5000)}', 'https://shop.example/${long(1900)}', '${ofApplication}', '', ${lastMoment} + i
     from ${upTo(registrations)}`,
  ];
}
