// Fastify 5 as somebody who cares for speed writes it: schemas for requests (Ajv) and answers (its compiled serialiser), better-sqlite3 with
// prepared statements, its own logger with one line per request. Pages are read as everybody reads them: count(*), LIMIT and OFFSET.
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { pino } from 'pino';
import { couponSchema, ordersSchema } from './fastify-schemas.mjs';
import { callerOf, countRequest, couponView, hashOf, newRequestId, orderView, refusals, sql, tokenIn } from './job.mjs';
import { databaseFile, port, sayListening } from './listen.mjs';

const database = new Database(databaseFile, { readonly: true });
const keyByHash = database.prepare(sql.key);
const couponById = database.prepare(sql.coupon);
const inUpline = database.prepare(sql.upline);
const range = 'and day >= ? and day <= ?';
const pages = {
  all: { count: database.prepare(sql.countOrders('')), rows: database.prepare(sql.orders('')) },
  range: { count: database.prepare(sql.countOrders(range)), rows: database.prepare(sql.orders(range)) },
};

const app = Fastify({
  loggerInstance: pino({ base: null }, pino.destination({ fd: 2, sync: false, minLength: 4096 })),
  disableRequestLogging: true,
  genReqId: newRequestId,
});
app.decorateRequest('caller', null);

app.addHook('onRequest', async (request, reply) => {
  const caller = callerOf(keyByHash.get(hashOf(tokenIn(request.headers.authorization))));
  reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  if (!caller) return reply.code(401).send(refusals.unauthorized);
  const rate = countRequest(caller.keyId);
  reply.headers({ 'RateLimit-Policy': rate.policy, RateLimit: rate.state });
  if (rate.isTooMany) return reply.code(429).send(refusals.tooMany);
  if (!caller.scopes.includes('read')) return reply.code(403).send(refusals.scope);
  request.caller = caller;
});

app.addHook('onResponse', async (request, reply) => {
  const { caller, log } = request;
  log.info(
    { method: request.method, status: reply.statusCode, milliseconds: reply.elapsedTime, user: caller?.userId, key: caller?.keyId },
    'request',
  );
});

function visible(id, caller) {
  const row = couponById.get(id);
  return row && (caller.isAdmin || row.user_id === caller.userId || inUpline.get(id, caller.userId)) ? row : undefined;
}

app.get('/api/v2/coupons/:id', { schema: couponSchema }, async (request, reply) => {
  const row = visible(request.params.id, request.caller);
  if (!row) return reply.code(404).send(refusals.notFound);
  return couponView(row, request.caller);
});

app.get('/api/v2/coupons/:id/orders', { schema: ordersSchema }, async (request, reply) => {
  const { id } = request.params;
  if (!visible(id, request.caller)) return reply.code(404).send(refusals.notFound);
  const { page, per_page: perPage, from, to } = request.query;
  const { count, rows } = from ? pages.range : pages.all;
  const values = from ? [id, from, to ?? '9999-12-31'] : [id];
  const { total } = count.get(...values);
  reply.headers({ 'X-Svc-Total': total, 'X-Svc-TotalPages': Math.ceil(total / perPage) });
  return rows.all(...values, perPage, (page - 1) * perPage).map(orderView);
});

await app.listen({ port, host: '127.0.0.1' });
sayListening(app.server.address());
