import { pages } from '../../client/src/index.ts';
import { findIbanProblem, normalizeIban } from '../../domain/payout-details/iban.ts';
import { formatNumber } from './format.ts';
import { methodTitles } from './program-words.ts';
import type { Setting } from './records.ts';
import { api, getMe } from './session.ts';
import { orderStatuses } from './words.ts';

/** What this page needs. Switched off, it could not be switched on again here. */
const ownNeeds = ['addons.management', 'switches.get_me', 'switches.get_settings', 'switches.patch_settings'];

const lockOwn = (setting: Setting): Setting =>
  ownNeeds.includes(setting.path) ? { ...setting, locked: 'this page needs it. The command line can switch it off.' } : setting;

/** All settings, in the order of the documentation. */
export async function loadSettings(): Promise<Setting[]> {
  const all: Setting[] = [];
  for await (const { items } of pages(api.settings.list, { per_page: 100 })) all.push(...items.map(lockOwn));
  return all;
}

interface Section {
  readonly title: string;
  /** The beginnings of the paths that it has. */
  readonly starts: readonly string[];
}

interface Group {
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly Section[];
}

const section = (title: string, ...starts: string[]): Section => ({ title, starts });

/** The groups that people look for. A setting that no section has is in the last group, for developers. */
export const settingGroups: Record<string, Group> = {
  store: {
    title: 'Store',
    lead: 'What the program calls your shop, and how it reads its orders.',
    sections: [
      section('Your shop', 'store.name', 'store.url', 'service.'),
      section('Currency and time', 'store.currency', 'store.timezone'),
      section('Orders', 'store.'),
    ],
  },
  commission: {
    title: 'Commission',
    lead: 'What affiliates earn, and when they can be paid.',
    sections: [
      section('Rates', 'commission.percent', 'commission.fixed'),
      section('Timing', 'commission.', 'attribution.'),
      section('Subscriptions', 'recurring.'),
      section('Recruiting', 'multi_level.'),
    ],
  },
  joining: {
    title: 'Joining',
    lead: 'How people become affiliates.',
    sections: [section('Applications', 'registration.open', 'registration.terms_url'), section('New affiliates', 'registration.')],
  },
  payouts: {
    title: 'Payouts',
    lead: 'When affiliates are paid, and from which account.',
    sections: [
      section('Requests', 'payouts.enabled', 'payouts.requests', 'payouts.threshold', 'payouts.details'),
      section('Automatic acceptance', 'payouts.auto'),
      section('Risk', 'risk.hold_payouts'),
      section('Your bank account, for SEPA files', 'payouts.sepa'),
    ],
  },
  methods: {
    title: 'Payout methods',
    lead: 'How affiliates can be paid.',
    sections: Object.entries(methodTitles).map(([method, title]) => section(title, `payouts.methods.${method}.`)),
  },
  brand: { title: 'Brand', lead: 'How pages and e-mails look.', sections: [section('Colour', 'brand.color')] },
  site: {
    title: 'Features',
    lead: 'The parts of the service that are active.',
    sections: [section('Features', 'edition', 'addons.', 'activity_log')],
  },
  limits: {
    title: 'Security',
    lead: 'Who gets in, and how often.',
    sections: [section('Sign-in', 'security.', 'lockout.'), section('Privacy', 'privacy.')],
  },
  switches: {
    title: 'For developers',
    lead: 'Limits, access of other systems, and the operations of the API, each of which can be switched off.',
    sections: [
      section('Limits', 'limits.'),
      section('Access of other systems', 'cors.', 'openapi_public', 'webhooks.'),
      section('Risk signals', 'risk.'),
      section('Switches', 'switches.'),
      section('Other', ''),
    ],
  },
};

/** Has a form of its own: it is a file. */
const logoSetting = 'brand.logo';

export interface PlacedSetting {
  readonly group: string;
  readonly section: string;
  readonly setting: Setting;
}

/** The settings with their places, in the order of the groups and sections. */
export function placeSettings(list: readonly Setting[]): PlacedSetting[] {
  const left = new Set(list.filter(({ path }) => path !== logoSetting));
  return Object.entries(settingGroups).flatMap(([group, { sections }]) =>
    sections.flatMap(({ title, starts }) => {
      const found = [...left].filter(({ path }) => starts.some((start) => path.startsWith(start)));
      for (const setting of found) left.delete(setting);
      return found.map((setting) => ({ group, section: title, setting }));
    }),
  );
}

interface SettingText {
  readonly label: string;
  /** Where the description of the service is for operators. */
  readonly hint?: string;
  readonly unit?: 'percent' | 'money' | 'days' | 'minutes';
}

const texts: Record<string, SettingText> = {
  'brand.color': { label: 'Colour of buttons', hint: 'Buttons must be seen on light and dark pages. Empty: blue.' },
  'store.name': { label: 'Name of the store', hint: 'Shown on pages, in e-mails and in webhooks.' },
  'store.url': { label: 'Address of the shop', hint: 'Referral links lead to it, and its pages may record clicks.' },
  'store.currency': { label: 'Currency', hint: 'Of all amounts. It is fixed once an amount is stored.' },
  'store.timezone': { label: 'Time zone', hint: 'Of days and dates. It is fixed once there are orders, clicks or payouts.' },
  'store.statuses': {
    label: 'Order statuses of your shop',
    hint: 'If your shop has statuses of its own, say what each means. One that is not listed counts as processing.',
  },
  'store.completed_when': { label: 'A Shopify order is complete when it is', hint: 'Commission starts to clear on that day.' },
  'service.url': { label: 'Public address of this service', hint: 'For referral links, links in e-mails, and the webhooks of your shop.' },
  edition: { label: 'Edition', hint: 'The free edition has no payouts, no webhooks and no recruiting.' },
  'addons.payouts': { label: 'Payouts', hint: 'Pay commission out. Pro edition only.' },
  'addons.webhooks': { label: 'Webhooks', hint: 'Send events to your own systems. Pro edition only.' },
  'addons.multi_level': { label: 'Recruiting', hint: 'Affiliates earn a share of what their recruits earn. Pro edition only.' },
  'addons.store': { label: 'Connection to the shop', hint: 'The shop sends orders, clicks and applications by itself.' },
  'addons.insights': { label: 'Explanations and previews', hint: 'Explain the commission of an order, and preview e-mails.' },
  'addons.management': {
    label: 'Management in the browser',
    hint: 'Settings, payout details and pay day in the console. Without it they are commands only.',
  },
  'addons.agents': { label: 'Agents', hint: 'Agents with a key can use the program, and every change can be tried without saving.' },
  'addons.risk': { label: 'Risk', hint: 'Looks for fraud and leaked codes in what is stored, and holds payouts until you have looked.' },
  'risk.hold_payouts': {
    label: 'Hold payouts for signals that are',
    hint: 'They are not accepted automatically, and payout files leave them out. “medium” holds for those that are high as well.',
  },
  'payouts.enabled': { label: 'Pay out commission' },
  'payouts.requests_enabled': { label: 'Affiliates may request payouts', hint: 'Admins always may.' },
  'payouts.threshold': { label: 'Smallest payout', hint: 'Less than this stays in the balance. Applies to admins, too.', unit: 'money' },
  'payouts.details_required': { label: 'Payout details are required', hint: 'An affiliate must say where the money goes first.' },
  'payouts.auto_accept.enabled': {
    label: 'Accept requests automatically',
    hint: 'Requests go to the payment gateway without your decision.',
  },
  'payouts.auto_accept.max_amount': {
    label: 'Largest amount',
    hint: 'Larger requests wait for you. 0 accepts none automatically.',
    unit: 'money',
  },
  'payouts.auto_accept.gateway': { label: 'Gateway', hint: 'What pays accepted requests.' },
  'payouts.sepa.name': { label: 'Account holder' },
  'payouts.sepa.iban': { label: 'IBAN', hint: 'The account that pays.' },
  'payouts.sepa.bic': { label: 'BIC', hint: 'Empty: the bank derives it from the IBAN.' },
  'payouts.sepa.town': { label: 'Town' },
  'payouts.sepa.country': { label: 'Country' },
  'commission.percent': {
    label: 'Commission',
    hint: 'Of the goods after discount, unless the coupon has its own rate.',
    unit: 'percent',
  },
  'commission.fixed_per_order': { label: 'Fixed amount for each order', unit: 'money' },
  'commission.fixed_per_product': { label: 'Fixed amount for each item', unit: 'money' },
  'commission.clearing_days': {
    label: 'Clearing days',
    hint: 'The time for returns: commission can be paid out this long after an order is complete.',
    unit: 'days',
  },
  'attribution.window_days': {
    label: 'How long a click counts',
    hint: 'An order within these days after a click is credited to the link. 0: links credit nothing.',
    unit: 'days',
  },
  'attribution.lifetime': {
    label: 'Credit later orders of a customer',
    hint: 'All later orders of a referred customer go to the same affiliate.',
  },
  'multi_level.rates': {
    label: 'Shares of recruiters in percent',
    hint: 'Of the commission of their recruits: one line for each level, the direct recruiter first.',
  },
  'registration.open': { label: 'Let people apply', hint: 'Opens the page /apply. It needs the public address of this service.' },
  'registration.terms_url': { label: 'Address of your terms', hint: 'Applicants must accept them. Empty: none.' },
  'registration.coupon_template': {
    label: 'Coupon of a new affiliate',
    hint: 'What an accepted applicant gets, and customers save with it.',
  },
  openapi_public: { label: 'Everyone may read the API reference', hint: 'Otherwise only admins.' },
  activity_log: { label: 'Show the feed', hint: 'Events are recorded and webhooks are sent either way.' },
  'limits.authenticated': {
    label: 'Requests a minute for each person',
    hint: 'This page accepts 60 or more: the console itself makes requests.',
  },
  'limits.anonymous': { label: 'Requests a minute without a sign-in', hint: 'Of all visitors together.' },
  'limits.connections_per_address': { label: 'Open connections for each address' },
  'lockout.max_failures': { label: 'Failed sign-ins before a lock-out', hint: 'From one address. 0: no lock-out.' },
  'lockout.window_minutes': { label: 'Failed sign-ins are counted for', hint: '0: no lock-out.', unit: 'minutes' },
  'recurring.percent': {
    label: 'Commission of renewals',
    hint: 'Of every payment of a subscription after the first. Empty: the rate of the coupon.',
    unit: 'percent',
  },
  'recurring.payments': { label: 'Payments that earn commission', hint: 'Of one subscription, the first included. 0: no limit.' },
  'recurring.months': { label: 'Months in which payments earn commission', hint: 'Counted from the first payment. 0: no limit.' },
  'privacy.declined_days': {
    label: 'Declined applications are kept for',
    hint: 'Then they are erased. 0 keeps them.',
    unit: 'days',
  },
  'privacy.click_days': {
    label: 'Clicks are kept for',
    hint: 'Then each single click is erased, and its count stays. 0 keeps them.',
    unit: 'days',
  },
  'security.second_factor': {
    label: 'Two-step sign-in',
    hint: 'After the password, a code from an app on the phone.',
  },
  'cors.origins': {
    label: 'Web apps that may call the API',
    hint: 'One address for each line, such as https://app.example. Your shop is allowed anyway.',
  },
  'webhooks.ports': { label: 'Ports of webhook receivers', hint: 'One for each line.' },
};

const methodTexts: Record<string, (method: string) => SettingText> = {
  enabled: (method) => ({ label: `Offer ${method}`, hint: 'Affiliates can choose it.' }),
  label: (method) => ({ label: `Name of ${method}`, hint: 'As affiliates see it.' }),
  invoice_required: (method) => ({ label: `${method} needs an invoice`, hint: 'Affiliates hand one in before each payout.' }),
};

/** What a setting is called and means. The path is its name for developers. */
export function describeSetting({ path, description }: Pick<Setting, 'path' | 'description'>): SettingText & { hint: string } {
  const [, method = '', part = ''] = /^payouts\.methods\.(\w+)\.(\w+)$/.exec(path) ?? [];
  const text = methodTexts[part]?.(methodTitles[method] ?? method) ?? texts[path] ?? describeSwitch(path, description);
  return { label: capitalize((path.split('.').at(-1) ?? path).replaceAll('_', ' ')), hint: description, ...text };
}

/** By the operation, as its documentation names it. */
function describeSwitch(path: string, description: string): SettingText | undefined {
  if (!path.startsWith('switches.')) return undefined;
  const [, route = ''] = /^false: (.+?) answer/.exec(description) ?? [];
  return { label: path.slice('switches.'.length), hint: capitalize(route) };
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Behind the field of a number. */
export function unitOf(unit: SettingText['unit']): string {
  if (unit === 'money') return getMe().currency;
  return unit === 'percent' ? '%' : (unit ?? '');
}

/** A value in words, for the reader who compares before and after. */
export function describeValue(value: unknown): string {
  if (value === true) return 'On';
  if (value === false) return 'Off';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') return value || 'empty';
  if (Array.isArray(value)) return value.map(describeValue).join(', ') || 'empty';
  if (isCouponTemplate(value)) return describeTemplate(value);
  return (
    Object.entries(value ?? {})
      .map(([own, status]) => `${own} means ${statusLabel(String(status))}`)
      .join(', ') || 'empty'
  );
}

export interface CouponTemplate {
  readonly percent: number | null;
  readonly discount_type: string;
  readonly discount_amount: number;
}

export const isCouponTemplate = (value: unknown): value is CouponTemplate =>
  typeof value === 'object' && value !== null && 'discount_amount' in value && 'discount_type' in value && 'percent' in value;

export const discountTypes: Record<string, string> = {
  percent: 'Percent of the order',
  fixed_cart: 'Amount off the order',
  fixed_product: 'Amount off each item',
};

const describeTemplate = ({ percent, discount_type, discount_amount }: CouponTemplate): string =>
  `${percent === null ? 'Commission of the program' : `${percent} % commission`}, discount: ${discount_amount} (${discountTypes[discount_type]?.toLowerCase()})`;

const statusLabel = (status: string): string =>
  Object.entries(orderStatuses)
    .find(([name]) => name === status)?.[1]
    .label.toLowerCase() ?? status;

/** Below it, pages of the console would be refused. */
const leastRequests = 60;

/** What is wrong with a value, as far as its limits tell. The service checks it again. */
export function findProblem(setting: Setting, value: unknown): string | null {
  if (setting.path === 'limits.authenticated' && Number(value) < leastRequests)
    return `It must be at least ${leastRequests}: the console itself makes requests. The command line can set less.`;
  if (setting.path === 'payouts.sepa.iban' && typeof value === 'string' && value !== '') {
    const problem = findIbanProblem(normalizeIban(value));
    return problem && `The IBAN ${problem}.`;
  }
  if (isCouponTemplate(value)) return findTemplateProblem(value);
  if (setting.path === 'store.statuses' && !Object.keys(value ?? {}).every((own) => /^[\w-]{1,100}$/.test(own)))
    return 'A status of the shop has letters, digits, hyphens and underscores only.';
  const entries = Array.isArray(value) ? value : [value];
  if (Array.isArray(value) && entries.some(Number.isNaN)) return 'Write one number on each line, with a point before decimals, as in 12.5.';
  return entries.every((entry) => isWithin(setting, entry)) ? null : `It must be ${setting.allowed}.`;
}

function isWithin({ type, minimum, maximum, max_length, pattern }: Setting, value: unknown): boolean {
  if (typeof value === 'number') {
    const isWhole = type !== 'integer' || Number.isInteger(value);
    return isWhole && value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY);
  }
  if (typeof value !== 'string') return true;
  return value.length <= (max_length ?? value.length) && (pattern === null || new RegExp(pattern, 'u').test(value));
}

function findTemplateProblem({ percent, discount_type, discount_amount }: CouponTemplate): string | null {
  const isPercent = (value: number): boolean => value >= 0 && value <= 100;
  if (percent !== null && !isPercent(percent)) return 'The commission must be a number from 0 to 100.';
  if (!(discount_amount >= 0)) return 'The discount must be a number from 0.';
  return discount_type === 'percent' && !isPercent(discount_amount) ? 'The discount must be a number from 0 to 100.' : null;
}
