import type { Configuration } from '../../server/configuration.ts';
import { createBuiltInGateways } from '../../site/extension/gateways.ts';
import { loadSiteModule } from '../../site/extension.ts';
import { findImprecision } from '../../site/settings/precision.ts';
import { type BuiltSettings, getSetting, getSettingValue, type Settings, settingPaths } from '../../site/settings/settings.ts';
import { type Check, ok, problem, warning } from './check.ts';

/** Values that are ignored, and values that contradict each other. */
export async function checkSettings({ settings, problems }: BuiltSettings, configuration: Configuration): Promise<Check[]> {
  const invalid = problems.map(({ path, problem: reason }) =>
    problem('settings', `${reason} It is ignored: run affiliate settings unset ${path}, or set it again.`),
  );
  const found = [...invalid, ...checkPrecision(settings), ...(await checkContradictions(settings, configuration))];
  return found.length > 0 ? found : [ok('settings', 'All settings are valid.')];
}

/** Values from before these were refused. */
const checkPrecision = (settings: Settings): Check[] =>
  settingPaths.flatMap(({ path }) => {
    const imprecision = findImprecision(path, getSettingValue(settings, path), settings.store.currency);
    return imprecision === null ? [] : [warning('settings', `${imprecision} It is used as stored, rounded: set the value that is meant.`)];
  });

const setUrl = 'Run affiliate settings set service.url with the address of this service.';

/** Settings that are valid alone, but not together. */
async function checkContradictions(settings: Settings, configuration: Configuration): Promise<Check[]> {
  const { payouts, commission, limits, multi_level: multiLevel, addons, store, service, registration } = settings;
  const autoAccept = payouts.auto_accept.enabled;
  const paysNothing = commission.percent === 0 && commission.fixed_per_order === 0 && commission.fixed_per_product === 0;
  const isInsecure = configuration.environment === 'production' && store.url.startsWith('http:');
  const hasNoUrl = service.url === '';
  const isLocalUrl = configuration.environment === 'production' && /^https?:\/\/(localhost|127\.|\[::1\])/i.test(service.url);
  const rules: [isBroken: boolean, message: string][] = [
    [autoAccept && !(payouts.enabled && addons.payouts), 'payouts.auto_accept.enabled is on, but payouts are off: nothing is paid.'],
    [multiLevel.rates.length > 0 && !addons.multi_level, 'multi_level.rates are set, but addons.multi_level is off: no tier earns.'],
    [paysNothing, 'commission.percent and both fixed amounts are 0: only coupons with rates of their own earn.'],
    [limits.authenticated === 0, 'limits.authenticated is 0: every request with a key is refused.'],
    [hasNoUrl && registration.open, `registration.open is on, but service.url is empty: the page for applications is closed. ${setUrl}`],
    [hasNoUrl && addons.management, `service.url is empty: mails have no links to set or reset a password. ${setUrl}`],
    [isLocalUrl, `service.url is ${service.url}, which works on this machine only: links in mails lead nowhere for others. ${setUrl}`],
    [isInsecure, `store.url is ${store.url}: in production it should begin with https.`],
  ];
  const broken = rules.filter(([isBroken]) => isBroken).map(([, message]) => warning('settings', message));
  return [...(autoAccept ? await checkGateway(payouts.auto_accept.gateway, configuration) : []), ...broken];
}

/** `checkSiteModule` reports a module that does not load. */
async function checkGateway(gateway: string, { siteModule }: Configuration): Promise<Check[]> {
  const { gateways = {} } = siteModule ? await loadSiteModule(siteModule).catch(() => ({ gateways: undefined })) : {};
  const existing = [...createBuiltInGateways(() => {}).keys(), ...Object.keys(gateways)];
  if (existing.includes(gateway)) return [];
  const list = `There are ${existing.join(', ')}; a site module can add others.`;
  return [problem('settings', `payouts.auto_accept.gateway is "${gateway}", and there is no such gateway. ${list}`)];
}

export function checkStore({ store }: Settings, hasOrders: boolean): Check {
  const unchanged = (['name', 'url'] as const).filter((field) => store[field] === getSetting(`store.${field}`).default);
  const money = `The currency is ${store.currency}, the time zone ${store.timezone}.`;
  if (unchanged.length === 0) return ok('store', `${store.name}, ${store.url}. ${money}`);
  const defaults = unchanged.map((field) => `"${store[field]}"`).join(' and ');
  const commands = unchanged.map((field) => `affiliate settings set store.${field} …`);
  const inTime = hasOrders ? '' : ' Set store.currency and store.timezone before the first order: they cannot change afterwards.';
  return warning('store', `Customers would see the default ${defaults}. Run ${commands.join(' and ')}. ${money}${inTime}`);
}
