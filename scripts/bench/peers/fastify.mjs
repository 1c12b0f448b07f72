// Fastify 5, written for speed: schemas for requests (Ajv) and responses (its compiled serialiser), better-sqlite3 with prepared statements,
// its own logger with one line per request. Pages are read in the common way: count(*), LIMIT and OFFSET.
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { pino } from 'pino';
import * as job from './job.mjs';

const fields = (type, names) => Object.fromEntries(names.split(' ').map((name) => [name, { type }]));
const record = (properties) => ({ type: 'object', properties });

const couponResponse = record({
  ...fields('integer', 'id user_id'),
  ...fields('string', 'code status date_created referral_url'),
  ...fields('number', 'unpaid_commission pending_order_commission pending_payout_commission paid_commission'),
  stats: record({
    ...fields('integer', 'orders_count'),
    ...fields('number', 'total_sales total_discount total_shipping total_commission'),
    ...fields(['string', 'null'], 'last_refreshed'),
  }),
  user: { type: ['object', 'null'], properties: { ...fields('integer', 'id'), ...fields('string', 'display_name login email') } },
  commission: record({
    ...fields('number', 'percent'),
    ...fields(['number', 'null'], 'percent_override fixed_per_order fixed_per_product'),
  }),
  discount: record({ ...fields('string', 'type'), ...fields('number', 'amount') }),
  payout_eligibility: record({ ...fields('boolean', 'eligible'), reasons: { type: 'array', items: { type: 'string' } } }),
});

const orderResponse = record({
  ...fields('integer', 'order_id'),
  ...fields('string', 'date status currency commission_status credited_via'),
  ...fields('number', 'total discount commission refunded_amount'),
  ...fields(['string', 'null'], 'date_granted campaign'),
});

const params = { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } };
const day = { type: 'string', format: 'date' };
const querystring = record({
  page: { type: 'integer', minimum: 1, default: 1 },
  per_page: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
  from: day,
  to: day,
});
const couponSchema = { params, response: { 200: couponResponse } };
const ordersSchema = { params, querystring, response: { 200: { type: 'array', items: orderResponse } } };

const database = new Database(job.databaseFile, { readonly: true });
const keyByHash = database.prepare(job.sql.key);
const couponById = database.prepare(job.sql.coupon);
const inUpline = database.prepare(job.sql.upline);
const range = 'and day >= ? and day <= ?';
const pages = {
  all: { count: database.prepare(job.sql.countOrders('')), rows: database.prepare(job.sql.orders('')) },
  range: { count: database.prepare(job.sql.countOrders(range)), rows: database.prepare(job.sql.orders(range)) },
};

const app = Fastify({
  loggerInstance: pino({ base: null }, pino.destination({ fd: 2, sync: false, minLength: 4096 })),
  disableRequestLogging: true,
  genReqId: job.newRequestId,
});
app.decorateRequest('caller', null);

app.addHook('onRequest', async (request, reply) => {
  const caller = job.callerOf(keyByHash.get(job.hashOf(job.bearerToken(request.headers.authorization))));
  reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  if (!caller) return reply.code(401).send(job.errors.unauthorized);
  const rate = job.countRequest(caller.keyId);
  reply.headers({ 'RateLimit-Policy': rate.policy, RateLimit: rate.state });
  if (rate.isTooMany) return reply.code(429).send(job.errors.tooMany);
  if (!caller.scopes.includes('read')) return reply.code(403).send(job.errors.scope);
  request.caller = caller;
});

app.addHook('onResponse', async (request, reply) => {
  const { method, caller, log } = request;
  const { statusCode: status, elapsedTime: milliseconds } = reply;
  log.info({ method, status, milliseconds, user: caller?.userId, key: caller?.keyId }, 'request');
});

function findVisible(id, caller) {
  const row = couponById.get(id);
  return row && (caller.isAdmin || row.user_id === caller.userId || inUpline.get(id, caller.userId)) ? row : undefined;
}

app.get('/api/v2/coupons/:id', { schema: couponSchema }, async (request, reply) => {
  const row = findVisible(request.params.id, request.caller);
  if (!row) return reply.code(404).send(job.errors.notFound);
  return job.couponView(row, request.caller);
});

app.get('/api/v2/coupons/:id/orders', { schema: ordersSchema }, async (request, reply) => {
  const { id } = request.params;
  if (!findVisible(id, request.caller)) return reply.code(404).send(job.errors.notFound);
  const { page, per_page: perPage, from, to } = request.query;
  const { count, rows } = from ? pages.range : pages.all;
  const values = from ? [id, from, to ?? '9999-12-31'] : [id];
  const { total } = count.get(...values);
  reply.headers({ 'X-Svc-Total': total, 'X-Svc-TotalPages': Math.ceil(total / perPage) });
  return rows.all(...values, perPage, (page - 1) * perPage).map(job.orderView);
});

await app.listen({ port: job.port, host: '127.0.0.1' });
job.printListening(app.server.address());
