import type { Configuration } from '../../server/configuration.ts';
import { loadSiteModule } from '../../site/extension.ts';
import { createBuiltInGateways } from '../../site/gateways.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { type Check, problem, warning } from './check.ts';

/** Settings of which each makes sense by itself, and not beside the others. */
export async function checkContradictions(settings: Settings, configuration: Configuration): Promise<Check[]> {
  const { payouts, commission, limits, multi_level: multiLevel, addons, store } = settings;
  const autoAccept = payouts.auto_accept.enabled;
  const earnsNothing = commission.percent === 0 && commission.fixed_per_order === 0 && commission.fixed_per_product === 0;
  return [
    ...(autoAccept ? await checkGateway(payouts.auto_accept.gateway, configuration) : []),
    ...when(autoAccept && !(payouts.enabled && addons.payouts), 'payouts.auto_accept.enabled is on, but payouts are off: nothing is paid.'),
    ...when(multiLevel.rates.length > 0 && !addons.multi_level, 'multi_level.rates are set, but addons.multi_level is off: no tier earns.'),
    ...when(earnsNothing, 'commission.percent and both fixed amounts are 0: only coupons with terms of their own earn.'),
    ...when(limits.authenticated === 0, 'limits.authenticated is 0: every request with a key is refused.'),
    ...when(
      configuration.environment === 'production' && store.url.startsWith('http:'),
      `store.url is ${store.url}: in production it should begin with https.`,
    ),
  ];
}

const when = (holds: boolean, sentence: string): Check[] => (holds ? [warning('settings', sentence)] : []);

/** A module that does not load is told of elsewhere. */
async function checkGateway(gateway: string, { siteModule }: Configuration): Promise<Check[]> {
  const { gateways = {} } = siteModule ? await loadSiteModule(siteModule).catch(() => ({ gateways: undefined })) : {};
  const known = [...createBuiltInGateways(() => {}).keys(), ...Object.keys(gateways)];
  if (known.includes(gateway)) return [];
  return [
    problem(
      'settings',
      `payouts.auto_accept.gateway is "${gateway}", and there is no such gateway. There are ${known.join(', ')}; a site module can bring others.`,
    ),
  ];
}
