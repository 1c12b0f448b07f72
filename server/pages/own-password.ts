import { Router } from '@koa/router';
import compose from 'koa-compose';
import type { Clock } from '../../domain/clock.ts';
import { localDateTime } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Secrets } from '../../domain/master-key/secrets.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { changeOwnPassword } from '../../domain/users/own-password.ts';
import { hashPassword, verifyPassword } from '../../domain/users/password.ts';
import { findPasswordProblem } from '../../domain/users/password-rules.ts';
import { useSecondFactor } from '../../domain/users/second-factor.ts';
import { confirmationMs, type VerifiedUser } from '../../domain/users/sign-in.ts';
import type { User } from '../../domain/users/user.ts';
import { buildProgram } from '../../site/program.ts';
import { describeBrowser } from '../auth/browser.ts';
import { csrfCookie, sessionCookie } from '../auth/credentials.ts';
import type { IdentifiedSession } from '../auth/identity.ts';
import { noStore, requireCsrfToken, requireSession } from '../auth/session-guard.ts';
import { accountOf, type SignInAttempts } from '../auth/sign-in-attempts.ts';
import { findStep } from '../auth/totp.ts';
import { setCookie } from '../http/cookies.ts';
import type { Middleware, RequestContext, RequestState } from '../http/request-context.ts';
import type { Holder, PasswordQueue } from '../limits/password-queue.ts';
import { invalidFields, readFields, requireTexts } from './console-fields.ts';

interface OwnPasswordParts {
  storage: UnitOfWork<Repositories>;
  attempts: SignInAttempts;
  hashing: PasswordQueue;
  clock: Clock;
  random: SecureRandom;
  /** For second factors. */
  secrets: Secrets;
  /** Identifies the caller and counts the request, as for the API. */
  identify: Middleware[];
}

/**
 * Passwords in the console, outside of the API, which never takes one: `POST /console/confirm { password }` or `{ code }`, after which the
 * session may call operations with `x-confirm-password`, those with `code` after a code where the person has a second factor; and `POST /console/password { old_password, new_password }`.
 */
export function ownPasswordRoutes(parts: OwnPasswordParts): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true });
  const guard = compose([...parts.identify, noStore]);
  router.post('/console/confirm', guard, (ctx: RequestContext) => confirmSession(ctx, parts));
  router.post('/console/password', guard, (ctx: RequestContext) => changePassword(ctx, parts));
  return router;
}

async function confirmSession(ctx: RequestContext, parts: OwnPasswordParts): Promise<void> {
  const { storage, clock } = parts;
  const { user, session } = requireSession(ctx);
  requireCsrfToken(ctx, session);
  const sent = await readFields(ctx);
  const isByCode = 'code' in sent;
  if (isByCode) await verifyOwnCode(ctx, { user, session }, requireTexts(sent, ['code']).code, parts);
  else await verifyOwnPassword(ctx, user, requireTexts(sent, ['password']).password, parts);
  const until = clock.now() + confirmationMs;
  const isOff = ctx.state.settings.security.second_factor === 'off';
  const isConfirmed = await storage.write(async ({ sessions, secondFactors }) => {
    const isEnough = isByCode || isOff || (await secondFactors.ofUser(user.id)) === null;
    return sessions.confirm(session.hash, { confirmedUntil: until, ...(isEnough && { codeConfirmedUntil: until }) });
  });
  // The session has ended if the password was changed in the meantime.
  if (!isConfirmed) throw new ApiError('svc_api_unauthorized');
  ctx.body = { confirmed_until: localDateTime(until, ctx.state.settings.store.timezone) };
}

async function changePassword(ctx: RequestContext, parts: OwnPasswordParts): Promise<void> {
  const { storage, hashing, clock, random } = parts;
  const { user, session } = requireSession(ctx);
  requireCsrfToken(ctx, session);
  const { old_password, new_password } = requireTexts(await readFields(ctx), ['old_password', 'new_password']);
  const problem = await findPasswordProblem(new_password, user);
  if (problem !== null) throw invalidFields({ new_password: `The new password ${problem}` });
  const verified = await verifyOwnPassword(ctx, user, old_password, parts);
  const newHash = await hashing.run(holderOf(ctx, user), () => hashPassword(new_password, random));
  const context = { now: clock.now(), random, sender: buildProgram(ctx.state.settings), browser: describeBrowser(ctx) };
  const started = await storage.write((transaction) => changeOwnPassword(transaction, verified, newHash, context));
  if (!started) throw refuse('The password is wrong. Try again.');
  setCookie(ctx, sessionCookie, started.cookie);
  setCookie(ctx, csrfCookie, started.session.csrfToken, { httpOnly: false });
  ctx.body = { changed: true };
}

/** A wrong one counts as a failed sign-in. */
async function verifyOwnPassword(
  ctx: RequestContext,
  user: User,
  password: string,
  { storage, attempts, hashing }: OwnPasswordParts,
): Promise<VerifiedUser> {
  return hashing.run(holderOf(ctx, user), () =>
    attempts.run(ctx, accountOf(user), async (succeed) => {
      const passwordHash = await storage.query(({ users }) => users.passwordHashOf(user.id));
      if (!(await verifyPassword(password, passwordHash)) || passwordHash === null) throw refuse('The password is wrong. Try again.');
      await succeed();
      return { user, passwordHash };
    }),
  );
}

const holderOf = ({ state: { address } }: RequestContext, { id: userId }: User): Holder => ({ address, userId });

/** As `verifyOwnPassword`, and five wrong ones in ten minutes end it. */
async function verifyOwnCode(
  ctx: RequestContext,
  { user, session }: { user: User; session: IdentifiedSession },
  code: string,
  { storage, attempts, secrets, clock }: OwnPasswordParts,
): Promise<void> {
  const { settings } = ctx.state;
  if (settings.security.second_factor === 'off') throw refuse('Codes are not asked for any more. Give your password.');
  await attempts.run(ctx, accountOf(user), async (succeed) => {
    if ((await attempts.countCode(session.hash)) < 0) throw refuse('Too many wrong codes. Try again in 10 minutes.');
    const context = { now: clock.now(), sender: buildProgram(settings), decrypt: secrets.decrypt, findStep };
    const isRight = await storage.write((transaction) => useSecondFactor(transaction, user, code, context));
    if (!isRight) throw refuse('The code is wrong or was used before. Wait for the next one.');
    await succeed();
  });
}

/** 403, because 401 would mean that there is no session. */
const refuse = (message: string): ApiError => new ApiError('svc_api_confirm_password', { message });
