import type { Migration } from './migration.ts';

const counts = 'clicks bigint not null, conversions bigint not null';

export const createClicks: Migration = {
  name: '20261115001200-create-clicks',
  async up(run, { id }) {
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
    // Covering indexes: distinct visitors are counted one by one, and without reading the rows.
    await run('create index clicks_of_coupon on clicks (coupon_id, day, campaign, visitor_hash, converted_order_id)');
    await run('create index clicks_of_day on clicks (day, campaign, visitor_hash, converted_order_id)');
    // For a click that arrives after the order that it led to.
    await run('create index clicks_converted on clicks (converted_order_id) where converted_order_id is not null');
    await run('create index orders_of_visitor on orders (visitor_hash, placed_at) where visitor_hash is not null');
    // Updated with each click, so that a report over all coupons costs its days and not its clicks.
    await run(
      `create table click_days (coupon_id bigint not null references coupons (id), day text not null, ${counts}, primary key (coupon_id, day))`,
    );
    await run('create index click_days_of_day on click_days (day, clicks, conversions)');
    await run(`create table click_totals (coupon_id bigint primary key references coupons (id), ${counts})`);
  },
};
