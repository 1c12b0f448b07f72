import { renderSVG } from 'uqr';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import { sendAccountNotice } from '../../domain/users/account-notice.ts';
import { findToken, tokenHash } from '../../domain/users/one-time-token.ts';
import { switchOnSecondFactor } from '../../domain/users/second-factor.ts';
import { signInByCode, signInByTicket } from '../../domain/users/sign-in.ts';
import type { User } from '../../domain/users/user.ts';
import { buildProgram } from '../../site/program.ts';
import { accountOf } from '../auth/sign-in-attempts.ts';
import { completeSetup, createSetup, findStep, formatSecret } from '../auth/totp.ts';
import type { RequestContext } from '../http/request-context.ts';
import { type FormField, formFields, isOwnForm, renderForm } from './forms.ts';
import { parseReturnUrl } from './return-url.ts';
import { getSignInContext, refuseSignIn, type SignInOptions, setSignedIn, showSignedIn } from './sign-in-forms.ts';
import { sendSmallPage } from './small-page.ts';

// The page after the password. A ticket in its form proves that the password was right; it never stands in an address.

const ended = 'That took too long, or the page was used before. Sign in again.';

const codeField: FormField = { name: 'code', label: 'Code', autocomplete: 'one-time-code', isRequired: true };

const hiddenFields = (ctx: RequestContext, ticket: string): Record<string, string> => {
  const to = parseReturnUrl(formFields(ctx)['to']);
  return { ticket, ...(to !== null && { to }) };
};

export function showCodeForm(ctx: RequestContext, ticket: string, problem = ''): void {
  const form = { action: '/sign-in/code', button: 'Sign in', fields: [codeField], hidden: hiddenFields(ctx, ticket), problem };
  sendSmallPage(
    ctx,
    'Enter your code',
    `<p>Open the app on your phone and type the six digits that it shows.</p>
${renderForm(ctx, form)}
<p class="hint">No phone at hand? Type one of your recovery codes. Lost them too? Write to the store.</p>`,
  );
}

/** The user of the ticket that was sent. Null if it is not valid any more. */
async function findTicketUser(ctx: RequestContext, { storage, clock }: SignInOptions): Promise<{ ticket: string; user: User } | null> {
  const { ticket = '' } = formFields(ctx);
  if (!isOwnForm(ctx)) return null;
  const user = await storage.read(async (db) => {
    const found = await findToken(db, ticket, ['second-factor'], clock.now());
    return found?.userId ? db.users.byId(found.userId) : null;
  });
  return user && { ticket, user };
}

/** A wrong code counts as a failed sign-in, and five of them end this one. */
export async function sendCode(ctx: RequestContext, options: SignInOptions): Promise<void> {
  const { storage, attempts, secrets } = options;
  const found = await findTicketUser(ctx, options);
  if (!found) return refuseSignIn(ctx, ended);
  const { ticket, user } = found;
  const { code = '' } = formFields(ctx);
  const context = { ...getSignInContext(ctx, options), decrypt: secrets.decrypt, findStep };
  return attempts.run(ctx, accountOf(user), async (succeed) => {
    const left = await attempts.countCode(tokenHash(ticket));
    const signedIn = left < 0 ? 'wrong' : await storage.write((transaction) => signInByCode(transaction, { ticket, code, user }, context));
    if (signedIn === null) return refuseSignIn(ctx, ended);
    if (signedIn === 'wrong') {
      if (await attempts.countWrongCode(user.id)) await tellOfWrongCodes(ctx, user, options);
      return left > 0 ? refuseCode(ctx, ticket) : endTicket(ctx, ticket, options);
    }
    await succeed();
    setSignedIn(ctx, signedIn);
    showSignedIn(ctx, signedIn, formFields(ctx)['to']);
  });
}

function refuseCode(ctx: RequestContext, ticket: string): void {
  ctx.status = 401;
  showCodeForm(ctx, ticket, 'The code is wrong or was used before. Wait for the next one.');
}

/** The password was right, so its owner must know. */
async function tellOfWrongCodes(ctx: RequestContext, user: User, { storage, clock }: SignInOptions): Promise<void> {
  const context = { now: clock.now(), sender: buildProgram(ctx.state.settings) };
  const notice = {
    subject: 'wrong codes after your password',
    paragraphs: ['someone gave your password and then wrong codes, five within a day. If that was not you, they know your password.'],
  };
  await storage.write((transaction) => sendAccountNotice(transaction, user, context, notice));
}

async function endTicket(ctx: RequestContext, ticket: string, { storage }: SignInOptions): Promise<void> {
  await storage.write(({ oneTimeTokens }) => oneTimeTokens.remove(tokenHash(ticket)));
  refuseSignIn(ctx, 'The code was wrong five times. Sign in again.');
}

/** For people who must have a second factor and have none. */
export function showSetupForm(ctx: RequestContext, ticket: string, user: User, options: SignInOptions, former?: string): void {
  const { name } = ctx.state.settings.store;
  const { clock, secrets, random } = options;
  const { secret, uri, setup } = createSetup(user, name, { now: clock.now(), secrets, random, former });
  const problem = former === undefined ? '' : 'The code is wrong. Type the one that your app shows now.';
  const hidden = { ...hiddenFields(ctx, ticket), setup };
  const form = { action: '/sign-in/set-up', button: 'Continue', fields: [codeField], hidden, problem };
  sendSmallPage(
    ctx,
    'Set up your second factor',
    `<p>${escapeHtml(name)} asks administrators for a code of an app besides the password.</p>
<p>Scan this with an authenticator app on your phone, then type the six digits that it shows.</p>
<div class="qr" role="img" aria-label="QR code for your app">${renderSVG(uri, { border: 2 })}</div>
<p>You cannot scan it? Type this key into the app: <code>${formatSecret(secret)}</code></p>
${renderForm(ctx, form)}`,
  );
}

export async function sendSetup(ctx: RequestContext, options: SignInOptions): Promise<void> {
  const { storage, clock, secrets } = options;
  const found = await findTicketUser(ctx, options);
  const { setup = '', code = '' } = formFields(ctx);
  const completed = found ? completeSetup({ setup, code }, found.user.id, { now: clock.now(), secrets }) : 'old';
  if (!found || completed === 'old') return refuseSignIn(ctx, ended);
  const { ticket, user } = found;
  if (completed === 'wrong') {
    ctx.status = 401;
    return showSetupForm(ctx, ticket, user, options, setup);
  }
  const context = getSignInContext(ctx, options);
  const done = await storage.write(async (transaction) => {
    // Another browser may have set it up meanwhile: a ticket of before must not replace that.
    if (await transaction.secondFactors.ofUser(user.id)) return null;
    const signedIn = await signInByTicket(transaction, ticket, user, context);
    return signedIn && { signedIn, codes: await switchOnSecondFactor(transaction, signedIn, completed, context) };
  });
  if (!done) return refuseSignIn(ctx, ended);
  setSignedIn(ctx, done.signedIn);
  showRecoveryCodes(ctx, done.codes);
}

function showRecoveryCodes(ctx: RequestContext, codes: readonly string[]): void {
  const next = escapeHtml(parseReturnUrl(formFields(ctx)['to']) ?? '/console');
  const file = escapeHtml(`data:text/plain,${encodeURIComponent(`${codes.join('\n')}\n`)}`);
  sendSmallPage(
    ctx,
    'Keep your recovery codes',
    `<p>Each of them signs you in once if you lose your phone. They are not shown again: print them, or store them in your password manager.</p>
<ul>${codes.map((code) => `<li><code>${code}</code></li>`).join('')}</ul>
<p><a href="${file}" download="recovery-codes.txt">Download them</a></p>
<p><a class="button" href="${next}">I have stored them</a></p>`,
  );
}
