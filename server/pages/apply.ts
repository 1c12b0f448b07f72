import { createHmac } from 'node:crypto';
import { Router } from '@koa/router';
import { ApiError } from '../../domain/errors.ts';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import { validateApplication } from '../../domain/registrations/application.ts';
import { confirmApplication, findUnconfirmed, type OnlineApplication, requestConfirmation } from '../../domain/registrations/online.ts';
import { normalizeMailbox } from '../../domain/users/mailbox.ts';
import type { WindowCounters } from '../../domain/window-counters.ts';
import { buildProgram } from '../../site/program.ts';
import { isOpenToApplicants } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { isSameSecret } from '../auth/credentials.ts';
import { noRouteError } from '../http/error-response.ts';
import { getQueryValue } from '../http/query.ts';
import type { Middleware, RequestContext, RequestState } from '../http/request-context.ts';
import { addressGroup, addressNetwork } from '../http/trusted-proxies.ts';
import { type AnonymousPageOptions, hourSeconds } from './anonymous-page.ts';
import {
  explainForeignForm,
  type FormField,
  type FormState,
  formFields,
  isOwnForm,
  oldForm,
  readForm,
  readLongForm,
  renderForm,
} from './forms.ts';
import { showErrors } from './page-guards.ts';
import { sendSmallPage, sendTooMany } from './small-page.ts';

export interface ApplyOptions extends AnonymousPageOptions {
  /** Signs when a form was shown. */
  signingKey: Buffer;
}

const applicationsPerAddress = 5;
/** A /48 of IPv6, the size that one customer can get. */
const applicationsPerNetwork = 50;
const applicationsInAll = 100;
/** More would find out which codes there are, and codes are discounts. */
const codesPerAddress = 20;
const mailsPerRecipient = 3;

/** Applying to the program, and confirming the e-mail address. */
export function applyRoutes(options: ApplyOptions): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get('/apply', showErrors, requireOpen, (ctx) => showForm(ctx, options));
  router.post('/apply', showErrors, requireOpen, refuseTooLong(options), readLongForm, (ctx) => apply(ctx, options));
  router.get('/confirm-application', showErrors, (ctx) => showConfirmation(ctx, options));
  router.post('/confirm-application', showErrors, readForm, (ctx) => confirm(ctx, options));
  return router;
}

const requireOpen: Middleware = (ctx, next) => {
  if (!isOpenToApplicants(ctx.state.settings)) throw noRouteError(ctx);
  return next();
};

const applicationFields: readonly FormField[] = [
  {
    name: 'display_name',
    label: 'Name',
    autocomplete: 'name',
    isRequired: true,
    maxLength: 200,
    hint: 'Your name, or that of your site or channel.',
  },
  { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email', isRequired: true },
  { name: 'website', label: 'Website', autocomplete: 'url', maxLength: 2000, hint: 'Your site, channel or profile, if you have one.' },
  {
    name: 'promote',
    label: 'How will you promote us?',
    type: 'textarea',
    maxLength: 5000,
    hint: 'Where you would recommend the store, and to whom.',
  },
  { name: 'coupon_code', label: 'Coupon code', isRequired: true, hint: 'What your followers type at the checkout, such as ANNA10.' },
];

const termsField: FormField = { name: 'terms', label: 'I accept the terms of the program', type: 'checkbox', isRequired: true };

/** With the form again, also where its answers could not be read. */
const refuseTooLong =
  (options: ApplyOptions): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'rest_body_too_large')) throw error;
      ctx.status = 413;
      showForm(ctx, options, { problem: 'Your answers are too long to be read. Nothing was sent. Shorten them, and send the form again.' });
    }
  };

/** People do not see it; simple robots fill in every field. */
const trap = `<div class="trap" aria-hidden="true"><label for="company">Leave this empty</label><input id="company" name="company" tabindex="-1" autocomplete="off"></div>\n`;

const fieldsFor = ({ registration }: Settings): readonly FormField[] =>
  registration.terms_url === '' ? applicationFields : [...applicationFields, termsField];

function showForm(ctx: RequestContext, options: ApplyOptions, state: FormState = {}): void {
  const { settings } = ctx.state;
  const { terms_url: terms } = settings.registration;
  const sentTime = formFields(ctx)['shown_at'] ?? '';
  const isUsable =
    readTime(sentTime, options.signingKey) !== null && findHaste(sentTime, options) !== oldForm && state.problem !== usedForm;
  const shownAt = isUsable ? sentTime : createTime(options);
  const further = terms === '' ? trap : `<p><a href="${escapeHtml(terms)}">Read the terms</a></p>\n${trap}`;
  const form = { action: '/apply', button: 'Apply', fields: fieldsFor(settings), hidden: { shown_at: shownAt }, further, ...state };
  sendSmallPage(
    ctx,
    'Join the program',
    `<p>Recommend ${escapeHtml(settings.store.name)} and earn a commission on every order that you bring.</p>
${renderForm(ctx, form)}
<footer>Already in the program? <a href="/sign-in?to=/console">Sign in</a></footer>`,
  );
}

async function apply(ctx: RequestContext, options: ApplyOptions): Promise<void> {
  const values = trimAll(formFields(ctx));
  const reject = (status: number, state: FormState): void => {
    ctx.status = status;
    showForm(ctx, options, { values, ...state });
  };
  if (!isOwnForm(ctx)) return reject(403, { problem: explainForeignForm(ctx) });
  const isRobot = (values['company'] ?? '') !== '';
  if (isRobot) return showSent(ctx, values['email'] || 'your address');
  const { problems, application } = readApplication(values, options.clock.now());
  const needsTerms = ctx.state.settings.registration.terms_url !== '' && values['terms'] !== 'yes';
  const problem = needsTerms ? 'Accept the terms of the program to go on.' : findHaste(values['shown_at'] ?? '', options);
  if (Object.keys(problems).length > 0 || problem !== null) return reject(400, { problems, ...(problem !== null && { problem }) });
  const group = addressGroup(ctx.state.address);
  const codes = await options.counters.hit(`application-codes:${group}`, hourSeconds);
  if (codes.count > codesPerAddress) return sendTooMany(ctx, codes.secondsLeft);
  if (await options.storage.query(({ registrations }) => registrations.codeIsTaken(application.couponCode)))
    return reject(400, { problems: { coupon_code: 'is taken. Choose another one.' } });
  const waitSeconds = await countApplication(ctx.state.address, options.counters);
  if (waitSeconds !== null) return sendTooMany(ctx, waitSeconds);
  // After the limits, so that they bound the number of these counters, too.
  const form = `application-form:${values['shown_at']}`;
  if ((await options.counters.hit(form, maxHours * hourSeconds)).count > 1) return reject(400, { problem: usedForm });
  options.background.runAfter(ctx, () => mailConfirmation(application, ctx.state.settings, options));
  showSent(ctx, application.email);
}

function showSent(ctx: RequestContext, email: string): void {
  sendSmallPage(
    ctx,
    'Check your inbox',
    `<p>We have sent a mail to ${escapeHtml(email)}. Open the link in it, so that ${escapeHtml(ctx.state.settings.store.name)} sees your application.</p>
<p>Nothing there after some minutes? Look into the spam folder, or <a href="/apply">apply again</a> if the address was wrong.</p>`,
  );
}

/** Forms send the end of a line as two characters, which would count twice. */
const trimAll = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replaceAll('\r\n', '\n').trim()]));

interface ReadApplication {
  application: OnlineApplication;
  /** By field. Each completes "<label> …". */
  problems: Record<string, string>;
}

function readApplication(values: Record<string, string>, now: number): ReadApplication {
  const { display_name: displayName = '', email = '', website = '', promote = '', coupon_code: couponCode = '' } = values;
  const application = { displayName, email, website, promote, couponCode };
  const problems = findProblems(application, now);
  if (!/^[\w-]{3,40}$/.test(couponCode)) problems['coupon_code'] = 'must have 3 to 40 letters, digits, hyphens or underscores.';
  return { application, problems };
}

/** By the rules of every application. */
function findProblems(application: OnlineApplication, now: number): Record<string, string> {
  try {
    validateApplication({ ...application, login: 'applicant' }, now);
    return {};
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const params = Object.entries(error.details.data?.params ?? {});
    return Object.fromEntries(params.map(([name, sentence]) => [name, String(sentence).replace(`${name} `, '')]));
  }
}

const minSeconds = 3;
const maxHours = 24;
const usedForm = 'Your application was sent already: look into your inbox. To apply once more, send the form again.';

/** Simple robots send the form as soon as they have it. Null if there was enough time. */
function findHaste(sentTime: string, { clock, signingKey }: ApplyOptions): string | null {
  const shownAt = readTime(sentTime, signingKey);
  const seconds = shownAt === null ? Number.POSITIVE_INFINITY : (clock.now() - shownAt) / 1000;
  if (seconds < minSeconds) return 'That was very quick. Please look at your answers, and send the form again.';
  return seconds > maxHours * hourSeconds ? oldForm : null;
}

/** The time with a random part, which tells forms apart that were shown in the same millisecond. */
const createTime = ({ clock, random, signingKey }: ApplyOptions): string =>
  sign(`${clock.now()}-${random.bytes(9).toString('base64url')}`, signingKey);

const sign = (time: string, key: Buffer): string =>
  `${time}.${createHmac('sha256', key).update(`application form ${time}`).digest('base64url')}`;

function readTime(signed: string, key: Buffer): number | null {
  const [time = ''] = signed.split('.', 1);
  return isSameSecret(sign(time, key), signed) ? Number.parseInt(time, 10) : null;
}

/** Returns the seconds to wait if there were too many. */
async function countApplication(address: string, counters: WindowCounters): Promise<number | null> {
  const network = addressNetwork(address);
  const limits = [
    [`applications:${addressGroup(address)}`, applicationsPerAddress],
    ...(network === null ? [] : ([[`applications:${network}`, applicationsPerNetwork]] as const)),
    ['applications', applicationsInAll],
  ] as const;
  for (const [name, limit] of limits) {
    const { count, secondsLeft } = await counters.hit(name, hourSeconds);
    if (count > limit) return secondsLeft;
  }
  return null;
}

async function mailConfirmation(application: OnlineApplication, settings: Settings, options: ApplyOptions): Promise<void> {
  const { storage, clock, random, counters } = options;
  // Otherwise many senders could fill one mailbox.
  const { count } = await counters.hit(`application-mails:${normalizeMailbox(application.email)}`, hourSeconds);
  if (count > mailsPerRecipient) return;
  const context = { now: clock.now(), random, sender: buildProgram(settings) };
  await storage.write((transaction) => requestConfirmation(transaction, application, context));
}

async function showConfirmation(ctx: RequestContext, { storage, clock }: ApplyOptions): Promise<void> {
  const token = getQueryValue(ctx, 'token') ?? '';
  const application = await storage.query((db) => findUnconfirmed(db, token, clock.now()));
  return application ? showConfirmationForm(ctx, application, token) : showInvalidLink(ctx);
}

function showConfirmationForm(
  ctx: RequestContext,
  { displayName, email, couponCode }: OnlineApplication,
  token: string,
  problem = '',
): void {
  const form = { action: '/confirm-application', button: 'Confirm', fields: [], hidden: { token }, problem };
  sendSmallPage(
    ctx,
    'Confirm your application',
    `<p>Send this application to the store. If it is not yours, close this page: nothing is sent then.</p>
<dl><dt>Name</dt><dd>${escapeHtml(displayName)}</dd><dt>E-mail</dt><dd>${escapeHtml(email)}</dd><dt>Coupon code</dt><dd>${escapeHtml(couponCode)}</dd></dl>
${renderForm(ctx, form)}`,
  );
}

function showInvalidLink(ctx: RequestContext): void {
  ctx.status = 404;
  const again = isOpenToApplicants(ctx.state.settings) ? ' <a href="/apply">Apply again</a>.' : '';
  sendSmallPage(
    ctx,
    'This link does not work any more',
    `<p>If you have just confirmed your application, all is well: you get a mail when it is decided.</p>\n<p>Otherwise the link is older than 24 hours.${again}</p>`,
  );
}

async function confirm(ctx: RequestContext, { storage, clock, random }: ApplyOptions): Promise<void> {
  const { token = '' } = formFields(ctx);
  const now = clock.now();
  if (!isOwnForm(ctx)) {
    const application = await storage.query((db) => findUnconfirmed(db, token, now));
    ctx.status = 403;
    return application ? showConfirmationForm(ctx, application, token, explainForeignForm(ctx)) : showInvalidLink(ctx);
  }
  const program = buildProgram(ctx.state.settings);
  const registration = await storage.write((transaction) => confirmApplication(transaction, token, { program, now, random }));
  if (!registration) return showInvalidLink(ctx);
  sendSmallPage(ctx, 'Thank you', `<p>${escapeHtml(program.storeName)} has your application. You get a mail when it is decided.</p>`);
}
