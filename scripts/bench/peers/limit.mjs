// The whole job by hand on node:http: keys in memory once seen, one prepared statement, nothing generic. What the job itself allows.
import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { callerOf, countRequest, couponView, hashOf, newRequestId, refusals, sql, tokenIn } from './job.mjs';
import { databaseFile, port, sayListening } from './listen.mjs';

const database = new Database(databaseFile, { readonly: true });
const keyByHash = database.prepare(sql.key);
const couponById = database.prepare(sql.coupon);
const inUpline = database.prepare(sql.upline);
const log = pino({ base: null }, pino.destination({ fd: 2, sync: false, minLength: 4096 }));
const root = '/api/v2/coupons/';

const callers = new Map();
function identify(token) {
  let caller = callers.get(token);
  if (caller === undefined) {
    caller = callerOf(keyByHash.get(hashOf(token)));
    if (caller && callers.size < 20_000) callers.set(token, caller);
  }
  return caller;
}

function answer(url, caller) {
  if (!caller.scopes.includes('read')) return [403, refusals.scope];
  const query = url.indexOf('?', root.length);
  const text = url.slice(root.length, query < 0 ? undefined : query);
  if (!url.startsWith(root)) return [404, refusals.noRoute];
  if (!/^[1-9]\d{0,14}$/.test(text)) return [400, refusals.invalid];
  const row = couponById.get(Number(text));
  const isVisible = row && (caller.isAdmin || row.user_id === caller.userId || inUpline.get(row.id, caller.userId));
  return isVisible ? [200, couponView(row, caller)] : [404, refusals.notFound];
}

const server = createServer((request, response) => {
  const started = performance.now();
  const caller = identify(tokenIn(request.headers.authorization));
  const rate = caller && countRequest(caller.keyId);
  const [status, record] = !caller ? [401, refusals.unauthorized] : rate.isTooMany ? [429, refusals.tooMany] : answer(request.url, caller);
  const body = JSON.stringify(record);
  response.writeHead(status, {
    'X-Request-Id': newRequestId(),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'RateLimit-Policy': rate?.policy ?? '',
    RateLimit: rate?.state ?? '',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
  log.info(
    { method: request.method, status, milliseconds: performance.now() - started, user: caller?.userId, key: caller?.keyId },
    'request',
  );
});
server.listen(port, '127.0.0.1', () => sayListening(server.address()));
