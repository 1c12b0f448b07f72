// Fastify 5, written for speed: schemas for requests (Ajv) and responses (its compiled serialiser), prepared statements, one log line per
// request. Pages are read with count(*), LIMIT and OFFSET, as is common.
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import Fastify from 'fastify';
import { pino } from 'pino';
import { couponView, errors, orderView, routes } from './contract.mjs';
import { cacheBriefly, countRequest, execute, prepare } from './storage.mjs';

const keyByHash = prepare(`select api_keys.id, scopes, expires_day, revoked_at, users.id as user_id, role
  from api_keys join users on users.id = api_keys.user_id where hash = ?`);
const couponById = prepare(`select coupons.*, users.login, users.email, users.display_name, orders_count, sales_minor,
    coupon_totals.discount_minor, shipping_minor, commission_minor, refreshed_at, method_type, encrypted_details
  from coupons left join users on users.id = coupons.user_id left join coupon_totals on coupon_totals.coupon_id = coupons.id
  left join payout_details on payout_details.user_id = coupons.user_id where coupons.id = ?`);
const inUpline = prepare(`with recursive line (id) as (
    select user_id from coupons where id = ? union select users.parent_id from users join line on line.id = users.id)
  select 1 from line where id = ?`);
const countOrders = prepare('select count(*) as total from orders where coupon_id = ?');
const ordersOf = prepare('select * from orders where coupon_id = ? order by day desc, placed_at desc, order_id desc limit ? offset ?');

await execute(`create table if not exists bench_orders (order_id bigint primary key, coupon_id bigint, placed_at text, status text,
  total_minor bigint, discount_minor bigint, commission_minor bigint)`);
const couponByCode = prepare('select id from coupons where code_folded = ?');
const addOrder = prepare('insert into bench_orders values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning order_id');

const app = Fastify({
  loggerInstance: pino({ base: null }, pino.destination({ fd: 2, sync: false, minLength: 4096 })),
  disableRequestLogging: true,
  genReqId: () => randomUUID(),
});
app.decorateRequest('caller', null);
// Bytes, because a signature is that of the bytes.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

function callerOf(key) {
  if (!key || key.revoked_at !== null || (key.expires_day !== null && key.expires_day < new Date().toISOString().slice(0, 10)))
    return undefined;
  return { keyId: key.id, userId: key.user_id, scopes: key.scopes.split(','), isAdmin: ['administrator', 'manager'].includes(key.role) };
}

const findCaller = cacheBriefly(async (hash) => callerOf(await keyByHash.get(hash)));

app.addHook('onRequest', async (request, reply) => {
  if (request.routeOptions.config.isSigned) return;
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  const caller = await findCaller(createHash('sha256').update(token).digest('hex'));
  reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  if (!caller) return reply.code(401).send(errors.unauthorized);
  const rate = await countRequest(caller.keyId);
  reply.headers({ 'RateLimit-Policy': rate.policy, RateLimit: rate.state });
  if (rate.isTooMany) return reply.code(429).send(errors.tooMany);
  if (!caller.scopes.includes('read')) return reply.code(403).send(errors.scope);
  request.caller = caller;
});

app.addHook('onResponse', async ({ method, caller, log }, { statusCode: status, elapsedTime: milliseconds }) => {
  log.info({ method, status, milliseconds, user: caller?.userId, key: caller?.keyId }, 'request');
});

async function findVisible(id, caller) {
  const row = await couponById.get(id);
  return row && (caller.isAdmin || row.user_id === caller.userId || (await inUpline.get(id, caller.userId))) ? row : undefined;
}

app.get('/api/v2/coupons/:id', routes.coupon, async (request, reply) => {
  const row = await findVisible(request.params.id, request.caller);
  return row ? couponView(row, request.caller) : reply.code(404).send(errors.notFound);
});

app.get('/api/v2/coupons/:id/orders', routes.orders, async (request, reply) => {
  const { id } = request.params;
  if (!(await findVisible(id, request.caller))) return reply.code(404).send(errors.notFound);
  const { page, per_page: perPage } = request.query;
  const { total } = await countOrders.get(id);
  reply.headers({ 'X-Svc-Total': total, 'X-Svc-TotalPages': Math.ceil(total / perPage) });
  return (await ordersOf.all(id, perPage, (page - 1) * perPage)).map(orderView);
});

const secret = process.env.SHOP_SECRET ?? '';
const commissionPercent = 10;
const minor = (amount) => Math.round(Number(amount) * 100);

/** The order of a shop: signature, coupon, commission and one durable row. No ledger, no figures, no events, no log of deliveries. */
app.post('/connect/:id', { config: { isSigned: true } }, async (request, reply) => {
  reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  const expected = createHmac('sha256', secret).update(request.body).digest();
  const actual = Buffer.from(request.headers['x-wc-webhook-signature'] ?? '', 'base64');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return reply.code(401).send(errors.unauthorized);
  const order = JSON.parse(request.body);
  const [line] = order.coupon_lines;
  const coupon = line && (await couponByCode.get(line.code.toLowerCase()));
  if (!coupon) return { outcome: 'unattributed' };
  const [total, discount] = [minor(order.total), minor(order.discount_total)];
  const commission = Math.round((total * commissionPercent) / 100);
  const added = await addOrder.get(order.id, coupon.id, order.date_created_gmt, order.status, total, discount, commission);
  return { outcome: added ? 'created' : 'unchanged' };
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`listening on http://127.0.0.1:${app.server.address().port}\n`);
