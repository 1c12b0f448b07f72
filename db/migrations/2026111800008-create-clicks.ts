import { migration } from './migration.ts';

const counts = 'clicks bigint not null, conversions bigint not null';

export const createClicks = migration('create-clicks-2026111800008', async (run, { id, engine }) => {
  await run(`
    create table clicks (
      id ${id},
      coupon_id bigint not null references coupons (id),
      day text not null,
      clicked_at bigint not null,
      visitor_hash text not null,
      campaign text,
      referrer text,
      landing_page text,
      converted_order_id bigint
    )`);
  // Clicks have no number in the store: the same visitor at the same moment on the same coupon is the same click.
  await run('create unique index clicks_once on clicks (coupon_id, clicked_at, visitor_hash)');
  await run('create index clicks_of_visitor on clicks (visitor_hash, clicked_at)');
  // For a click that arrives after the order that it led to.
  await run('create index clicks_converted on clicks (converted_order_id) where converted_order_id is not null');
  // Updated with each click, so that a report over all coupons costs its days and not its clicks.
  await run(
    `create table click_days (coupon_id bigint not null references coupons (id), day text not null, ${counts}, primary key (coupon_id, day))`,
  );
  await run('create index click_days_of_day on click_days (day, clicks, conversions)');
  await run(`create table click_totals (coupon_id bigint primary key references coupons (id), ${counts})`);
  // Distinct visitors of any range of days, for all filters of the statistics of clicks, without reading clicks: docs/decisions/0021.
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  const filter = 'coupon_id bigint not null, campaign text not null';
  await run(`create table visitor_days (visitor_hash text not null, ${filter}, day text not null,
    primary key (visitor_hash, coupon_id, campaign, day)) ${clustered}`);
  await run(`create table visitor_counts (${filter}, day text not null, part bigint not null, ${counts}, visitors bigint not null,
    primary key (coupon_id, campaign, day, part)) ${clustered}`);
  await run(`create table visitor_returns (${filter}, grain text not null, earlier text not null, later text not null, part bigint not null,
    visitors bigint not null, primary key (coupon_id, campaign, grain, earlier, later, part)) ${clustered}`);
});
