import { Router } from '@koa/router';
import bodyParser from 'koa-bodyparser';
import type { Clock } from '../../domain/clock.ts';
import { ApiError } from '../../domain/errors.ts';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import type { Session } from '../../domain/users/session.ts';
import { findSession, sessionHash, startSession, userByPassword } from '../../domain/users/sign-in.ts';
import type { User } from '../../domain/users/user.ts';
import { csrfCookie, csrfHeader, isSameSecret, sessionCookie } from '../auth/credentials.ts';
import type { Lockout } from '../auth/lockout.ts';
import { toBodyError } from '../contract/read-body.ts';
import type { RequestContext, RequestState } from '../http/request-context.ts';
import { BoundedQueue } from '../limits/bounded-queue.ts';
import { parseReturnUrl } from './return-url.ts';
import { sendSmallPage } from './small-page.ts';

const formCookie = 'svc_sign_in';

export interface SignInOptions {
  storage: UnitOfWork<Repositories>;
  lockout: Lockout;
  clock: Clock;
  random: SecureRandom;
  /** False in production, where passwords are accepted over HTTPS only. */
  allowPlainHttp: boolean;
}

/** Hashing a password takes one of the four threads that SQLite also reads with, for some 50 ms. */
const signInBounds = { running: 2, waiting: 16 };

/** Sign-in and sign-out in a browser. */
export function signInRoutes(options: SignInOptions): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get('/sign-in', (ctx) => showSignIn(ctx, options));
  const queue = new BoundedQueue(signInBounds);
  router.post('/sign-in', readForm, (ctx) => queue.run(() => signIn(ctx, options)));
  router.post('/sign-out', readForm, (ctx) => signOut(ctx, options));
  return router;
}

const parseForm = bodyParser({ enableTypes: ['form'], formLimit: '16kb' });

export async function readForm(ctx: RequestContext, next: () => Promise<void>): Promise<void> {
  try {
    await parseForm(ctx as Parameters<typeof parseForm>[0], async () => {});
  } catch (error) {
    // As in `parseRequest`: the unread rest of the body would block the next request on this connection.
    ctx.req.unpipe().resume();
    throw toBodyError(error);
  }
  await next();
}

/** The fields that were sent once; a repeated one would be a list. */
const formFields = ({ request }: RequestContext): Record<string, string> =>
  Object.fromEntries(
    Object.entries((request as { body?: object }).body ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** A browser that is signed in already is sent back, or gets the page from which it can sign out. */
async function showSignIn(ctx: RequestContext, options: SignInOptions): Promise<void> {
  const { storage, clock, allowPlainHttp } = options;
  const cookie = ctx.state.isSecure || allowPlainHttp ? ctx.cookies.get(sessionCookie) : undefined;
  const signedIn = cookie ? await findSession(storage, cookie, clock.now()) : null;
  return signedIn ? completeSignIn(ctx, signedIn, ctx.query['to']) : showForm(ctx, options, '');
}

const footer = '<footer><a href="/">About this service</a></footer>';

function showForm(ctx: RequestContext, { random }: SignInOptions, problem: string): void {
  const token = random.bytes(24).toString('base64url');
  const to = parseReturnUrl(ctx.method === 'POST' ? formFields(ctx)['to'] : ctx.query['to']);
  setCookie(ctx, formCookie, token, { sameSite: 'strict', path: '/sign-in' });
  sendSmallPage(
    ctx,
    'Sign in',
    `${problem && `<p class="problem" role="alert">${escapeHtml(problem)}</p>\n`}<form method="post" action="/sign-in">
<input type="hidden" name="token" value="${token}">${to === null ? '' : `<input type="hidden" name="to" value="${escapeHtml(to)}">`}
<label for="login">Login or email</label><input id="login" name="login" autocomplete="username" required autofocus>
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>
${footer}`,
  );
}

async function signIn(ctx: RequestContext, options: SignInOptions): Promise<void> {
  const { storage, lockout, clock, random } = options;
  if (!ctx.state.isSecure && !options.allowPlainHttp) throw new ApiError('svc_api_https_required');
  const { login = '', password = '', token = '', to } = formFields(ctx);
  // Another site cannot sign a browser in: the form's token must equal its cookie.
  const formToken = ctx.cookies.get(formCookie) ?? '';
  if (formToken === '' || !isSameSecret(formToken, token)) {
    ctx.status = 403;
    return showForm(ctx, options, 'The form was too old. Please try again.');
  }
  const { address, settings } = ctx.state;
  const lockedOut = await lockout.recordFailure(address, settings);
  if (lockedOut) throw lockedOut;
  const verified = await userByPassword(storage, login, password);
  const started = verified && (await storage.write((transaction) => startSession(transaction, verified, clock.now(), random)));
  if (!started) {
    ctx.status = 401;
    return showForm(ctx, options, 'The login or the password is wrong.');
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
  for (const name of [sessionCookie, csrfCookie]) setCookie(ctx, name, null);
  redirect(ctx, '/sign-in');
}

function redirect(ctx: RequestContext, url: string): void {
  ctx.status = 303;
  ctx.redirect(url);
}

type CookieOptions = Parameters<RequestContext['cookies']['set']>[2];

/** Null deletes the cookie. */
function setCookie(ctx: RequestContext, name: string, value: string | null, options: CookieOptions = {}): void {
  // Without TLS, which only environments for development allow, browsers would drop a secure cookie. Koa does not know trusted proxies.
  const secure = ctx.state.isSecure;
  ctx.cookies.secure = secure;
  ctx.cookies.set(name, value, { sameSite: 'lax', secure, ...options });
}
