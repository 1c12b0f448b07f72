import { couponDays } from '../../../db/entities/figures.ts';
import { projectionOf } from '../../../db/sql/projection.ts';
import { type SqlDialect, valueLists } from './dialect.ts';
import { firstMoment, lastMoment, type Size } from './sizes.ts';

// SQL that both engines understand, because a row that the database generates itself costs a microsecond. Nothing is random: `h` scatters.

const scatter = '(i * 2654435761) % 4294967296';

/** Half of all to the first coupon, a twentieth to the second. */
const couponOf = (coupons: number, scattered: string): string =>
  `case when i % 2 = 0 then 1 when i % 20 = 1 then 2 else 3 + ${scattered} % ${coupons - 2} end`;

export function peopleStatements({ coupons }: Size, { upTo, ownIds }: SqlDialect, detailsOf: (userId: number) => string): string[] {
  const details = valueLists(coupons, (i) => `${i + 1}, 'PayPal', 'paypal', '${detailsOf(i + 1)}', ${firstMoment}`);
  const isAdmin = 'i = 1';
  return [
    `insert into users (id, login, login_folded, email, email_folded, display_name, display_name_folded, role, registered_at) ${ownIds}
     select i, 'user' || i, 'user' || i, 'user' || i || '@example.com', 'user' || i || '@example.com', 'User ' || i, 'user ' || i,
       case when ${isAdmin} then 'administrator' else 'affiliate' end, ${firstMoment} from ${upTo(coupons + 1)}`,
    // The affiliate of the first coupon has recruited one in ten.
    'update users set parent_id = 2 where id > 2 and id % 10 = 5',
    ...details.map((values) => `insert into payout_details (user_id, method, method_type, encrypted_details, updated_at) values ${values}`),
    `insert into coupons (id, code, code_folded, user_id, status, created_at, discount_amount) ${ownIds}
     select i, 'CODE' || i, 'code' || i, i + 1, 'publish', ${firstMoment} + i, 10000 from ${upTo(coupons)}`,
  ];
}

const status = `case when h % 100 < 80 then 'completed' when h % 100 < 88 then 'processing' when h % 100 < 91 then 'on-hold'
  when h % 100 < 93 then 'pending' when h % 100 < 95 then 'failed' when h % 100 < 98 then 'cancelled' else 'refunded' end`;

/** Ten percent of what was paid, rounded half up; a refund scales it. */
const full = '(net * 10000 + 50000) / 100000';
const commission = `case when commission_status = 'reversed' then 0 when refunded = 0 then ${full}
  else (2 * (${full}) * (net - refunded) + net) / (2 * net) end`;

export function orderStatements({ orders, coupons }: Size, { upTo, day }: SqlDialect): string[] {
  const step = Math.floor((lastMoment - firstMoment - 7_200_000) / orders);
  const scattered = `select i, ${scatter} as h from ${upTo(orders)}`;
  const placed = `select i, h, ${couponOf(coupons, 'h')} as coupon,
      ${firstMoment} + (i - 1) * ${step} + h % 3600000 as placed, ${status} as status, 1000 + h / 100 % 20000 as total
    from (${scattered}) as scattered`;
  const net = `select placed_orders.*, total - total / 10 as net, case when status in ('failed', 'cancelled', 'refunded') then 'reversed'
      when status = 'completed' then 'granted' else 'pending' end as commission_status from (${placed}) as placed_orders`;
  const refunded = `select net_orders.*, case when status = 'refunded' then net when status = 'completed' and h / 100 % 50 = 0 then net / 4
      else 0 end as refunded from (${net}) as net_orders`;
  return [
    `insert into orders (order_id, coupon_id, used_coupon_id, day, placed_at, status, total_minor, discount_minor, shipping_minor, tax_minor,
       quantity, refunded_minor, percent_thousandths, fixed_per_order_minor, fixed_per_product_minor, commission_minor, commission_status,
       granted_at, due_at, credited_via, campaign)
     select i, coupon, coupon, ${day('placed')}, placed, status, total, total / 10, 490, 0, 1 + h % 3, refunded, 10000, 0, 0, ${commission},
       commission_status, case when commission_status = 'granted' then placed end, placed, 'coupon', case when h % 5 = 0 then 'spring' end
     from (${refunded}) as refunded_orders order by i`,
  ];
}

const sale = "status in ('processing', 'on-hold', 'completed')";
const sumOfSales = (amount: string): string => `sum(case when ${sale} then ${amount} else 0 end)`;
const counted = ['pending', 'processing', 'on-hold', 'completed', 'failed', 'cancelled', 'refunded'].map(
  (name) => `sum(case when status = '${name}' then 1 else 0 end)`,
);

export const figureColumns = projectionOf(couponDays, [
  'ordersCount',
  'sales',
  'discount',
  'shipping',
  'commission',
  'statusCounts',
]).columns;

/** Sums of orders, in the order of `figureColumns`. */
export const figureSums = [
  sumOfSales('1'),
  sumOfSales('total_minor - refunded_minor'),
  ...['discount_minor', 'commission_minor', 'shipping_minor'].map(sumOfSales),
  ...counted,
].join(', ');

export function figureStatements(): string[] {
  const ofDays = figureColumns.map((column) => `sum(${column})`).join(', ');
  const columns = figureColumns.join(', ');
  return [
    `insert into coupon_days (coupon_id, day, ${columns}) select coupon_id, day, ${figureSums} from orders group by coupon_id, day`,
    `insert into coupon_totals (coupon_id, version, ${columns}) select coupon_id, 1, ${ofDays} from coupon_days group by coupon_id`,
  ];
}

/** Five for every two orders. One in 25 led to an order. */
export function clickStatements({ orders, coupons }: Size, { upTo, day, ownIds }: SqlDialect): string[] {
  const clicks = Math.floor(orders * 2.5);
  const clicked = `${firstMoment} + i * ${Math.floor((lastMoment - firstMoment - 7_200_000) / clicks)} + ${scatter} % 3600000`;
  return [
    `insert into clicks (id, coupon_id, day, clicked_at, visitor_hash, campaign, converted_order_id) ${ownIds}
     select i, ${couponOf(coupons, `(${scatter})`)}, ${day(clicked)}, ${clicked}, 'visitor' || (i / 2), case when i % 5 = 0 then 'spring' end,
       case when i % 25 = 0 then i * 2 / 5 end from ${upTo(clicks)}`,
    `insert into click_days (coupon_id, day, clicks, conversions)
     select coupon_id, day, count(*), count(converted_order_id) from clicks group by coupon_id, day`,
    `insert into click_totals (coupon_id, clicks, conversions)
     select coupon_id, sum(clicks), sum(conversions) from click_days group by coupon_id`,
  ];
}

/** The service counts clicks without it; a peer that counts them for each request would have it. */
export const peerIndex = 'bench_clicks_of_day';
export const peerIndexStatement = `create index ${peerIndex} on clicks (day, visitor_hash, converted_order_id)`;

/** Sums of all coupons for each day. Triggers maintain them on SQLite; none run while PostgreSQL is filled. */
export function programDayStatements(): string[] {
  const sold = ['orders_count', 'sales_minor', 'discount_minor', 'commission_minor'];
  const summed = [...sold, 'clicks', 'conversions'].map((column) => `sum(${column})`).join(', ');
  return [
    `insert into program_days (day, part, version, coupons_count, ${sold.join(', ')}, clicks, conversions)
     select day, 0, max(version), sum(sellers), ${summed} from (
       select day, 1 as version, case when orders_count > 0 then 1 else 0 end as sellers, ${sold.join(', ')}, 0 as clicks, 0 as conversions from coupon_days
       union all select day, 0, 0, 0, 0, 0, 0, clicks, conversions from click_days
     ) as both_kinds group by day`,
  ];
}
