import { Router } from '@koa/router';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import { hashPassword } from '../../domain/users/password.ts';
import { countLinkMail, findPasswordLink, sendPasswordReset, setPasswordByLink } from '../../domain/users/password-links.ts';
import { findPasswordProblem, minPasswordLength } from '../../domain/users/password-rules.ts';
import type { User } from '../../domain/users/user.ts';
import { buildProgram } from '../../site/program.ts';
import { describeBrowser } from '../auth/browser.ts';
import { getQueryValue } from '../http/query.ts';
import type { RequestContext, RequestState } from '../http/request-context.ts';
import { addressGroup } from '../http/trusted-proxies.ts';
import type { PasswordQueue } from '../limits/password-queue.ts';
import { type AnonymousPageOptions, hourSeconds } from './anonymous-page.ts';
import { explainForeignForm, type FormField, type FormState, formFields, isOwnForm, readForm, renderForm } from './forms.ts';
import { requireHttps, showErrors } from './page-guards.ts';
import { setDeviceCookie } from './sign-in-forms.ts';
import { sendSmallPage, sendTooMany } from './small-page.ts';

export interface PasswordPageOptions extends AnonymousPageOptions {
  hashing: PasswordQueue;
  /** False in production: see `acceptsSession`. */
  allowPlainHttp: boolean;
}

const requestsPerAddress = 20;

/** The pages of a person who has no password, or has forgotten it. */
export function passwordRoutes(options: PasswordPageOptions): Router<RequestState> {
  const router = new Router<RequestState>();
  const httpsGuard = requireHttps(options.allowPlainHttp);
  router.get('/forgot-password', showErrors, (ctx) => showForgot(ctx));
  router.post('/forgot-password', showErrors, readForm, (ctx) => requestReset(ctx, options));
  router.get('/set-password', showErrors, httpsGuard, (ctx) => showSetPassword(ctx, options));
  router.post('/set-password', showErrors, httpsGuard, readForm, (ctx) => setPassword(ctx, options));
  return router;
}

const nameField: FormField = { name: 'name', label: 'Login or email', autocomplete: 'username', isRequired: true };

function showForgot(ctx: RequestContext, state: FormState = {}): void {
  if (ctx.state.settings.service.url === '') return showNoMails(ctx);
  const form = renderForm(ctx, { action: '/forgot-password', button: 'Send the link', fields: [nameField], ...state });
  sendSmallPage(ctx, 'Forgot your password?', `<p>We send you a link to set a new one.</p>\n${form}\n${signInFooter}`);
}

/** Links name `service.url` alone: the host of a request is chosen by its sender. */
function showNoMails(ctx: RequestContext): void {
  const { name } = ctx.state.settings.store;
  sendSmallPage(
    ctx,
    'Forgot your password?',
    `<p>This service cannot send you a link, because its address is not set up. Write to ${escapeHtml(name)} and ask for a new password.</p>
<p>For the operator: set <code>service.url</code>, or run <code>affiliate user password &lt;login&gt;</code>.</p>
${signInFooter}`,
  );
}

const signInFooter = '<footer><a href="/sign-in">Sign in</a></footer>';

/** The response is the same for every name. The account is looked up after it. */
async function requestReset(ctx: RequestContext, options: PasswordPageOptions): Promise<void> {
  const { name = '' } = formFields(ctx);
  if (ctx.state.settings.service.url === '') return showNoMails(ctx);
  if (!isOwnForm(ctx)) {
    ctx.status = 403;
    return showForgot(ctx, { problem: explainForeignForm(ctx), values: { name } });
  }
  const bucket = `password-requests:${addressGroup(ctx.state.address)}`;
  const { count, secondsLeft } = await options.counters.hit(bucket, hourSeconds);
  if (count > requestsPerAddress) return sendTooMany(ctx, secondsLeft);
  options.background.runAfter(ctx, () => mailReset(name.trim(), ctx.state, options));
  sendSmallPage(
    ctx,
    'Check your inbox',
    `<p>If there is an account with this name, a mail with a link is on its way. The link works for one hour.</p>
<p>Nothing there after some minutes? Look into the spam folder, and check that you use the address of your account.</p>
${signInFooter}`,
  );
}

async function mailReset(name: string, { settings }: RequestState, options: PasswordPageOptions): Promise<void> {
  const { storage, clock, random, counters } = options;
  const found = await storage.query(({ users }) => users.withCredentials(name));
  if (!found) return;
  if ((await countLinkMail(counters, found.user.id)) > 0) return;
  const context = { now: clock.now(), random, sender: buildProgram(settings) };
  await storage.write((transaction) => sendPasswordReset(transaction, found.user, context));
}

const passwordFields: readonly FormField[] = [
  // For password managers, and to tell the user.
  { name: 'login', label: 'Login', autocomplete: 'username', isReadOnly: true },
  {
    name: 'password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    isRequired: true,
    hint: `At least ${minPasswordLength} characters. A few random words are easy to remember and hard to guess.`,
  },
  { name: 'repeated', label: 'Repeat the password', type: 'password', autocomplete: 'new-password', isRequired: true },
];

async function showSetPassword(ctx: RequestContext, { storage, clock }: PasswordPageOptions): Promise<void> {
  const token = getQueryValue(ctx, 'token') ?? '';
  const user = await storage.read((db) => findPasswordLink(db, token, clock.now()));
  return user ? showPasswordForm(ctx, user, token) : showInvalidLink(ctx);
}

function showPasswordForm(ctx: RequestContext, user: User, token: string, state: FormState = {}): void {
  const values = { login: user.login };
  const form = { action: '/set-password', button: 'Set the password', fields: passwordFields, hidden: { token }, values, ...state };
  sendSmallPage(ctx, 'Set your password', renderForm(ctx, form));
}

function showInvalidLink(ctx: RequestContext): void {
  ctx.status = 404;
  sendSmallPage(
    ctx,
    'This link does not work any more',
    `<p>If you have just set your password, all is well: <a href="/sign-in?to=/console">sign in</a>.</p>
<p>Otherwise the link is too old, or a newer one replaced it. <a href="/forgot-password">Get a new link</a>.</p>\n${signInFooter}`,
  );
}

async function setPassword(ctx: RequestContext, { storage, hashing, clock, random }: PasswordPageOptions): Promise<void> {
  const { token = '', password = '', repeated = '' } = formFields(ctx);
  const now = clock.now();
  const user = await storage.read((db) => findPasswordLink(db, token, now));
  if (!user) return showInvalidLink(ctx);
  const show = (status: number, state: FormState): void => {
    ctx.status = status;
    showPasswordForm(ctx, user, token, state);
  };
  if (!isOwnForm(ctx)) return show(403, { problem: explainForeignForm(ctx) });
  const problem = await findPasswordProblem(password, user);
  if (problem !== null) return show(400, { problems: { password: problem } });
  if (password !== repeated) return show(400, { problems: { repeated: 'differs from the new password. Type the same one twice.' } });
  const holder = { address: ctx.state.address, userId: user.id };
  const passwordHash = await hashing.run(holder, () => hashPassword(password, random));
  const { deviceCookie } = describeBrowser(ctx);
  const context = { now, random, sender: buildProgram(ctx.state.settings) };
  const done = await storage.write((transaction) => setPasswordByLink(transaction, { token, passwordHash, deviceCookie }, context));
  if (!done) return showInvalidLink(ctx);
  setDeviceCookie(ctx, done.deviceCookie);
  sendSmallPage(ctx, 'Your password is set', '<p>You can <a href="/sign-in?to=/console">sign in</a> with it now.</p>');
}
