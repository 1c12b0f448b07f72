// One TypeORM transaction per order, as its documentation shows it: the order, the ledger, the figures and the change feed.
// Transactions queue for the one connection that SQLite has; each is durable (synchronous = full) as those of the service.
import { readFileSync } from 'node:fs';
import typeorm from 'typeorm';
import { Coupon, CouponDay, CouponTotals, entities, FeedEvent, Order, Posting } from './entities.mjs';
import { databaseFile } from './job.mjs';

const { orders, clients } = JSON.parse(readFileSync(process.env.INGEST, 'utf8'));
const source = await new typeorm.DataSource({ type: 'sqlite', database: databaseFile, entities, enableWAL: true }).initialize();
await source.query('pragma synchronous = full');
await source.query('pragma busy_timeout = 10000');

let queue = Promise.resolve();
function enqueue(work) {
  const result = queue.then(work);
  queue = result.catch(() => {});
  return result;
}

async function addFigures(manager, entity, key, amounts) {
  const stored = await manager.findOneBy(entity, key);
  if (!stored) return manager.insert(entity, { ...key, ...amounts });
  const sums = Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, stored[name] + amount]));
  return manager.update(entity, key, sums);
}

async function addEvent(manager, kind, type, order, coupon, data) {
  const [last] = await manager.find(FeedEvent, { order: { id: 'DESC' }, take: 1 });
  const [lastOfKind] = await manager.find(FeedEvent, { where: { kind }, order: { id: 'DESC' }, take: 1 });
  const object = { object_type: 'order', object_id: order.order_id, user_id: 0, info: `Order ${order.order_id}: ${coupon.code}` };
  const numbers = { id: (last?.id ?? 0) + 1, ordinal: (lastOfKind?.ordinal ?? 0) + 1 };
  await manager.insert(FeedEvent, { ...numbers, kind, type, ...object, data: JSON.stringify(data), created_at: order.placed_at });
}

const record = (order) =>
  source.transaction(async (manager) => {
    if (await manager.findOneBy(Order, { order_id: order.order_id })) return;
    const coupon = await manager.findOneByOrFail(Coupon, { id: order.coupon_id });
    await manager.insert(Order, order);
    const { order_id, coupon_id, commission_minor: amount, placed_at: created_at } = order;
    const posting = { movement: `m.${order_id}`, coupon_id, reason: 'order_granted', order_id, user_id: 0, note: '', created_at };
    await manager.insert(Posting, [
      { ...posting, pool: 'store', amount_minor: -amount },
      { ...posting, pool: 'unpaid', amount_minor: amount },
    ]);
    await manager.update(Coupon, { id: coupon_id }, { unpaid_minor: coupon.unpaid_minor + amount });
    const { total_minor: sales_minor, discount_minor, shipping_minor } = order;
    const amounts = { orders_count: 1, sales_minor, discount_minor, shipping_minor, commission_minor: amount, n_completed: 1 };
    await addFigures(manager, CouponDay, { coupon_id, day: order.day }, amounts);
    await addFigures(manager, CouponTotals, { coupon_id }, { ...amounts, version: 1 });
    await addEvent(manager, 'referral', 'referral.created', order, coupon, { order_id, coupon_id, commission: amount / 100 });
    await addEvent(manager, 'commission_added', 'commission.added', order, coupon, { order_id, coupon_id, amount: amount / 100 });
  });

const started = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: clients }, async () => {
    while (next < orders.length) {
      const order = orders[next++];
      await enqueue(() => record(order));
    }
  }),
);
const seconds = (performance.now() - started) / 1000;
await source.destroy();
process.stdout.write(`${JSON.stringify({ orders: orders.length, seconds })}\n`);
