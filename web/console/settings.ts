import { pages } from '../../client/src/index.ts';
import { methodTitles } from './program-words.ts';
import type { Setting } from './records.ts';
import { api } from './session.ts';

/** All settings, in the order of the documentation. */
export async function loadSettings(): Promise<Setting[]> {
  const all: Setting[] = [];
  for await (const { items } of pages(api.settings.list, { per_page: 100 })) all.push(...items);
  return all;
}

/** The groups that people look for, each with the beginnings of its paths. What no group has is for developers. */
export const settingGroups: Record<string, { title: string; lead: string; starts: readonly string[] }> = {
  store: { title: 'Store', lead: 'What the program calls your shop, and where it is.', starts: ['store.', 'service.'] },
  commission: {
    title: 'Commission',
    lead: 'What affiliates earn, and when they can be paid.',
    starts: ['commission.', 'attribution.', 'multi_level.'],
  },
  joining: { title: 'Joining', lead: 'How people become affiliates.', starts: ['registration.'] },
  payouts: {
    title: 'Payouts',
    lead: 'When affiliates are paid, and from which account.',
    starts: ['payouts.enabled', 'payouts.requests', 'payouts.threshold', 'payouts.details', 'payouts.auto', 'payouts.sepa'],
  },
  methods: { title: 'Payout methods', lead: 'How affiliates can be paid.', starts: ['payouts.methods.'] },
  brand: { title: 'Brand', lead: 'How pages and mails look.', starts: ['brand.'] },
  site: { title: 'Features', lead: 'The parts of the service that are active.', starts: ['edition', 'addons.', 'activity_log'] },
  limits: {
    title: 'Security',
    lead: 'Limits for requests and sign-ins.',
    starts: ['limits.', 'lockout.', 'cors.', 'webhooks.', 'openapi_public'],
  },
  switches: { title: 'For developers', lead: 'The operations of the API. Each can be switched off.', starts: ['switches.'] },
};

const labels: Record<string, string> = {
  'brand.color': 'Colour of buttons',
  'store.name': 'Name of the store',
  'store.url': 'Address of the shop',
  'store.timezone': 'Time zone',
  'store.statuses': 'Meaning of other order statuses',
  'store.completed_when': 'A Shopify order is complete when it is',
  'service.url': 'Public address of this service',
  edition: 'Edition',
  'addons.multi_level': 'Multi-level commission',
  'addons.store': 'Connection to the shop',
  'addons.insights': 'Explanations and previews',
  'addons.management': 'Management in the browser',
  'payouts.enabled': 'Pay out commission',
  'payouts.requests_enabled': 'Affiliates may request payouts',
  'payouts.threshold': 'Smallest payout',
  'payouts.details_required': 'Payout details are required',
  'payouts.auto_accept.enabled': 'Accept requests automatically',
  'payouts.auto_accept.max_amount': 'Largest amount that is accepted automatically',
  'payouts.auto_accept.gateway': 'Gateway for accepted requests',
  'payouts.sepa.name': 'Account holder of your SEPA account',
  'payouts.sepa.iban': 'IBAN of your SEPA account',
  'payouts.sepa.bic': 'BIC of your SEPA account',
  'payouts.sepa.town': 'Town of the account holder',
  'payouts.sepa.country': 'Country of the account holder',
  'commission.percent': 'Commission in percent',
  'commission.fixed_per_order': 'Fixed amount for each order',
  'commission.fixed_per_product': 'Fixed amount for each item',
  'commission.clearing_days': 'Clearing days',
  'attribution.window_days': 'Days that a click counts',
  'attribution.lifetime': 'Credit all later orders of a customer',
  'multi_level.rates': 'Shares of recruiters in percent',
  'registration.open': 'Let people apply',
  'registration.terms_url': 'Address of your terms',
  'registration.coupon_template': 'Coupon of a new affiliate',
  openapi_public: 'Everyone may read the API document',
  activity_log: 'Record the feed',
  'limits.authenticated': 'Requests a minute for each person',
  'limits.anonymous': 'Requests a minute without a sign-in',
  'limits.connections_per_address': 'Connections for each address',
  'lockout.max_failures': 'Failed sign-ins before a lock-out',
  'lockout.window_minutes': 'Minutes of a lock-out',
  'cors.origins': 'Web apps that may call the API',
  'webhooks.ports': 'Ports of webhook receivers',
};

const methodNames = { enabled: 'offered', label: 'name shown', invoice_required: 'needs an invoice' } as const;

/** What a setting is called. The path is its name for developers. */
export function labelOf(path: string): string {
  const [, method = '', part = ''] = /^payouts\.methods\.(\w+)\.(\w+)$/.exec(path) ?? [];
  if (part) return `${methodTitles[method] ?? method}: ${methodNames[part as keyof typeof methodNames] ?? part}`;
  return labels[path] ?? capitalize((path.split('.').at(-1) ?? path).replaceAll('_', ' '));
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A value in words, for the reader who compares before and after. */
export function describeValue(value: unknown): string {
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'empty';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
