import { Router } from '@koa/router';
import compose from 'koa-compose';
import type { Clock } from '../../domain/clock.ts';
import { localDateTime } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { changeOwnPassword, confirmationMs } from '../../domain/users/own-password.ts';
import { hashPassword, verifyPassword } from '../../domain/users/password.ts';
import { findPasswordProblem } from '../../domain/users/password-rules.ts';
import type { VerifiedUser } from '../../domain/users/sign-in.ts';
import type { User } from '../../domain/users/user.ts';
import { buildProgram } from '../../site/program.ts';
import { csrfCookie, sessionCookie } from '../auth/credentials.ts';
import type { Lockout } from '../auth/lockout.ts';
import { noStore, requireCsrfToken, requireSession } from '../auth/session-guard.ts';
import { readBody } from '../contract/read-body.ts';
import type { Middleware, RequestContext, RequestState } from '../http/request-context.ts';
import { BoundedQueue } from '../limits/bounded-queue.ts';
import { setCookie } from './forms.ts';
import { signInBounds } from './sign-in.ts';

interface OwnPasswordParts {
  storage: UnitOfWork<Repositories>;
  lockout: Lockout;
  clock: Clock;
  random: SecureRandom;
  /** Identifies the caller and counts the request, as for the API. */
  identify: Middleware[];
}

/**
 * Passwords in the console, outside of the API, which never takes one: `POST /console/confirm { password }`, after which the session may call
 * operations with `x-confirm-password`, and `POST /console/password { old_password, new_password }`.
 */
export function ownPasswordRoutes(parts: OwnPasswordParts): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true });
  const guard = compose([...parts.identify, noStore]);
  const queue = new BoundedQueue(signInBounds);
  router.post('/console/confirm', guard, (ctx: RequestContext) => queue.run(() => confirmPassword(ctx, parts)));
  router.post('/console/password', guard, (ctx: RequestContext) => queue.run(() => changePassword(ctx, parts)));
  return router;
}

async function confirmPassword(ctx: RequestContext, parts: OwnPasswordParts): Promise<void> {
  const { storage, clock } = parts;
  const { user, session } = requireSession(ctx);
  requireCsrfToken(ctx, session);
  const { password } = await readPasswords(ctx, ['password']);
  await verifyOwnPassword(ctx, user, password, parts);
  const until = clock.now() + confirmationMs;
  // The session has ended if the password was changed in the meantime.
  if (!(await storage.write(({ sessions }) => sessions.confirm(session.hash, until)))) throw new ApiError('svc_api_unauthorized');
  ctx.body = { confirmed_until: localDateTime(until, ctx.state.settings.store.timezone) };
}

async function changePassword(ctx: RequestContext, parts: OwnPasswordParts): Promise<void> {
  const { storage, clock, random } = parts;
  const { user, session } = requireSession(ctx);
  requireCsrfToken(ctx, session);
  const { old_password, new_password } = await readPasswords(ctx, ['old_password', 'new_password']);
  const problem = await findPasswordProblem(new_password, user);
  if (problem !== null) throw invalid({ new_password: `The new password ${problem}` });
  const verified = await verifyOwnPassword(ctx, user, old_password, parts);
  const newHash = await hashPassword(new_password, random);
  const context = { now: clock.now(), random, sender: buildProgram(ctx.state.settings) };
  const started = await storage.write((transaction) => changeOwnPassword(transaction, verified, newHash, context));
  if (!started) throw wrongPassword();
  setCookie(ctx, sessionCookie, started.cookie);
  setCookie(ctx, csrfCookie, started.session.csrfToken, { httpOnly: false });
  ctx.body = { changed: true };
}

/** A wrong one counts towards the lock-out. 403, because 401 would mean that there is no session. */
async function verifyOwnPassword(
  { state: { address, settings } }: RequestContext,
  user: User,
  password: string,
  { storage, lockout }: OwnPasswordParts,
): Promise<VerifiedUser> {
  const lockedOut = await lockout.recordFailure(address, settings);
  if (lockedOut) throw lockedOut;
  const passwordHash = await storage.query(({ users }) => users.passwordHashOf(user.id));
  if (!(await verifyPassword(password, passwordHash)) || passwordHash === null) throw wrongPassword();
  await lockout.undoFailure(address, settings);
  return { user, passwordHash };
}

const wrongPassword = (): ApiError => new ApiError('svc_api_confirm_password', { message: 'The password is wrong. Try again.' });

const bodyTypes = { content: { 'application/json': { schema: {} }, 'application/x-www-form-urlencoded': { schema: {} } } };

/** As many characters as the rules for new ones allow. */
const maxLength = 1000;

async function readPasswords<Name extends string>(ctx: RequestContext, names: readonly Name[]): Promise<Record<Name, string>> {
  const body = await readBody(ctx, bodyTypes);
  const sent = body instanceof Map ? Object.fromEntries([...body].map(([name, { texts }]) => [name, texts[0]])) : Object(body ?? {});
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.length <= maxLength;
  const problems = names.filter((name) => !isText(sent[name])).map((name) => [name, `${name} must be 1 to ${maxLength} characters.`]);
  if (problems.length > 0) throw invalid(Object.fromEntries(problems));
  return sent;
}

const invalid = (params: Record<string, string>): ApiError =>
  new ApiError('rest_invalid_param', { message: Object.values(params).join(' '), data: { params } });
