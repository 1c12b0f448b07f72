import { Router } from '@koa/router';
import bodyParser from 'koa-bodyparser';
import type { Clock } from '../../domain/clock.ts';
import { ApiError } from '../../domain/errors.ts';
import type { UnitOfWork } from '../../domain/ports.ts';
import type { SecureRandom } from '../../domain/random.ts';
import { sessionHash, startSession, userByPassword } from '../../domain/sessions/sign-in.ts';
import { csrfCookie, isSameSecret, sessionCookie } from '../auth/credentials.ts';
import type { Lockout } from '../auth/lockout.ts';
import { toBodyError } from '../contract/parse-request.ts';
import type { RequestContext, RequestState } from '../http/request-context.ts';
import { escapeHtml, pagePolicy, renderPage } from './layout.ts';
import { parseReturnUrl } from './return-url.ts';

const formCookie = 'svc_sign_in';

export interface SignInOptions {
  storage: UnitOfWork;
  lockout: Lockout;
  clock: Clock;
  random: SecureRandom;
  /** Passwords go over HTTPS only, except where the site's environment is for trying out. */
  allowPlainHttp: boolean;
}

const fields = (ctx: RequestContext): Record<string, string> => {
  const body = (ctx.request as { body?: unknown }).body;
  return Object.fromEntries(
    Object.entries((body ?? {}) as object).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
};

const parseForm = bodyParser({ enableTypes: ['form'], formLimit: '16kb' });

async function readForm(ctx: RequestContext, next: () => Promise<void>): Promise<void> {
  try {
    await parseForm(ctx as Parameters<typeof parseForm>[0], async () => {});
  } catch (error) {
    throw toBodyError(error);
  }
  await next();
}

/** Sign-in and sign-out for people with a browser. */
export function signInRoutes(parts: SignInOptions): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get('/sign-in', (ctx) => show(ctx, parts, ''));
  router.post('/sign-in', readForm, (ctx) => signIn(ctx, parts));
  router.post('/sign-out', readForm, (ctx) => signOut(ctx, parts));
  return router;
}

function show(ctx: RequestContext, { random }: SignInOptions, problem: string): void {
  const token = random.bytes(24).toString('base64url');
  const to = parseReturnUrl(ctx.method === 'POST' ? fields(ctx)['to'] : ctx.query['to']);
  setCookie(ctx, formCookie, token, { httpOnly: true, sameSite: 'strict', path: '/sign-in' });
  ctx.set('Content-Security-Policy', pagePolicy);
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = renderPage(
    'Sign in',
    `${problem && `<p class="problem" role="alert">${escapeHtml(problem)}</p>\n`}<form method="post" action="/sign-in">
<input type="hidden" name="token" value="${token}">${to === null ? '' : `<input type="hidden" name="to" value="${escapeHtml(to)}">`}
<label for="login">Login or email</label><input id="login" name="login" autocomplete="username" required autofocus>
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>`,
  );
}

/** Nobody can sign a browser in from another site: the form's token must be the one in its own cookie. */
function comesFromOurForm(ctx: RequestContext, token: string | undefined): boolean {
  const cookie = ctx.cookies.get(formCookie) ?? '';
  return cookie !== '' && isSameSecret(cookie, token ?? '');
}

async function signIn(ctx: RequestContext, parts: SignInOptions): Promise<void> {
  const { storage, lockout, clock, random } = parts;
  if (!ctx.state.isSecure && !parts.allowPlainHttp) throw new ApiError('svc_api_https_required');
  const { login = '', password = '', token } = fields(ctx);
  if (!comesFromOurForm(ctx, token)) {
    ctx.status = 403;
    return show(ctx, parts, 'The form was too old. Please try again.');
  }
  const { address, settings } = ctx.state;
  refuse(await lockout.recordFailure(address, settings));
  const user = await userByPassword(storage, login, password);
  if (!user) {
    ctx.status = 401;
    return show(ctx, parts, 'The login or the password is wrong.');
  }
  await lockout.undoFailure(address, settings);
  const { cookie, session } = await storage.write((transaction) => startSession(transaction, user, clock.now(), random));
  setCookie(ctx, sessionCookie, cookie, { httpOnly: true });
  setCookie(ctx, csrfCookie, session.csrfToken, { httpOnly: false });
  const to = parseReturnUrl(fields(ctx)['to']);
  if (to === null) return signedIn(ctx, user.displayName, session.csrfToken);
  ctx.status = 303;
  ctx.redirect(to);
}

function refuse(lockedOut: ApiError | null): void {
  if (lockedOut) throw lockedOut;
}

function signedIn(ctx: RequestContext, name: string, csrfToken: string): void {
  ctx.set('Content-Security-Policy', pagePolicy);
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = renderPage(
    'Signed in',
    `<p>You are signed in as ${escapeHtml(name)}. The <a href="/docs">API reference</a> can call as you now.</p>
<form method="post" action="/sign-out"><input type="hidden" name="token" value="${escapeHtml(csrfToken)}"><button>Sign out</button></form>`,
  );
}

async function signOut(ctx: RequestContext, { storage }: SignInOptions): Promise<void> {
  const cookie = ctx.cookies.get(sessionCookie);
  const hash = sessionHash(cookie ?? '');
  const session = cookie ? await storage.read(({ sessions }) => sessions.byHash(hash)) : null;
  if (session && !isSameSecret(session.csrfToken, fields(ctx)['token'] ?? '')) throw new ApiError('svc_api_csrf_failed');
  if (session) await storage.write(({ sessions }) => sessions.remove(hash));
  for (const name of [sessionCookie, csrfCookie]) setCookie(ctx, name, '', { httpOnly: true, maxAge: 0 });
  ctx.status = 303;
  ctx.redirect('/sign-in');
}

interface CookieOptions {
  httpOnly: boolean;
  sameSite?: 'strict' | 'lax';
  path?: string;
  maxAge?: number;
}

function setCookie(
  ctx: RequestContext,
  name: string,
  value: string,
  { httpOnly, sameSite = 'lax', path = '/', maxAge }: CookieOptions,
): void {
  const attributes = [
    `${name}=${value}`,
    `Path=${path}`,
    `SameSite=${sameSite === 'lax' ? 'Lax' : 'Strict'}`,
    ...(httpOnly ? ['HttpOnly'] : []),
    // Without TLS, which only a site for trying out allows, a browser would drop a secure cookie.
    ...(ctx.state.isSecure ? ['Secure'] : []),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ];
  ctx.append('Set-Cookie', attributes.join('; '));
}
