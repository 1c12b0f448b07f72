import type { MethodType } from '../../domain/payout-details/payout-details.ts';
import { type OperationId, operations, type SwitchGroup } from '../../generated/operations.ts';
import { optionalBrandColor } from './brand-color.ts';
import {
  amount,
  couponTemplate,
  currency,
  gatewayName,
  integer,
  line,
  listOf,
  oneOf,
  optionalBic,
  optionalCountry,
  optionalHash,
  optionalIban,
  optionalLine,
  optionalLink,
  optionalPercent,
  optionalWebAddress,
  orderStatusMap,
  origin,
  percent,
  timeZone,
  webAddress,
  yesOrNo,
} from './kinds.ts';
import { riskSettings } from './risk-settings.ts';
import { type Setting, setting } from './setting.ts';

const limit = integer(0, 1_000_000);
const days = integer(0, 3650);

/** The settings of an operator. The switches and the payout methods follow below: they are derived from the contract. */
const program = {
  'store.name': setting('My store', line(200), 'The name of the store on pages, in mails and in webhooks.'),
  'store.url': setting(
    'https://example.com',
    webAddress,
    'The address of the shop. Referral links lead to it, and its pages may record clicks.',
  ),
  'store.currency': setting(
    'USD',
    currency,
    'The currency of all amounts. Cannot change once any amount is stored: an order, a payout, a fixed rate, an amount in the settings.',
  ),
  'store.timezone': setting(
    'UTC',
    timeZone,
    'The time zone of days, ranges and dates in responses. Cannot change once there are orders, clicks or payouts.',
  ),

  'store.statuses': setting(
    {},
    orderStatusMap,
    'The meaning of order statuses that the service does not know: { "packed": "processing" }. A status that is not listed counts as processing.',
  ),
  'store.completed_when': setting(
    'paid',
    oneOf('paid', 'fulfilled'),
    'Whether a Shopify order counts as completed once it is paid, or once it is fulfilled.',
  ),
  'brand.color': setting('', optionalBrandColor, 'The colour of buttons on the pages of the program. Empty: blue.'),
  'brand.logo': setting('', optionalHash, 'The logo that was sent to /console/logo, by its SHA-256. Empty: none is shown.'),
  'service.url': setting(
    '',
    optionalWebAddress,
    'The public address of this service, for referral links and for the webhooks of the store. Empty: unknown.',
  ),

  edition: setting(
    'pro',
    oneOf('free', 'pro'),
    'free: payout and webhook routes, multi-level parents and the fields about them do not exist.',
  ),
  'addons.payouts': setting(true, yesOrNo, 'Pro only. Inactive: payout routes answer 501 and are absent from the document.'),
  'addons.webhooks': setting(true, yesOrNo, 'Pro only. Inactive: webhook routes do not exist and nothing is delivered.'),
  'addons.multi_level': setting(true, yesOrNo, 'Pro only. Inactive: parents earn no share and see nothing of their recruits.'),
  'addons.store': setting(false, yesOrNo, 'Whether the store sends orders, clicks and applications. Inactive: the routes do not exist.'),
  'addons.insights': setting(
    false,
    yesOrNo,
    'Whether the commission of an order can be explained, and the mail of a decision previewed. Inactive: the routes do not exist.',
  ),

  'addons.management': setting(
    false,
    yesOrNo,
    'Whether the program can be run in the browser: settings, payout details, payment runs. Inactive: the routes do not exist.',
  ),
  'addons.risk': setting(
    false,
    yesOrNo,
    'Whether signals of fraud and leaked codes are computed, which can hold payouts back. Inactive: the routes do not exist.',
  ),
  'addons.agents': setting(
    false,
    yesOrNo,
    'Whether agents can use the program by MCP, writes can be tried without saving, and events read as a stream. Inactive: the routes do not exist.',
  ),

  'payouts.enabled': setting(true, yesOrNo, 'Whether payouts can be requested at all.'),
  'payouts.requests_enabled': setting(true, yesOrNo, 'Whether affiliates may request payouts themselves. Admins always may.'),
  'payouts.threshold': setting(0, amount, 'The smallest unpaid commission for which a payout can be requested. Applies to admins too.'),
  'payouts.details_required': setting(true, yesOrNo, 'Whether an affiliate must have saved payout details first.'),
  'payouts.auto_accept.enabled': setting(false, yesOrNo, 'Whether requests go to a payment gateway without review.'),
  'payouts.auto_accept.max_amount': setting(200, amount, 'The largest amount that is accepted without review. 0 accepts none.'),
  'payouts.auto_accept.gateway': setting('manual', gatewayName, 'The gateway that pays accepted requests.'),
  'payouts.sepa.name': setting('', optionalLine(70), 'The holder of the account that SEPA files pay from.'),
  'payouts.sepa.iban': setting('', optionalIban, 'The account that SEPA files pay from.'),
  'payouts.sepa.bic': setting('', optionalBic, 'The BIC of that account. Empty: the bank derives it from the IBAN.'),
  'payouts.sepa.town': setting('', optionalLine(35), 'The town of the account holder.'),
  'payouts.sepa.country': setting('', optionalCountry, 'The country of the account holder.'),

  'commission.percent': setting(10, percent, 'Percent of the goods after discount, unless the coupon has its own rate.'),
  'commission.fixed_per_order': setting(0, amount, 'Added for each order, unless the coupon has its own amount.'),
  'commission.fixed_per_product': setting(0, amount, 'Added for each product of an order, unless the coupon has its own amount.'),
  'commission.clearing_days': setting(0, days, 'How many days after completion commission can be paid out.'),
  'attribution.window_days': setting(30, days, 'How many days after a click an order is credited to it. 0: clicks credit nothing.'),
  'attribution.lifetime': setting(false, yesOrNo, 'Whether all later orders of a referred customer are credited to the same affiliate.'),
  'recurring.percent': setting(
    null,
    optionalPercent,
    'Percent of the goods for payments of a subscription after the first. null: the percentage of the coupon.',
  ),
  'recurring.payments': setting(
    0,
    integer(0, 1000),
    'How many payments of a subscription earn commission, the first included. 0: no limit.',
  ),
  'recurring.months': setting(
    12,
    integer(0, 600),
    'For how many months after the first credited payment of a subscription its payments earn commission. 0: no limit.',
  ),
  'multi_level.rates': setting(
    [],
    listOf(percent, { most: 10, unique: false }),
    'Percent of the commission for each parent, starting with the direct one.',
  ),
  'registration.open': setting(
    false,
    yesOrNo,
    'Whether people can apply to the program at /apply. Needs service.url, for the link in the mail that confirms the address.',
  ),
  'registration.terms_url': setting('', optionalLink, 'The terms of the program, which applicants must accept. Empty: none.'),
  'registration.coupon_template': setting(
    { percent: null, discount_type: 'percent', discount_amount: 10 },
    couponTemplate,
    'The coupon that an accepted applicant gets. If percent is null, commission.percent applies.',
  ),

  'privacy.declined_days': setting(180, days, 'How many days after it was declined an application is erased. 0: never.'),
  'privacy.click_days': setting(
    730,
    days,
    'How many days after a click its record is erased, but never within attribution.window_days. Counts stay. 0: never.',
  ),

  // 0 allows no request. "No limit" would be the dangerous meaning: a missing limit goes unnoticed, while a 429 is noticed at once and
  // corrected by another `settings set`.
  'limits.authenticated': setting(120, limit, 'Requests per minute for each identity. 0 refuses every request.'),
  'limits.anonymous': setting(30, limit, 'Requests per minute for all anonymous callers together. 0 refuses every request.'),
  'limits.connections_per_address': setting(
    256,
    integer(1, 1_000_000),
    'Open connections for each address (IPv6: each /64) and process. Addresses in TRUSTED_PROXIES are not limited.',
  ),
  'lockout.max_failures': setting(
    20,
    limit,
    'Failed sign-ins from one address (IPv6: its /64) before it is locked out; of a /48, ten times as many. 0: no lock-out.',
  ),
  'lockout.window_minutes': setting(15, integer(0, 10_080), 'The minutes in which failed sign-ins are counted. 0: no lock-out.'),

  'security.second_factor': setting(
    'optional',
    oneOf('off', 'optional', 'admins'),
    'Codes of an app at the sign-in. off: nobody is asked. optional: people can set it up in their account. admins: administrators and managers must, at their next sign-in.',
  ),

  openapi_public: setting(true, yesOrNo, 'Whether anyone may read the OpenAPI document, or admins only.'),
  activity_log: setting(true, yesOrNo, 'Whether the change feed can be read. Events are recorded and webhooks are sent either way.'),
  'cors.origins': setting([], listOf(origin), 'The origins of web apps that may call the API from a browser and record clicks.'),
  'webhooks.ports': setting([443, 8443], listOf(integer(1, 65_535), { least: 1 }), 'The ports that webhooks may be delivered to.'),
};

type Switch = OperationId | SwitchGroup;

const switchGroups = new Set(Object.values(operations).flatMap(({ switchGroup }) => switchGroup ?? []));

const switches = Object.fromEntries([
  ...Object.entries(operations).map(([id, { method, path }]) => [
    `switches.${id}`,
    setting(true, yesOrNo, `false: ${method.toUpperCase()} ${path} answers 404 and is absent from the document.`),
  ]),
  ...[...switchGroups].map((group) => [
    `switches.${group}`,
    setting(true, yesOrNo, `false: all ${group} routes answer 404 and are absent from the document.`),
  ]),
]) as Record<`switches.${Switch}`, Setting<boolean>>;

/** The default label by kind. A kind of the contract that is missing in this table does not compile. */
export const methodNames: Record<MethodType, string> = {
  paypal: 'PayPal',
  banktransfer: 'Bank transfer',
  stripeapi: 'Stripe',
  wisebank: 'Wise',
  credit: 'Store credit',
  custom: 'Custom',
};

type MethodSettings = { [Kind in MethodType as `payouts.methods.${Kind}.${'enabled' | 'invoice_required'}`]: Setting<boolean> } & {
  [Kind in MethodType as `payouts.methods.${Kind}.label`]: Setting<string>;
};

const methods = Object.fromEntries(
  Object.entries(methodNames).flatMap(([kind, name]) => [
    [`payouts.methods.${kind}.enabled`, setting(true, yesOrNo, `Whether affiliates can be paid by ${name}.`)],
    [
      `payouts.methods.${kind}.label`,
      setting(name, line(100), `The label of ${name}, unless the payout details of the affiliate have their own.`),
    ],
    [`payouts.methods.${kind}.invoice_required`, setting(false, yesOrNo, `Whether a payout by ${name} needs an invoice.`)],
  ]),
) as MethodSettings;

/** Every setting by its path, in the order of the documentation and the command line. */
export const schema = { ...program, ...riskSettings, ...methods, ...switches };
