import { Router } from '@koa/router';
import type { Clock } from '../../domain/clock.ts';
import { ApiError } from '../../domain/errors.ts';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import type { Session } from '../../domain/users/session.ts';
import { findSession, sessionHash, startSession, userByPassword } from '../../domain/users/sign-in.ts';
import type { User } from '../../domain/users/user.ts';
import { isOpenToApplicants } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { csrfCookie, csrfHeader, isSameSecret, sessionCookie } from '../auth/credentials.ts';
import type { Lockout } from '../auth/lockout.ts';
import type { RequestContext, RequestState } from '../http/request-context.ts';
import { BoundedQueue } from '../limits/bounded-queue.ts';
import { type FormField, formFields, isOwnForm, oldForm, readForm, redirect, renderForm, setCookie } from './forms.ts';
import { requireHttps, showErrors } from './page-guards.ts';
import { parseReturnUrl } from './return-url.ts';
import { sendSmallPage } from './small-page.ts';

export interface SignInOptions {
  storage: UnitOfWork<Repositories>;
  lockout: Lockout;
  clock: Clock;
  random: SecureRandom;
  /** False in production: see `acceptsSession`. */
  allowPlainHttp: boolean;
}

/** Hashing a password takes one of the four threads that SQLite also reads with, for some 50 ms. */
export const signInBounds = { running: 2, waiting: 16 };

/** Sign-in and sign-out in a browser. */
export function signInRoutes(options: SignInOptions): Router<RequestState> {
  const router = new Router<RequestState>();
  const guards = [showErrors, requireHttps(options.allowPlainHttp)] as const;
  router.get('/sign-in', ...guards, (ctx) => showSignIn(ctx, options));
  const queue = new BoundedQueue(signInBounds);
  router.post('/sign-in', ...guards, readForm, (ctx) => queue.run(() => signIn(ctx, options)));
  router.post('/sign-out', showErrors, readForm, (ctx) => signOut(ctx, options));
  return router;
}

/** A browser that is signed in already is sent back, or gets the page from which it can sign out. */
async function showSignIn(ctx: RequestContext, { storage, clock }: SignInOptions): Promise<void> {
  const cookie = ctx.cookies.get(sessionCookie);
  const signedIn = cookie ? await findSession(storage, cookie, clock.now()) : null;
  return signedIn ? completeSignIn(ctx, signedIn, ctx.query['to']) : showForm(ctx);
}

const footer = '<footer><a href="/">About this service</a></footer>';

const signInLinks = (settings: Settings): string =>
  `<footer><a href="/forgot-password">Forgot your password?</a>${isOpenToApplicants(settings) ? '<br><a href="/apply">Join the program</a>' : ''}</footer>`;

const fields: readonly FormField[] = [
  { name: 'login', label: 'Login or email', autocomplete: 'username', isRequired: true },
  { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', isRequired: true },
];

function showForm(ctx: RequestContext, problem = ''): void {
  const sent = formFields(ctx);
  const to = parseReturnUrl(ctx.method === 'POST' ? sent['to'] : ctx.query['to']);
  const form = { action: '/sign-in', button: 'Sign in', fields, values: { login: sent['login'] ?? '' }, problem };
  sendSmallPage(
    ctx,
    'Sign in',
    `${renderForm(ctx, { ...form, ...(to !== null && { hidden: { to } }) })}\n${signInLinks(ctx.state.settings)}`,
  );
}

async function signIn(ctx: RequestContext, { storage, lockout, clock, random }: SignInOptions): Promise<void> {
  const { login = '', password = '', to } = formFields(ctx);
  if (!isOwnForm(ctx)) {
    ctx.status = 403;
    return showForm(ctx, oldForm);
  }
  const { address, settings } = ctx.state;
  const lockedOut = await lockout.recordFailure(address, settings);
  if (lockedOut) throw lockedOut;
  const verified = await userByPassword(storage, login, password);
  const started = verified && (await storage.write((transaction) => startSession(transaction, verified, clock.now(), random)));
  if (!started) {
    ctx.status = 401;
    return showForm(ctx, 'The login or the password is wrong.');
  }
  await lockout.undoFailure(address, settings);
  const { cookie, session } = started;
  setCookie(ctx, sessionCookie, cookie);
  completeSignIn(ctx, { session, user: verified.user }, to);
}

function completeSignIn(ctx: RequestContext, { session, user }: { session: Session; user: User }, to: unknown): void {
  // Read by the page's script, which sends it back in a header.
  setCookie(ctx, csrfCookie, session.csrfToken, { httpOnly: false });
  const returnUrl = parseReturnUrl(to);
  if (returnUrl !== null) return redirect(ctx, returnUrl);
  sendSmallPage(
    ctx,
    'Signed in',
    `<p>You are signed in as ${escapeHtml(user.displayName)}. Open the <a href="/console">console</a>, or call the API as yourself in the
<a href="/docs">API reference</a>.</p>
<form method="post" action="/sign-out"><input type="hidden" name="token" value="${escapeHtml(session.csrfToken)}"><button>Sign out</button></form>
${footer}`,
  );
}

async function signOut(ctx: RequestContext, { storage }: SignInOptions): Promise<void> {
  const cookie = ctx.cookies.get(sessionCookie);
  const hash = sessionHash(cookie ?? '');
  const session = cookie ? await storage.read(({ sessions }) => sessions.byHash(hash)) : null;
  const csrfToken = formFields(ctx)['token'] ?? ctx.get(csrfHeader);
  if (session && !isSameSecret(session.csrfToken, csrfToken)) throw new ApiError('svc_api_csrf_failed');
  if (session) await storage.write(({ sessions }) => sessions.remove(hash));
  // A form of another site comes without the cookie, and must not end the session.
  if (cookie) for (const name of [sessionCookie, csrfCookie]) setCookie(ctx, name, null);
  redirect(ctx, '/sign-in');
}
