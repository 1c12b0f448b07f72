import { Router } from '@koa/router';
import { ApiError } from '../../domain/errors.ts';
import { hashPassword, isOutdatedHash, replaceOutdatedHash } from '../../domain/users/password.ts';
import { isSecondFactorRequired } from '../../domain/users/second-factor.ts';
import { findSession, issueTicket, sessionHash, signIn, type VerifiedUser, verifyCredentials } from '../../domain/users/sign-in.ts';
import type { User } from '../../domain/users/user.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { csrfCookie, csrfHeader, isSameSecret, sessionCookie } from '../auth/credentials.ts';
import { readCookie, setCookie } from '../http/cookies.ts';
import { getQueryValue } from '../http/query.ts';
import type { RequestContext, RequestState } from '../http/request-context.ts';
import type { Holder } from '../limits/password-queue.ts';
import { explainForeignForm, formFields, isOwnForm, readForm, redirect } from './forms.ts';
import { requireHttps, showErrors } from './page-guards.ts';
import { sendCode, sendSetup, showCodeForm, showSetupForm } from './second-factor-pages.ts';
import {
  getSignInContext,
  refuseSignIn,
  type SignInOptions,
  setCsrfCookie,
  setSignedIn,
  showSignedIn,
  showSignInForm,
} from './sign-in-forms.ts';

/** Sign-in and sign-out in a browser. */
export function signInRoutes(options: SignInOptions): Router<RequestState> {
  const router = new Router<RequestState>();
  const guards = [showErrors, requireHttps(options.allowPlainHttp)] as const;
  router.get('/sign-in', ...guards, (ctx) => showSignIn(ctx, options));
  router.post('/sign-in', ...guards, readForm, (ctx) => sendPassword(ctx, options));
  router.post('/sign-in/code', ...guards, readForm, (ctx) => sendCode(ctx, options));
  router.post('/sign-in/set-up', ...guards, readForm, (ctx) => sendSetup(ctx, options));
  router.post('/sign-out', showErrors, readForm, (ctx) => signOut(ctx, options));
  return router;
}

/** A browser that is signed in already is sent back, or gets the page from which it can sign out. */
async function showSignIn(ctx: RequestContext, { storage, clock }: SignInOptions): Promise<void> {
  const cookie = readCookie(ctx, sessionCookie);
  const signedIn = cookie ? await findSession(storage, cookie, clock.now()) : null;
  if (!signedIn) return showSignInForm(ctx);
  setCsrfCookie(ctx, signedIn.session);
  showSignedIn(ctx, signedIn, getQueryValue(ctx, 'to'));
}

const wrongPassword = 'The login or the password is wrong.';

async function sendPassword(ctx: RequestContext, options: SignInOptions): Promise<void> {
  const { storage, attempts, hashing } = options;
  const { login = '', password = '' } = formFields(ctx);
  if (!isOwnForm(ctx)) {
    ctx.status = 403;
    return showSignInForm(ctx, explainForeignForm(ctx));
  }
  const holder = { address: ctx.state.address, userId: await attempts.findDeviceUser(ctx, login) };
  // Counted as a failure when it has a place: one that is refused for want of places is none.
  return hashing.run(holder, async () => {
    const found = await storage.query(({ users }) => users.withCredentials(login));
    return attempts.run(ctx, { userId: found?.user.id ?? null, names: [login] }, async (succeed) => {
      const verified = await verifyCredentials(found, password);
      if (!verified) return refuseSignIn(ctx, wrongPassword);
      if (isOutdatedHash(verified.passwordHash)) options.background.runAfter(ctx, () => renewHash(verified, password, holder, options));
      return continueSignIn(ctx, verified, succeed, options);
    });
  });
}

/** After the response: the time of a sign-in does not reveal that the hash was an old one. */
async function renewHash(
  { user, passwordHash: former }: VerifiedUser,
  password: string,
  holder: Holder,
  { storage, hashing, random }: SignInOptions,
): Promise<void> {
  const renewed = await hashing.run(holder, () => hashPassword(password, random));
  await storage.write((transaction) => replaceOutdatedHash(transaction, user.id, { former, renewed }));
}

/** After the right password. */
async function continueSignIn(
  ctx: RequestContext,
  verified: VerifiedUser,
  succeed: () => Promise<void>,
  options: SignInOptions,
): Promise<void> {
  const { storage } = options;
  const context = getSignInContext(ctx, options);
  const nextPage = await findNextPage(verified.user, ctx.state.settings, storage);
  if (nextPage) {
    const ticket = await storage.write((transaction) => issueTicket(transaction, verified.user, context));
    await succeed();
    return nextPage === 'code' ? showCodeForm(ctx, ticket) : showSetupForm(ctx, ticket, verified.user, options);
  }
  const signedIn = await storage.write((transaction) => signIn(transaction, verified, context));
  if (!signedIn) return refuseSignIn(ctx, wrongPassword);
  await succeed();
  setSignedIn(ctx, signedIn);
  showSignedIn(ctx, signedIn, formFields(ctx)['to']);
}

/** What follows the password: the page for the code, the one that sets the second factor up, or none. */
async function findNextPage(
  user: User,
  { security: { second_factor: policy } }: Settings,
  storage: SignInOptions['storage'],
): Promise<'code' | 'set-up' | null> {
  if (policy === 'off') return null;
  const factor = await storage.query(({ secondFactors }) => secondFactors.ofUser(user.id));
  if (factor) return 'code';
  return isSecondFactorRequired(user, policy) ? 'set-up' : null;
}

async function signOut(ctx: RequestContext, { storage }: SignInOptions): Promise<void> {
  const cookie = readCookie(ctx, sessionCookie);
  const hash = sessionHash(cookie ?? '');
  const session = cookie ? await storage.read(({ sessions }) => sessions.byHash(hash)) : null;
  const csrfToken = formFields(ctx)['token'] ?? ctx.get(csrfHeader);
  if (session && !isSameSecret(session.csrfToken, csrfToken)) throw new ApiError('svc_api_csrf_failed');
  if (session) await storage.write(({ sessions }) => sessions.remove(hash));
  // A form of another site comes without the cookie, and must not end the session.
  if (cookie) for (const name of [sessionCookie, csrfCookie]) setCookie(ctx, name, null);
  redirect(ctx, '/sign-in');
}
