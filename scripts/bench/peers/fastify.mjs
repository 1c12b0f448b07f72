// Fastify 5, written for speed: schemas for requests (Ajv) and responses (its compiled serialiser), prepared statements, its own logger with
// one line per request. Pages are read in the common way: count(*), LIMIT and OFFSET.
import Fastify from 'fastify';
import { pino } from 'pino';
import { clicksOf, eventsOf, reportOf, statisticsOf } from './figures.mjs';
import * as job from './job.mjs';
import { routes } from './schemas.mjs';
import { cacheBriefly, countRequest, prepare } from './storage.mjs';

const keyByHash = prepare(job.sql.key);
const couponById = prepare(job.sql.coupon);
const inUpline = prepare(job.sql.upline);
const range = 'and day >= ? and day <= ?';
const pages = {
  all: { count: prepare(job.sql.countOrders('')), rows: prepare(job.sql.orders('')) },
  range: { count: prepare(job.sql.countOrders(range)), rows: prepare(job.sql.orders(range)) },
};

const app = Fastify({
  loggerInstance: pino({ base: null }, pino.destination({ fd: 2, sync: false, minLength: 4096 })),
  disableRequestLogging: true,
  genReqId: job.newRequestId,
});
app.decorateRequest('caller', null);

const findCaller = cacheBriefly(async (hash) => job.callerOf(await keyByHash.get(hash)));

app.addHook('onRequest', async (request, reply) => {
  const caller = await findCaller(job.hashOf(job.bearerToken(request.headers.authorization)));
  reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  if (!caller) return reply.code(401).send(job.errors.unauthorized);
  const rate = await countRequest(caller.keyId);
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

async function findVisible(id, caller) {
  const row = await couponById.get(id);
  return row && (caller.isAdmin || row.user_id === caller.userId || (await inUpline.get(id, caller.userId))) ? row : undefined;
}

const setTotal = (reply, total, perPage) => reply.headers({ 'X-Svc-Total': total, 'X-Svc-TotalPages': Math.ceil(total / perPage) });

app.get('/api/v2/coupons/:id', routes.coupon, async (request, reply) => {
  const row = await findVisible(request.params.id, request.caller);
  if (!row) return reply.code(404).send(job.errors.notFound);
  return job.couponView(row, request.caller);
});

app.get('/api/v2/coupons/:id/orders', routes.orders, async (request, reply) => {
  const { id } = request.params;
  if (!(await findVisible(id, request.caller))) return reply.code(404).send(job.errors.notFound);
  const { page, per_page: perPage, from, to } = request.query;
  const { count, rows } = from ? pages.range : pages.all;
  const values = from ? [id, from, to ?? '9999-12-31'] : [id];
  const { total } = await count.get(...values);
  setTotal(reply, total, perPage);
  return (await rows.all(...values, perPage, (page - 1) * perPage)).map(job.orderView);
});

app.get('/api/v2/coupons/:id/stats', routes.statistics, async (request, reply) => {
  const row = await findVisible(request.params.id, request.caller);
  if (!row) return reply.code(404).send(job.errors.notFound);
  return statisticsOf(row, request.query);
});

const forAdmins = async (request, reply) => {
  if (!request.caller.isAdmin) return reply.code(403).send(job.errors.forbidden);
};

app.get('/api/v2/reports/summary', { ...routes.report, preHandler: forAdmins }, async (request) => reportOf(request.query));
app.get('/api/v2/clicks/stats', { ...routes.clicks, preHandler: forAdmins }, async (request) => clicksOf(request.query));

app.get('/api/v2/events', { ...routes.events, preHandler: forAdmins }, async (request, reply) => {
  const { total, events } = await eventsOf(request.query);
  setTotal(reply, total, request.query.per_page).header('X-Svc-Last-Event', events.at(-1)?.id ?? request.query.after);
  return events;
});

await app.listen({ port: job.port, host: '127.0.0.1' });
job.printListening(app.server.address());
