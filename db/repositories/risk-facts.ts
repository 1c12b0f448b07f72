import { Between, type EntityManager, MoreThan } from 'typeorm';
import type { OrderMark } from '../../domain/orders/order-mark.ts';
import type { MethodType } from '../../domain/payout-details/payout-details.ts';
import { openStatuses } from '../../domain/payouts/payout.ts';
import type { CouponDays, FactRepository, Losses, OrderFact, ScannedAccount } from '../../domain/risk/facts.ts';
import type { Profile } from '../../domain/users/user.ts';
import { clickDays } from '../entities/clicks.ts';
import { bigint, boolean, json, nullable, text } from '../entities/columns.ts';
import { isAmong, jsonRows, jsonTable } from '../sql/insert.ts';
import { type Projection, resultColumns, selectRows } from '../sql/projection.ts';

// By hand: a scan reads the last days of many coupons by one statement, along indexes. Each statement is short, so that a reader which waits for
// the connection waits for one of them at most.

export const factRepository = (manager: EntityManager): FactRepository => ({
  allUsers: () => listUsers(manager, selectAllUsers),
  changedUsers: () => listUsers(manager, selectChangedUsers),
  changes: (userIds) =>
    selectRows(manager, change, `select user_id, version from risk_changes where user_id ${isAmong(manager, 'bigint')}`, [list(userIds)]),
  coupons: (userIds, today) => selectRows(manager, coupon, selectCoupons(manager), [list(userIds), today]),
  orderCounts: (windows) => countDays(manager, windows, 'coupon_days', placedCounts),
  clickCounts: (windows) => countDays(manager, windows, 'click_days', 'clicks'),
  losses: (windows) => lossesWithin(manager, windows),
  lossesOfDay: async (day) => {
    const [sums] = await selectRows(manager, losses, `select ${lossSums} from orders where orders.day = $1 and ${isPlaced}`, [day]);
    return sums ?? noLosses;
  },
  lostOrders: (windows, limit) =>
    selectRows(manager, order, `${selectOrders(manager)} and ${lostValue} > 0 ${newestFirst} limit ${limit}`, daysOf(windows)),
  typedOrders: async (window, limit) => {
    const sql = `${selectOrders(manager, ', count(*) over () as total')} and orders.credited_via = 'coupon' and not exists (
      select 1 from clicks where clicks.converted_order_id = orders.order_id and clicks.coupon_id = orders.coupon_id) ${newestFirst} limit ${limit}`;
    const rows = await selectRows(manager, order.plus({ total: bigint('total') }), sql, daysOf([window]));
    return { orders: rows, total: rows[0]?.total ?? 0 };
  },
  anyClicks: (from, to) => manager.existsBy(clickDays, { day: Between(from, to), clicks: MoreThan(0) }),
  fastOrders: (windows, withinMs) => {
    const sql = `${selectOrders(manager, ', orders.placed_at - clicks.clicked_at as delay', clickOfOrder)}
      and orders.visitor_hash is not null and orders.placed_at - clicks.clicked_at between 0 and $2`;
    return selectRows(manager, order.plus({ delayMs: bigint('delay') }), sql, [...daysOf(windows), withinMs]);
  },
  visitorOrders: (windows, since, coupons) =>
    selectRows(manager, order.plus({ visitorHash: text('visitor_hash') }), selectVisitorOrders(manager), [
      ...daysOf(windows),
      since,
      coupons,
    ]),
  markedOrders: (userIds, limit) => selectRows(manager, markedOrder, selectMarked(manager), [list(userIds), limit]),
  payoutLosses: (userIds, { paidAfter, ordersFrom, withinMs }) =>
    selectRows(manager, payoutLoss, selectPayoutLosses(manager), [list(userIds), paidAfter, ordersFrom, withinMs]),
  doubtfulPayouts: ({ paidFrom, replacedWithinMs }) =>
    selectRows(manager, doubtfulPayout, selectDoubtfulPayouts, [paidFrom, replacedWithinMs]),
  clickDaysWithoutOrder: ({ from, to, clicks }) => selectRows(manager, clickDay, selectClickDays, [from, to, clicks]),
  accounts: (userIds) => readAccounts(manager, userIds),
  linksOf: (userIds) =>
    selectRows(manager, userLink, `select user_id, link from risk_links where is_current = 1 and user_id ${isAmong(manager, 'bigint')}`, [
      list(userIds),
    ]),
  partners: (userIds) => selectRows(manager, partner, selectPartners(manager), [list(userIds)]),
});

const list = (ids: readonly number[]): string => JSON.stringify(ids);

const user = resultColumns({ userId: bigint('user_id') });
const userLink = resultColumns({ userId: bigint('user_id'), link: text('link') });
const partner = userLink.plus({ partnerId: bigint('partner_id'), since: bigint('since'), isLater: boolean('is_later') });
const change = resultColumns({ userId: bigint('user_id'), version: bigint('version') });

const listUsers = async (manager: EntityManager, select: string): Promise<number[]> =>
  (await selectRows(manager, user, `${select} order by user_id`, [])).map(({ userId }) => userId);

const selectAllUsers = `
  select user_id from coupons where user_id is not null union select id from users where role = 'affiliate'
  union select user_id from payout_details union select user_id from risk_changes`;

const selectChangedUsers = `
  select user_id from risk_changes
  union select coupons.user_id from coupon_totals join coupons on coupons.id = coupon_totals.coupon_id
    left join risk_progress on risk_progress.coupon_id = coupon_totals.coupon_id
    where coupons.user_id is not null and coupon_totals.version <> coalesce(risk_progress.orders_version, 0)
  union select coupons.user_id from click_totals join coupons on coupons.id = click_totals.coupon_id
    left join risk_progress on risk_progress.coupon_id = click_totals.coupon_id
    where coupons.user_id is not null and click_totals.clicks + click_totals.conversions <> coalesce(risk_progress.clicks, 0)`;

const coupon = resultColumns({
  couponId: bigint('coupon_id'),
  userId: bigint('user_id'),
  code: text('code'),
  ordersVersion: bigint('orders_version'),
  clicks: bigint('clicks'),
  lastDay: nullable(text('last_day')),
  isChanged: boolean('is_changed'),
});

const selectCoupons = (manager: EntityManager): string => `
  select coupons.id as coupon_id, coupons.user_id, coupons.code, coalesce(coupon_totals.version, 0) as orders_version,
    coalesce(click_totals.clicks + click_totals.conversions, 0) as clicks,
    (select max(day) from coupon_days where coupon_days.coupon_id = coupons.id and coupon_days.day <= $2) as last_day,
    case when coalesce(coupon_totals.version, 0) <> coalesce(risk_progress.orders_version, 0)
      or coalesce(click_totals.clicks + click_totals.conversions, 0) <> coalesce(risk_progress.clicks, 0) then 1 else 0 end as is_changed
  from coupons left join coupon_totals on coupon_totals.coupon_id = coupons.id left join click_totals on click_totals.coupon_id = coupons.id
  left join risk_progress on risk_progress.coupon_id = coupons.id
  where coupons.user_id ${isAmong(manager, 'bigint')}`;

/** Orders that were placed: neither waiting for their payment nor failed. */
const isPlaced = "orders.status in ('processing', 'on-hold', 'completed', 'cancelled', 'refunded')";
const placedCounts = 'n_processing + n_on_hold + n_completed + n_cancelled + n_refunded';

const windowColumns = { place: 'bigint', coupon_id: 'bigint', first_day: 'text', last_day: 'text' } as const;
const daysOf = (windows: readonly CouponDays[]): [string] =>
  jsonRows(windows.map(({ couponId, from, to }, place) => [place, couponId, from, to]));

const windowSum = resultColumns({ place: bigint('place'), sum: bigint('window_sum') });

async function countDays(manager: EntityManager, windows: readonly CouponDays[], table: string, count: string): Promise<number[]> {
  if (windows.length === 0) return [];
  const sql = `
    select given.place, sum(${count}) as window_sum from ${jsonTable(manager, windowColumns)} as given
    join ${table} as days on days.coupon_id = given.coupon_id and days.day between given.first_day and given.last_day group by given.place`;
  const sums = new Map((await selectRows(manager, windowSum, sql, daysOf(windows))).map(({ place, sum }) => [place, sum]));
  return windows.map((_, place) => sums.get(place) ?? 0);
}

/** Orders of the windows that belong to the owner of their coupon. */
const ownOrders = (manager: EntityManager, join = ''): string => `
  from ${jsonTable(manager, windowColumns)} as given join coupons on coupons.id = given.coupon_id
  join orders on orders.coupon_id = given.coupon_id and orders.day between given.first_day and given.last_day
    and orders.handovers = coupons.handovers ${join} where coupons.user_id is not null and ${isPlaced}`;

const order: Projection<OrderFact> = resultColumns({
  orderId: bigint('order_id'),
  couponId: bigint('coupon_id'),
  userId: bigint('user_id'),
  placedAt: bigint('placed_at'),
});

const selectOrders = (manager: EntityManager, more = '', join = ''): string =>
  `select orders.order_id, orders.coupon_id, coupons.user_id, orders.placed_at${more} ${ownOrders(manager, join)}`;

const newestFirst = 'order by orders.placed_at desc, orders.order_id desc';
const clickOfOrder = 'join clicks on clicks.converted_order_id = orders.order_id and clicks.coupon_id = orders.coupon_id';

const lostValue = `case when orders.status in ('cancelled', 'refunded') then orders.total_minor - orders.discount_minor else orders.refunded_minor end`;
const lossSums = `count(*) as order_count, coalesce(sum(orders.total_minor - orders.discount_minor), 0) as net, coalesce(sum(${lostValue}), 0) as lost`;
const losses: Projection<Losses> = resultColumns({ orders: bigint('order_count'), net: bigint('net'), lost: bigint('lost') });
const noLosses: Losses = { orders: 0, net: 0, lost: 0 };

async function lossesWithin(manager: EntityManager, windows: readonly CouponDays[]): Promise<Losses[]> {
  if (windows.length === 0) return [];
  const sql = `select given.place, ${lossSums} ${ownOrders(manager)} group by given.place`;
  const rows = await selectRows(manager, losses.plus({ place: bigint('place') }), sql, daysOf(windows));
  const byPlace = new Map(rows.map(({ place, ...sums }) => [place, sums]));
  return windows.map((_, place) => byPlace.get(place) ?? noLosses);
}

const selectVisitorOrders = (manager: EntityManager): string => `
  select orders.order_id, orders.coupon_id, coupons.user_id, orders.placed_at, orders.visitor_hash from (
    select orders.visitor_hash from (select distinct orders.visitor_hash ${ownOrders(manager)} and orders.visitor_hash is not null) as seen
    join orders on orders.visitor_hash = seen.visitor_hash and orders.placed_at >= $2
    group by orders.visitor_hash having count(distinct orders.coupon_id) >= $3
  ) as many join orders on orders.visitor_hash = many.visitor_hash and orders.placed_at >= $2
  join coupons on coupons.id = orders.coupon_id and coupons.handovers = orders.handovers
  where coupons.user_id is not null and ${isPlaced}`;

const markedOrder = order.plus({ kind: text<OrderMark['kind']>('kind'), net: bigint('net_minor'), commission: bigint('commission_minor') });

/** Of each user and kind so many. */
const selectMarked = (manager: EntityManager): string => `
  select * from (
    select orders.order_id, orders.coupon_id, coupons.user_id, orders.placed_at, order_marks.kind, order_marks.net_minor,
      order_marks.commission_minor, row_number() over (partition by coupons.user_id, order_marks.kind ${newestFirst}) as place
    from coupons join order_marks on order_marks.coupon_id = coupons.id
    join orders on orders.order_id = order_marks.order_id and orders.handovers = coupons.handovers
    where coupons.user_id ${isAmong(manager, 'bigint')} and ${isPlaced}
  ) as marked where place <= $2 order by place`;

const payoutLoss = resultColumns({
  payoutId: bigint('payout_id'),
  userId: bigint('user_id'),
  couponId: bigint('coupon_id'),
  amount: bigint('amount_minor'),
  orderId: bigint('order_id'),
  lost: bigint('lost'),
  at: bigint('lost_at'),
});

const granted = `ledger as granted where granted.coupon_id = orders.coupon_id and granted.order_id = orders.order_id
  and granted.pool = 'unpaid' and granted.amount_minor > 0`;

/** What the ledger took from the unpaid balance after a payout, of orders that were first granted before its request, and not before an earlier one. */
const selectPayoutLosses = (manager: EntityManager): string => `
  select payouts.id as payout_id, payouts.user_id, payouts.coupon_id, payouts.amount_minor, orders.order_id,
    -sum(taken.amount_minor) as lost, min(taken.created_at) as lost_at
  from payouts join orders on orders.coupon_id = payouts.coupon_id and orders.day >= $3 and orders.day <= payouts.day
  join ledger as taken on taken.coupon_id = orders.coupon_id and taken.order_id = orders.order_id
  where payouts.user_id ${isAmong(manager, 'bigint')} and payouts.status = 'paid' and payouts.paid_at >= $2
    and (orders.refunded_minor > 0 or orders.status in ('cancelled', 'refunded'))
    and taken.pool = 'unpaid' and taken.amount_minor < 0 and taken.reason in ('order_changed', 'order_reversed')
    and taken.created_at > payouts.paid_at and taken.created_at <= payouts.paid_at + $4
    and exists (select 1 from ${granted} and granted.created_at <= payouts.requested_at)
    and not exists (select 1 from payouts as earlier where earlier.coupon_id = payouts.coupon_id
      and earlier.requested_at < payouts.requested_at and earlier.status not in ('cancel', 'failed')
      and exists (select 1 from ${granted} and granted.created_at <= earlier.requested_at))
  group by payouts.id, payouts.user_id, payouts.coupon_id, payouts.amount_minor, orders.order_id`;

const doubtfulPayout = resultColumns({
  payoutId: bigint('payout_id'),
  userId: bigint('user_id'),
  couponId: bigint('coupon_id'),
  requestedAt: bigint('requested_at'),
  isOpen: boolean('is_open'),
  unpaid: bigint('unpaid'),
  replacedAt: nullable(bigint('replaced_at')),
  emailChangedAt: nullable(bigint('email_changed_at')),
});

const isOpenPayout = `payouts.status in (${openStatuses.map((status) => `'${status}'`).join(', ')})`;

const selectDoubtfulPayouts = `
  select * from (
    select payouts.id as payout_id, payouts.user_id, payouts.coupon_id, payouts.requested_at,
      case when ${isOpenPayout} then 1 else 0 end as is_open,
      (select coalesce(sum(own.unpaid_minor), 0) from coupons as own where own.user_id = payouts.user_id) as unpaid,
      (select updated_at from payout_details where payout_details.user_id = payouts.user_id and updated_at > first_saved_at
        and updated_at >= payouts.requested_at - $2 and (${isOpenPayout} or updated_at <= payouts.requested_at)) as replaced_at,
      (select email_changed_at from users where users.id = payouts.user_id
        and email_changed_at >= payouts.requested_at - $2 and (${isOpenPayout} or email_changed_at <= payouts.requested_at)) as email_changed_at
    from payouts where ${isOpenPayout} or payouts.status = 'paid' and payouts.day >= $1
  ) as looked_at where replaced_at is not null or email_changed_at is not null or is_open = 1 and unpaid < 0`;

const clickDay = resultColumns({
  couponId: bigint('coupon_id'),
  userId: bigint('user_id'),
  code: text('code'),
  day: text('day'),
  clicks: bigint('clicks'),
  transferredAt: nullable(bigint('transferred_at')),
});

const selectClickDays = `
  select click_days.coupon_id, coupons.user_id, coupons.code, click_days.day, click_days.clicks,
    (select max(created_at) from events where object_type = 'coupon' and object_id = coupons.id and kind = 'coupon_transferred') as transferred_at
  from click_days join coupons on coupons.id = click_days.coupon_id
  where click_days.day between $1 and $2 and click_days.clicks >= $3 and coupons.user_id is not null and not exists (
    select 1 from coupon_days where coupon_days.coupon_id = click_days.coupon_id and coupon_days.day = click_days.day and ${placedCounts} > 0)
  order by click_days.day, click_days.coupon_id`;

const account = resultColumns({
  userId: bigint('user_id'),
  isAffiliate: boolean('is_affiliate'),
  email: text('email'),
  profile: json<Partial<Profile>>('profile'),
  methodType: nullable(text<MethodType>('method_type')),
  encryptedDetails: nullable(text('encrypted_details')),
  detailsSavedAt: nullable(bigint('details_saved_at')),
});

const invoice = resultColumns({ userId: bigint('user_id'), sha256: text('sha256') });

async function readAccounts(manager: EntityManager, userIds: readonly number[]): Promise<ScannedAccount[]> {
  const accounts = await selectRows(
    manager,
    account,
    `select users.id as user_id, users.email, users.profile, payout_details.method_type, payout_details.encrypted_details,
       payout_details.updated_at as details_saved_at,
       case when users.role = 'affiliate' or users.had_coupon = 1 or exists (select 1 from coupons where coupons.user_id = users.id)
         then 1 else 0 end as is_affiliate
     from users left join payout_details on payout_details.user_id = users.id where users.id ${isAmong(manager, 'bigint')}`,
    [list(userIds)],
  );
  const invoices = await selectRows(manager, invoice, `select user_id, sha256 from invoices where user_id ${isAmong(manager, 'bigint')}`, [
    list(userIds),
  ]);
  return accounts.map(({ profile, ...own }) => ({
    ...own,
    website: profile.website ?? '',
    invoices: invoices.filter(({ userId }) => userId === own.userId).map(({ sha256 }) => sha256),
  }));
}

/** A host that more affiliates have is one of many people, as those of social networks. */
const maxOnHost = 20;

const seenBoth = 'case when own.seen_at > other.seen_at then own.seen_at else other.seen_at end';

const selectPartners = (manager: EntityManager): string => `
  select own.user_id, own.link, other.user_id as partner_id,
    ${seenBoth} as since,
    case when (own.since > other.since or own.since = other.since and own.user_id > other.user_id) and not exists (
      select 1 from payouts where payouts.user_id = own.user_id and payouts.status = 'paid' and payouts.paid_at >= own.since
        and payouts.paid_at < ${seenBoth}) then 1 else 0 end as is_later
  from risk_links as own join risk_links as other on other.link = own.link and other.user_id <> own.user_id and other.is_current = 1
  where own.is_current = 1 and own.user_id ${isAmong(manager, 'bigint')} and (own.link not like 'website:%' or (
    select count(*) from (select 1 from risk_links as same where same.link = own.link limit ${maxOnHost + 1}) as counted) <= ${maxOnHost})`;
