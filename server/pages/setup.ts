import { Router } from '@koa/router';
import type { Clock } from '../../domain/clock.ts';
import { ApiError } from '../../domain/errors.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { createFirstAdministrator, isSetupToken, isUsedSetupToken } from '../../domain/users/first-administrator.ts';
import { hashPassword } from '../../domain/users/password.ts';
import { findPasswordProblem, minPasswordLength } from '../../domain/users/password-rules.ts';
import { isEmailAddress, isLogin } from '../../domain/users/user.ts';
import { type AddOn, addOns } from '../../generated/operations.ts';
import { buildSettings, type SettingProblem, type Settings } from '../../site/settings/settings.ts';
import { SettingsError, type SiteSettings } from '../../site/settings/site-settings.ts';
import type { Lockout } from '../auth/lockout.ts';
import { noRouteError } from '../http/error-response.ts';
import { getQueryValue } from '../http/query.ts';
import type { Middleware, RequestContext, RequestState } from '../http/request-context.ts';
import { BoundedQueue } from '../limits/bounded-queue.ts';
import { explainForeignForm, type FormField, type FormState, formFields, isOwnForm, readForm, redirect, renderForm } from './forms.ts';
import { requireHttps, showErrors } from './page-guards.ts';
import { sendSmallPage } from './small-page.ts';
import { once } from './web-page.ts';

export interface SetupOptions {
  storage: UnitOfWork<Repositories>;
  settings: SiteSettings;
  lockout: Lockout;
  clock: Clock;
  random: SecureRandom;
  /** False in production: see `acceptsSession`. */
  allowPlainHttp: boolean;
}

const setupBounds = { running: 1, waiting: 4 };

/** The page behind the link that `serve` prints: creates the first administrator and sets what a program needs. */
export function setupRoutes(options: SetupOptions): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true });
  const requireLink = createLinkGuard(options);
  const httpsGuard = requireHttps(options.allowPlainHttp);
  const queue = new BoundedQueue(setupBounds);
  router.get('/setup', showErrors, requireLink, httpsGuard, (ctx) => showForm(ctx, { values: getDefaults(ctx) }));
  router.post('/setup', showErrors, readForm, requireLink, httpsGuard, (ctx) =>
    // Again in the queue: of two clicks, the second finds the program set up.
    queue.run(() => requireLink(ctx, () => setUp(ctx, options))),
  );
  return router;
}

const signInUrl = '/sign-in?ready=1&to=/console';

/**
 * Without a valid token, and once there is an administrator, the page does not exist. Wrong tokens count as failed sign-ins. The token that made
 * the administrator leads to the sign-in.
 */
function createLinkGuard({ storage, lockout, clock }: SetupOptions): (...args: Parameters<Middleware>) => Promise<void> {
  let isSetUp = false;
  return async (ctx, next) => {
    const token = getToken(ctx);
    isSetUp ||= token !== '' && (await storage.query(({ users }) => users.hasAdministrator()));
    if (isSetUp && (await storage.query((db) => isUsedSetupToken(db, token, clock.now())))) return redirect(ctx, signInUrl);
    if (isSetUp || token === '') throw noRouteError(ctx);
    const { address, settings } = ctx.state;
    const isValid = await storage.query((db) => isSetupToken(db, token, clock.now()));
    const lockedOut = await (isValid ? lockout.check(address, settings) : lockout.recordFailure(address, settings));
    if (lockedOut) throw lockedOut;
    if (!isValid) throw noRouteError(ctx);
    return next();
  };
}

function getToken(ctx: RequestContext): string {
  const sent = ctx.method === 'POST' ? formFields(ctx)['token'] : getQueryValue(ctx, 'token');
  return sent ?? '';
}

const userFields: readonly FormField[] = [
  { name: 'login', label: 'Login', hint: 'For signing in: letters, digits or any of . _ @ -', autocomplete: 'username', isRequired: true },
  { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email', isRequired: true },
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    hint: `At least ${minPasswordLength} characters.`,
    autocomplete: 'new-password',
    isRequired: true,
  },
];

type Options = readonly (readonly [value: string, label: string])[];

const listCurrencies = once((): Options => {
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  return Intl.supportedValuesOf('currency').map((code) => [code, `${code} · ${names.of(code)}`]);
});

/** With the present one, which may be another name of a listed one. */
const listTimeZones = ({ store }: Settings): Options =>
  [...new Set(['UTC', store.timezone, ...Intl.supportedValuesOf('timeZone')])].map((zone) => [zone, zone]);

/** The pro add-ons are active from the start. */
const offeredAddOns = Object.entries(addOns).filter(([, addOn]) => !('edition' in addOn)) as [AddOn, { description: string }][];

const preselectedAddOns: readonly AddOn[] = ['store', 'insights', 'management', 'risk'];

const fixedHint = 'Cannot change after the first order.';

/** Not the path itself: the parser of forms would make an object of it. */
const toFieldName = (path: string): string => path.replaceAll('.', '_');

/** A field for each setting of the page, by its path. */
const getSettingFields = (settings: Settings): Record<string, Omit<FormField, 'name'>> => ({
  'store.name': { label: 'Store name', isRequired: true },
  'store.url': { label: 'Address of the shop', type: 'url', isRequired: true },
  'store.currency': { label: 'Currency', hint: fixedHint, options: listCurrencies() },
  'store.timezone': { label: 'Time zone', hint: fixedHint, options: listTimeZones(settings) },
  'service.url': { label: 'Address of this service', type: 'url', hint: 'As affiliates reach it. Links in mails begin with it.' },
  ...Object.fromEntries(
    offeredAddOns.map(([name, { description }]) => [
      `addons.${name}`,
      { label: `Add-on: ${name}`, type: 'checkbox' as const, hint: description, isAdvanced: true },
    ]),
  ),
  'registration.open': {
    label: 'People can apply to join',
    type: 'checkbox',
    hint: 'On a page that you can link to. You decide on each application.',
  },
});

/** The present settings. The address of the service is the one by which the page was reached. */
function getDefaults({ state: { settings, origin } }: RequestContext): Record<string, string> {
  const { store, service, registration } = settings;
  return {
    store_name: store.name,
    store_url: store.url,
    store_currency: store.currency,
    store_timezone: store.timezone,
    service_url: service.url || origin,
    ...Object.fromEntries(preselectedAddOns.map((name) => [`addons_${name}`, 'yes'])),
    registration_open: registration.open ? 'yes' : '',
  };
}

function showForm(ctx: RequestContext, state: FormState): void {
  const settingFields = Object.entries(getSettingFields(ctx.state.settings)).map(([path, field]) => ({
    ...field,
    name: toFieldName(path),
  }));
  const groups = [
    { title: 'Your account', hint: 'You sign in with it, as the first administrator.', fields: userFields },
    { title: 'Your program', hint: 'The shop whose orders earn commission, and how affiliates reach your program.', fields: settingFields },
  ];
  const form = { action: '/setup', button: 'Create the program', groups, hidden: { token: getToken(ctx) }, ...state };
  const introduction = '<p>This page works once. You can change all settings later, except where it says so.</p>';
  sendSmallPage(ctx, 'Set up your program', `${introduction}\n${renderForm(ctx, form)}`);
}

async function setUp(ctx: RequestContext, { settings, clock, random }: SetupOptions): Promise<void> {
  const values = formFields(ctx);
  if (!isOwnForm(ctx)) {
    ctx.status = 403;
    return showForm(ctx, { values, problem: explainForeignForm(ctx) });
  }
  const written = readSettings(ctx);
  const { login = '', email = '', password = '' } = values;
  const problems = { ...(await findUserProblems({ login, email, password })), ...toFieldProblems(buildSettings(written).problems) };
  if (Object.keys(problems).length > 0) return showProblems(ctx, problems);
  const user = { login, email, displayName: login, passwordHash: await hashPassword(password, random), registeredAt: clock.now() };
  try {
    await settings.setAll(written, async (transaction) => {
      if (!(await createFirstAdministrator(transaction, getToken(ctx), user))) throw noRouteError(ctx);
    });
  } catch (error) {
    return showProblems(ctx, explainRefusal(error));
  }
  redirect(ctx, signInUrl);
}

function showProblems(ctx: RequestContext, problems: Record<string, string>): void {
  ctx.status = 400;
  showForm(ctx, { values: formFields(ctx), problems });
}

/** The sent values, by the paths of the settings. */
function readSettings(ctx: RequestContext): Record<string, string | boolean> {
  const values = formFields(ctx);
  const fields = Object.entries(getSettingFields(ctx.state.settings));
  return Object.fromEntries(
    fields.map(([path, { type }]) => {
      const value = values[toFieldName(path)] ?? '';
      return [path, type === 'checkbox' ? value === 'yes' : value.trim()];
    }),
  );
}

async function findUserProblems(user: { login: string; email: string; password: string }): Promise<Record<string, string>> {
  const password = await findPasswordProblem(user.password, user);
  return {
    ...(!isLogin(user.login) && { login: 'must be 1 to 60 letters, digits or any of . _ @ -' }),
    ...(!isEmailAddress(user.email) && { email: 'must be an e-mail address, such as ada@example.com.' }),
    ...(password !== null && { password }),
  };
}

/** The sentences begin with the path of the setting, in place of which people read the label of its field. */
const toFieldProblems = (problems: readonly SettingProblem[]): Record<string, string> =>
  Object.fromEntries(problems.map(({ path, problem }) => [toFieldName(path), problem.replace(`${path} `, '')]));

/** What a transaction finds: a setting that cannot change any more, a name that another user has. Throws any other error. */
function explainRefusal(error: unknown): Record<string, string> {
  if (error instanceof SettingsError) return toFieldProblems(error.problems);
  const taken = error instanceof ApiError ? Object.keys(error.details.data?.params ?? {}) : [];
  if (taken.length === 0) throw error;
  return Object.fromEntries(taken.map((name) => [name, 'is the login or e-mail of another user.']));
}
