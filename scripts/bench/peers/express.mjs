// Express 5, express-openapi-validator on the same contract, and TypeORM repositories: the common choice.
import { readFileSync } from 'node:fs';
import express from 'express';
import OpenApiValidator from 'express-openapi-validator';
import { pino } from 'pino';
import typeorm from 'typeorm';
import { ApiKey, Coupon, entities, User } from './entities.mjs';
import * as job from './job.mjs';
import { cacheBriefly, countRequest } from './storage.mjs';

const database = job.isPostgres ? { type: 'postgres', url: job.databaseUrl } : { type: 'sqlite', database: job.databaseFile };
const source = await new typeorm.DataSource({ ...database, entities }).initialize();
const keys = source.getRepository(ApiKey);
const coupons = source.getRepository(Coupon);
const users = source.getRepository(User);
const log = pino({ base: null }, pino.destination({ fd: 2, sync: false, minLength: 4096 }));

/** Without webhooks, which the validator does not support. */
function readContract() {
  const { webhooks: _, ...document } = JSON.parse(readFileSync(process.env.CONTRACT, 'utf8'));
  return { ...document, servers: [{ url: '/api/v2' }] };
}

const app = express();
app.disable('x-powered-by');
app.set('etag', false);

app.use((request, response, next) => {
  const started = performance.now();
  response.set({ 'X-Request-Id': job.newRequestId(), 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  response.on('finish', () => {
    const { method, caller } = request;
    const milliseconds = performance.now() - started;
    log.info({ method, status: response.statusCode, milliseconds, user: caller?.userId, key: caller?.keyId }, 'request');
  });
  next();
});

const findCaller = cacheBriefly(async (hash) => {
  const key = await keys.findOne({ where: { hash }, relations: { user: true } });
  return key?.user ? job.callerOf({ ...key, user_id: key.user.id, role: key.user.role }) : undefined;
});

app.use(async (request, response, next) => {
  const caller = await findCaller(job.hashOf(job.bearerToken(request.headers.authorization)));
  if (!caller) return response.status(401).json(job.errors.unauthorized);
  const rate = await countRequest(caller.keyId);
  response.set({ 'RateLimit-Policy': rate.policy, RateLimit: rate.state });
  if (rate.isTooMany) return response.status(429).json(job.errors.tooMany);
  if (!caller.scopes.includes('read')) return response.status(403).json(job.errors.scope);
  request.caller = caller;
  next();
});

app.use(
  OpenApiValidator.middleware({
    apiSpec: readContract(),
    validateRequests: { allowUnknownQueryParameters: true },
    validateResponses: false,
    validateSecurity: false,
  }),
);

async function isInUpline(userId, ownerId) {
  for (let id = ownerId; id !== null && id !== undefined; ) {
    if (id === userId) return true;
    id = (await users.findOneBy({ id }))?.parent_id;
  }
  return false;
}

app.get('/api/v2/coupons/:id', async (request, response) => {
  const { caller } = request;
  const coupon = await coupons.findOne({
    where: { id: Number(request.params.id) },
    relations: { user: true, totals: true, details: true },
  });
  const isVisible = coupon && (caller.isAdmin || (await isInUpline(caller.userId, coupon.user_id)));
  if (!isVisible) return response.status(404).json(job.errors.notFound);
  const { user, totals, details, ...own } = coupon;
  const { login, email, display_name } = user ?? {};
  const { method_type = null, encrypted_details = null } = details ?? {};
  const { coupon_id: _, ...figures } = totals ?? {};
  response.json(job.couponView({ ...figures, ...own, login, email, display_name, method_type, encrypted_details }, caller));
});

app.use((error, _request, response, _next) => {
  const status = error.status ?? 500;
  response.status(status).json({ code: 'rest_invalid_param', message: error.message, data: { status } });
});

const server = app.listen(job.port, '127.0.0.1', () => job.printListening(server.address()));
