import type { Clock } from '../../domain/clock.ts';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import type { Secrets } from '../../domain/master-key/secrets.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { deviceLifetimeMs } from '../../domain/users/device.ts';
import type { Session } from '../../domain/users/session.ts';
import type { SignedIn, SignInContext } from '../../domain/users/sign-in.ts';
import type { User } from '../../domain/users/user.ts';
import { buildProgram } from '../../site/program.ts';
import { isOpenToApplicants } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { describeBrowser } from '../auth/browser.ts';
import { csrfCookie, deviceCookie, sessionCookie } from '../auth/credentials.ts';
import type { SignInAttempts } from '../auth/sign-in-attempts.ts';
import { setCookie } from '../http/cookies.ts';
import { getQueryValue } from '../http/query.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { PasswordQueue } from '../limits/password-queue.ts';
import type { BackgroundWork } from './background-work.ts';
import { type FormField, formFields, redirect, renderForm } from './forms.ts';
import { parseReturnUrl } from './return-url.ts';
import { sendSmallPage } from './small-page.ts';

// What the pages of a sign-in have in common: the form for the password, and what follows a success.

export interface SignInOptions {
  storage: UnitOfWork<Repositories>;
  attempts: SignInAttempts;
  hashing: PasswordQueue;
  background: BackgroundWork;
  clock: Clock;
  random: SecureRandom;
  /** For second factors. */
  secrets: Secrets;
  /** False in production: see `acceptsSession`. */
  allowPlainHttp: boolean;
}

const footer = '<footer><a href="/">About this service</a></footer>';

const signInLinks = (settings: Settings): string =>
  `<footer><a href="/forgot-password">Forgot your password?</a>${isOpenToApplicants(settings) ? '<br><a href="/apply">Join the program</a>' : ''}</footer>`;

/** After the set-up. */
const programReady = '<p role="status">Your program is ready. Sign in with the login and the password that you just chose.</p>\n';

const fields: readonly FormField[] = [
  { name: 'login', label: 'Login or email', autocomplete: 'username', isRequired: true },
  { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', isRequired: true },
];

export function showSignInForm(ctx: RequestContext, problem = ''): void {
  const sent = formFields(ctx);
  const to = parseReturnUrl(ctx.method === 'POST' ? sent['to'] : getQueryValue(ctx, 'to'));
  const form = { action: '/sign-in', button: 'Sign in', fields, values: { login: sent['login'] ?? '' }, problem };
  sendSmallPage(
    ctx,
    'Sign in',
    `${getQueryValue(ctx, 'ready') === '1' ? programReady : ''}${renderForm(ctx, { ...form, ...(to !== null && { hidden: { to } }) })}\n${signInLinks(ctx.state.settings)}`,
  );
}

/** Shows the form again, after a proof that was not accepted. */
export function refuseSignIn(ctx: RequestContext, problem: string): void {
  ctx.status = 401;
  showSignInForm(ctx, problem);
}

export const getSignInContext = (ctx: RequestContext, { clock, random }: Pick<SignInOptions, 'clock' | 'random'>): SignInContext => ({
  now: clock.now(),
  random,
  browser: describeBrowser(ctx),
  sender: buildProgram(ctx.state.settings),
});

/** The cookies of a new session. */
export function setSignedIn(ctx: RequestContext, signedIn: SignedIn): void {
  setCookie(ctx, sessionCookie, signedIn.cookie);
  setDeviceCookie(ctx, signedIn.deviceCookie);
  setCsrfCookie(ctx, signedIn.session);
}

export const setDeviceCookie = (ctx: RequestContext, cookie: string): void =>
  setCookie(ctx, deviceCookie, cookie, { maxAge: deviceLifetimeMs });

/** Read by the page's script, which sends it back in a header. */
export const setCsrfCookie = (ctx: RequestContext, { csrfToken }: Session): void =>
  setCookie(ctx, csrfCookie, csrfToken, { httpOnly: false });

export function showSignedIn(ctx: RequestContext, { session, user }: { session: Session; user: User }, to: unknown): void {
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
