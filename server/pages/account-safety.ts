import { Router } from '@koa/router';
import compose from 'koa-compose';
import type { Clock } from '../../domain/clock.ts';
import { localDateTime } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Secrets } from '../../domain/master-key/secrets.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import {
  isSecondFactorRequired,
  renewRecoveryCodes,
  switchOffSecondFactor,
  switchOnSecondFactor,
} from '../../domain/users/second-factor.ts';
import type { Session } from '../../domain/users/session.ts';
import { buildProgram } from '../../site/program.ts';
import { noStore, requireConfirmed, requireCsrfToken, requireSession } from '../auth/session-guard.ts';
import { completeSetup, createSetup } from '../auth/totp.ts';
import type { Middleware, RequestContext, RequestState } from '../http/request-context.ts';
import { invalidFields, readFields, requireTexts } from './console-fields.ts';

interface AccountSafetyParts {
  storage: UnitOfWork<Repositories>;
  clock: Clock;
  random: SecureRandom;
  /** For second factors. */
  secrets: Secrets;
  /** Identifies the caller and counts the request, as for the API. */
  identify: Middleware[];
}

type Handle = (ctx: RequestContext, parts: AccountSafetyParts) => Promise<void>;

/** Second factor and sessions of the own account, in the console. What weakens the account needs a confirmed password, or code. */
export function accountSafetyRoutes(parts: AccountSafetyParts): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true });
  const guard = compose([...parts.identify, noStore]);
  const route = (handle: Handle) => [guard, (ctx: RequestContext) => handle(ctx, parts)] as const;
  router.get('/console/security', ...route(showSafety));
  router.delete('/console/sessions/:id', ...route(endSession));
  router.delete('/console/sessions', ...route(endOtherSessions));
  router.post('/console/second-factor', ...route(beginSetup));
  router.put('/console/second-factor', ...route(switchOn));
  router.delete('/console/second-factor', ...route(switchOff));
  router.post('/console/recovery-codes', ...route(replaceRecoveryCodes));
  return router;
}

/** A part of the hash names a session, and is of no use to anyone else. */
const sessionId = ({ hash }: Pick<Session, 'hash'>): string => hash.slice(0, 16);

async function showSafety(ctx: RequestContext, { storage, clock }: AccountSafetyParts): Promise<void> {
  const { user, session: current } = requireSession(ctx);
  const { store, security } = ctx.state.settings;
  const [factor, codes, sessions] = await storage.read(async (db) => [
    await db.secondFactors.ofUser(user.id),
    await db.secondFactors.countRecoveryCodes(user.id),
    await db.sessions.ofUser(user.id, clock.now()),
  ]);
  const local = (at: number): string => localDateTime(at, store.timezone);
  ctx.body = {
    second_factor: {
      is_offered: security.second_factor !== 'off',
      is_required: isSecondFactorRequired(user, security.second_factor),
      date_set_up: factor && local(factor.createdAt),
      recovery_codes: codes,
    },
    sessions: sessions.map((session) => ({
      id: sessionId(session),
      device: session.device || 'Unknown device',
      address: session.address,
      date_signed_in: local(session.createdAt),
      // 0 where a session is older than this record.
      last_used: local(Math.max(session.lastUsedAt, session.createdAt)),
      is_current: session.hash === current.hash,
    })),
  };
}

async function endSession(ctx: RequestContext, { storage, clock }: AccountSafetyParts): Promise<void> {
  const { user, session } = requireSession(ctx);
  requireCsrfToken(ctx, session);
  const id = String(ctx['params'].id);
  await storage.write(async ({ sessions }) => {
    const ended = (await sessions.ofUser(user.id, clock.now())).find((own) => sessionId(own) === id);
    if (!ended) throw new ApiError('svc_api_not_found');
    await sessions.remove(ended.hash);
  });
  ctx.body = { ended: true };
}

async function endOtherSessions(ctx: RequestContext, { storage }: AccountSafetyParts): Promise<void> {
  const { user, session } = requireSession(ctx);
  requireCsrfToken(ctx, session);
  await storage.write(({ sessions }) => sessions.removeOf(user.id, session.hash));
  ctx.body = { ended: true };
}

function requireOwnCode(ctx: RequestContext) {
  const { user, session } = requireSession(ctx);
  requireCsrfToken(ctx, session);
  requireConfirmed(session, 'code');
  return { user, session };
}

async function beginSetup(ctx: RequestContext, { clock, random, secrets }: AccountSafetyParts): Promise<void> {
  const { user } = requireOwnCode(ctx);
  const { store, security } = ctx.state.settings;
  if (security.second_factor === 'off') throw new ApiError('svc_api_forbidden', { message: 'The store does not offer a second factor.' });
  ctx.body = createSetup(user, store.name, { now: clock.now(), secrets, random });
}

async function switchOn(ctx: RequestContext, { storage, clock, random, secrets }: AccountSafetyParts): Promise<void> {
  const { user, session } = requireOwnCode(ctx);
  const { setup, code } = requireTexts(await readFields(ctx), ['setup', 'code']);
  const now = clock.now();
  const completed = completeSetup({ setup, code }, user.id, { now, secrets });
  if (completed === 'old') throw invalidFields({ setup: 'The set-up took too long. Begin again.' });
  if (completed === 'wrong') throw invalidFields({ code: 'The code is wrong. Type the one that your app shows now.' });
  const context = { now, random, sender: buildProgram(ctx.state.settings) };
  const codes = await storage.write((transaction) => switchOnSecondFactor(transaction, { user, session }, completed, context));
  ctx.body = { recovery_codes: codes };
}

async function switchOff(ctx: RequestContext, { storage, clock }: AccountSafetyParts): Promise<void> {
  const { user } = requireOwnCode(ctx);
  if (isSecondFactorRequired(user, ctx.state.settings.security.second_factor))
    throw new ApiError('svc_api_forbidden', { message: 'The store requires a second factor of you. You can set it up on another phone.' });
  const context = { now: clock.now(), sender: buildProgram(ctx.state.settings) };
  await storage.write((transaction) => switchOffSecondFactor(transaction, user, context));
  ctx.body = { switched_off: true };
}

async function replaceRecoveryCodes(ctx: RequestContext, { storage, clock, random }: AccountSafetyParts): Promise<void> {
  const { user } = requireOwnCode(ctx);
  const context = { now: clock.now(), sender: buildProgram(ctx.state.settings) };
  ctx.body = await storage.write(async (transaction) => {
    if (!(await transaction.secondFactors.ofUser(user.id))) throw new ApiError('svc_api_not_found');
    return { recovery_codes: await renewRecoveryCodes(transaction, user, { random, ...context }) };
  });
}
