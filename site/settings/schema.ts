import type { components } from '../../generated/api.d.ts';
import { type OperationId, operations, type SwitchGroup } from '../../generated/operations.ts';
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
  optionalIban,
  optionalLine,
  optionalWebAddress,
  orderStatusMap,
  origin,
  percent,
  type SettingType,
  timeZone,
  webAddress,
  yesOrNo,
} from './kinds.ts';

export interface Setting<Value> {
  readonly default: Value;
  readonly kind: SettingType<Value>;
  readonly description: string;
}

const setting = <Value>(byDefault: NoInfer<Value>, kind: SettingType<Value>, description: string): Setting<Value> => ({
  default: byDefault,
  kind,
  description,
});

const limit = integer(0, 1_000_000);
const days = integer(0, 3650);

/** The settings of an operator. The switches and the payout methods follow below: they are derived from the contract. */
const program = {
  'store.name': setting('My store', line(200), 'The store, as mails and webhooks name it.'),
  'store.url': setting('https://example.com', webAddress, 'The shop. Referral links lead there, and its pages may send clicks.'),
  'store.currency': setting(
    'USD',
    currency,
    'The currency of all amounts. Cannot change once any amount is stored: an order, a payout, a fixed rate, an amount in the settings.',
  ),
  'store.timezone': setting(
    'UTC',
    timeZone,
    "The store's calendar: days, ranges and dates in answers are of this zone. Cannot change once there are orders, clicks or payouts.",
  ),

  'store.statuses': setting(
    {},
    orderStatusMap,
    'What order statuses of the store mean that are not known here: { "packed": "processing" }. Others count as processing.',
  ),
  'store.completed_when': setting('paid', oneOf('paid', 'fulfilled'), 'When an order of Shopify is completed.'),
  'service.url': setting(
    '',
    optionalWebAddress,
    'The public address of this service: webhooks of the store and referral links begin with it. Empty: unknown.',
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

  'payouts.enabled': setting(true, yesOrNo, 'Whether payouts can be requested at all.'),
  'payouts.requests_enabled': setting(true, yesOrNo, 'Whether affiliates may request payouts themselves. Admins always may.'),
  'payouts.threshold': setting(0, amount, 'The least unpaid commission a payout can be requested for. Holds for admins too.'),
  'payouts.details_required': setting(true, yesOrNo, 'Whether an affiliate must have saved payout details first.'),
  'payouts.auto_accept.enabled': setting(false, yesOrNo, 'Whether requests go to a payment gateway without review.'),
  'payouts.auto_accept.max_amount': setting(200, amount, 'The greatest amount that is accepted so. 0 accepts none.'),
  'payouts.auto_accept.gateway': setting('manual', gatewayName, 'Where accepted requests go.'),
  'payouts.sepa.name': setting('', optionalLine(70), 'The holder of the account that SEPA files pay from.'),
  'payouts.sepa.iban': setting('', optionalIban, 'The account that SEPA files pay from.'),
  'payouts.sepa.bic': setting('', optionalBic, 'The bank of that account. Empty: the bank finds it by the IBAN.'),
  'payouts.sepa.town': setting('', optionalLine(35), 'The town of the holder.'),
  'payouts.sepa.country': setting('', optionalCountry, 'The country of the holder.'),

  'commission.percent': setting(10, percent, 'Percent of the goods net of discount, where the coupon has no rate of its own.'),
  'commission.fixed_per_order': setting(0, amount, 'Added for each order, where the coupon says nothing else.'),
  'commission.fixed_per_product': setting(0, amount, 'Added for each product of an order, where the coupon says nothing else.'),
  'commission.clearing_days': setting(0, days, 'How long after completion commission waits until it can be paid out.'),
  'attribution.window_days': setting(30, days, 'How long after a click an order is credited to it. 0: clicks credit nothing.'),
  'attribution.lifetime': setting(false, yesOrNo, 'Whether a customer once referred is credited to that affiliate for good.'),
  'multi_level.rates': setting(
    [],
    listOf(percent, { most: 10, unique: false }),
    'Percent of the commission that each parent gets, the direct one first.',
  ),
  'registration.coupon_template': setting(
    { percent: null, discount_type: 'percent', discount_amount: 10 },
    couponTemplate,
    'The coupon that an accepted applicant gets. A null percent follows the store.',
  ),

  // 0 allows no request. "No limit" would be the dangerous meaning: a missing limit goes unnoticed, while a 429 is noticed at once and
  // corrected by another `settings set`.
  'limits.authenticated': setting(120, limit, 'Requests each identity has in a minute. 0: none at all.'),
  'limits.anonymous': setting(30, limit, 'Requests that all anonymous callers together have in a minute. 0: none at all.'),
  'limits.connections_per_address': setting(
    256,
    integer(1, 1_000_000),
    'Connections that one address (of IPv6, its /64) may have open to each process. TRUSTED_PROXIES may have any number.',
  ),
  'lockout.max_failures': setting(20, limit, 'Failed sign-ins from one address before it is locked out. 0: no lock-out.'),
  'lockout.window_minutes': setting(15, integer(0, 10_080), 'The time in which they are counted. 0: no lock-out.'),

  openapi_public: setting(true, yesOrNo, 'Whether anyone may read the OpenAPI document, or admins only.'),
  activity_log: setting(true, yesOrNo, 'Whether the change feed is kept. Webhooks fire either way.'),
  'cors.origins': setting([], listOf(origin), 'The web apps that may call from a browser, and send clicks like the shop.'),
  'webhooks.ports': setting([443, 8443], listOf(integer(1, 65_535), { least: 1 }), 'The ports that webhooks may be delivered to.'),
};

type Switch = OperationId | SwitchGroup;

const switchGroups = new Set(Object.values(operations).flatMap(({ switchGroup }) => switchGroup ?? []));

const switches = Object.fromEntries([
  ...Object.entries(operations).map(([id, { method, path }]) => [
    `switches.${id}`,
    setting(true, yesOrNo, `false: ${method.toUpperCase()} ${path} answers 404 and is absent from the document.`),
  ]),
  ...[...switchGroups].map((group) => [`switches.${group}`, setting(true, yesOrNo, `false: all ${group} routes at once.`)]),
]) as Record<`switches.${Switch}`, Setting<boolean>>;

export type MethodKind = components['schemas']['MethodType'];

/** The default label by kind. A kind of the contract that is missing in this table does not compile. */
export const methodNames: Record<MethodKind, string> = {
  paypal: 'PayPal',
  banktransfer: 'Bank transfer',
  stripeapi: 'Stripe',
  wisebank: 'Wise',
  credit: 'Store credit',
  custom: 'Custom',
};

type MethodSettings = { [Kind in MethodKind as `payouts.methods.${Kind}.${'enabled' | 'invoice_required'}`]: Setting<boolean> } & {
  [Kind in MethodKind as `payouts.methods.${Kind}.label`]: Setting<string>;
};

const methods = Object.fromEntries(
  Object.entries(methodNames).flatMap(([kind, name]) => [
    [`payouts.methods.${kind}.enabled`, setting(true, yesOrNo, `Whether affiliates can be paid by ${name}.`)],
    [
      `payouts.methods.${kind}.label`,
      setting(name, line(100), `What this store calls ${name}, where the details of an affiliate have no label of their own.`),
    ],
    [`payouts.methods.${kind}.invoice_required`, setting(false, yesOrNo, `Whether a payout by ${name} needs an invoice.`)],
  ]),
) as MethodSettings;

/** Every setting by its path, in the order of the documentation and the command line. */
export const schema = { ...program, ...methods, ...switches };
