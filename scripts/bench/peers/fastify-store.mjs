// Fastify 5 and better-sqlite3 as the receiver of a shop's signed webhooks: verifies the signature, finds the coupon, inserts or updates the
// order with its commission and a line in the log of deliveries, in one durable transaction for each order.
import { createHmac, timingSafeEqual } from 'node:crypto';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { pino } from 'pino';
import * as job from './job.mjs';

const secret = 'the secret of the connection';

const database = new Database(job.databaseFile);
database.pragma('journal_mode = wal');
database.pragma('synchronous = full');
const connectionById = database.prepare('select id from store_connections where id = ? and disconnected_at is null');
const couponByCode = database.prepare('select id, percent_thousandths from coupons where code_folded = ? and user_id is not null');
const storedOrder = database.prepare('select modified_at from store_orders where order_id = ?');
const saveOrder = database.prepare(`
  insert into orders (order_id, coupon_id, used_coupon_id, day, placed_at, status, total_minor, discount_minor, shipping_minor, tax_minor,
    quantity, refunded_minor, percent_thousandths, fixed_per_order_minor, fixed_per_product_minor, commission_minor, commission_status,
    due_at, credited_via)
  values (@id, @coupon, @coupon, @day, @placed, @status, @total, @discount, @shipping, @tax, @quantity, 0, @percent, 0, 0, @commission,
    'pending', @placed, 'coupon')
  on conflict (order_id) do update set status = excluded.status, commission_minor = excluded.commission_minor`);
const saveState = database.prepare(`insert into store_orders (order_id, modified_at, refunds) values (?, ?, '{}')
  on conflict (order_id) do update set modified_at = excluded.modified_at`);
const saveDelivery = database.prepare(
  'insert into store_deliveries (connection_id, received_at, topic, order_id, outcome) values (?, ?, ?, ?, ?)',
);

const minor = (text) => Math.round(Number(text) * 100);
const sum = (items, valueOf) => items.reduce((total, item) => total + valueOf(item), 0);

const record = database.transaction((connectionId, topic, payload) => {
  const placed = Date.parse(`${payload.date_created_gmt}Z`);
  const modified = Date.parse(`${payload.date_modified_gmt}Z`);
  const known = storedOrder.get(payload.id);
  if (known && modified < known.modified_at) return 'unchanged';
  const coupon = payload.coupon_lines.map(({ code }) => couponByCode.get(code.toLowerCase())).find(Boolean);
  if (!coupon) return 'ignored';
  const total = sum(payload.line_items, ({ subtotal }) => minor(subtotal));
  const discount = minor(payload.discount_total);
  const percent = coupon.percent_thousandths ?? 10_000;
  saveOrder.run({
    ...{ id: payload.id, coupon: coupon.id, day: payload.date_created_gmt.slice(0, 10), placed, status: payload.status, total, discount },
    ...{
      shipping: minor(payload.shipping_total),
      tax: minor(payload.total_tax),
      quantity: sum(payload.line_items, (item) => item.quantity),
    },
    ...{ percent, commission: Math.round(((total - discount) * percent) / 100_000) },
  });
  saveState.run(payload.id, modified);
  const outcome = known ? 'updated' : 'created';
  saveDelivery.run(connectionId, Date.now(), topic, payload.id, outcome);
  return outcome;
});

const app = Fastify({
  loggerInstance: pino({ base: null }, pino.destination({ fd: 2, sync: false, minLength: 4096 })),
  disableRequestLogging: true,
  genReqId: job.newRequestId,
});
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));

app.addHook('onResponse', async (request, reply) => {
  request.log.info({ method: request.method, status: reply.statusCode, milliseconds: reply.elapsedTime }, 'request');
});

app.post('/connect/:id', async (request, reply) => {
  const { headers, body, params } = request;
  reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  if (!connectionById.get(params.id)) return reply.code(404).send(job.errors.notFound);
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(headers['x-wc-webhook-signature'] ?? '', 'base64');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return reply.code(401).send(job.errors.unauthorized);
  return { outcome: record.immediate(params.id, headers['x-wc-webhook-topic'], JSON.parse(body)) };
});

await app.listen({ port: job.port, host: '127.0.0.1' });
job.printListening(app.server.address());
