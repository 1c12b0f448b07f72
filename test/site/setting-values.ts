import { riskKinds } from '../../domain/risk/signal.ts';
import { operations } from '../../generated/operations.ts';
import { methodNames, type schema } from '../../site/settings/schema.ts';

export interface Values {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

const yesOrNo: Values = { good: [true, false], bad: ['true', 1, null, undefined, {}] };
const amount: Values = { good: [0, 12.5, 1_000_000_000], bad: [-0.01, Number.NaN, Number.POSITIVE_INFINITY, '5', 1_000_000_001, null] };
const percent: Values = { good: [0, 12.5, 100], bad: [-1, 100.01, '10', null, Number.NaN] };
const days: Values = { good: [0, 30, 3650], bad: [-1, 1.5, 3651, '30'] };
const limit: Values = { good: [0, 1, 1_000_000], bad: [-1, 0.5, 1_000_001, '120', Number.NaN] };
const label = (longest: number): Values => ({
  good: ['Fjell & Co', 'x'.repeat(longest)],
  bad: ['', '  ', 'x'.repeat(longest + 1), 'two\nlines', 'Shop\r\nBcc: all@shop.example', 5, null],
});

type Path = keyof typeof schema;

const methods = Object.fromEntries(
  Object.keys(methodNames).flatMap((kind) => [
    [`payouts.methods.${kind}.enabled`, yesOrNo],
    [`payouts.methods.${kind}.label`, label(100)],
    [`payouts.methods.${kind}.invoice_required`, yesOrNo],
  ]),
) as Record<Extract<Path, `payouts.methods.${string}`>, Values>;

const switches = Object.fromEntries([...Object.keys(operations), 'payouts'].map((name) => [`switches.${name}`, yesOrNo])) as Record<
  Extract<Path, `switches.${string}`>,
  Values
>;

const count: Values = { good: [1, 20, 1_000_000], bad: [0, -1, 1.5, 1_000_001, '20', null] };
const share: Values = { good: [1, 12.5, 100], bad: [0, 0.99, 100.01, '10', null] };
const times: Values = { good: [0, 2.5, 1000], bad: [-1, 1001, '3', null] };
const between = (least: number, most: number): Values => ({ good: [least, most], bad: [least - 1, most + 1, least + 0.5, '7', null] });

const riskKindSwitches = Object.fromEntries(riskKinds.map((kind) => [`risk.${kind}.enabled`, yesOrNo])) as Record<
  Extract<Path, `risk.${string}.enabled`>,
  Values
>;

const template = { percent: 5, discount_type: 'percent', discount_amount: 10 };

/** Good and bad values of every setting. A path that is left out does not compile. */
export const settingValues: Record<Path, Values> = {
  'addons.risk': yesOrNo,
  'risk.hold_payouts': { good: ['none', 'high', 'medium'], bad: ['low', true, null] },
  'risk.refund_rate.orders': count,
  'risk.refund_rate.percent': share,
  'risk.refund_rate.times': times,
  'risk.refund_after_payout.orders': count,
  'risk.refund_after_payout.percent': share,
  'risk.refund_after_payout.days': between(1, 90),
  'risk.details_changed.hours': between(1, 720),
  'risk.code_without_click.orders': count,
  'risk.code_without_click.percent': share,
  'risk.code_without_click.orders_before': count,
  'risk.code_without_click.times': times,
  'risk.fast_conversion.orders': count,
  'risk.fast_conversion.seconds': between(1, 3600),
  'risk.click_spike.clicks': count,
  'risk.click_spike.times': times,
  'risk.visitor_many_coupons.coupons': between(2, 1000),
  'risk.high_commission.percent': share,
  ...riskKindSwitches,
  'store.name': label(200),
  'store.url': {
    good: ['https://shop.example', 'http://localhost:3000/shop/'],
    bad: [
      'shop.example',
      'ftp://shop.example',
      'https://',
      'https://me:secret@shop.example',
      'https://shop.example?a=1',
      'https://shop.example#a',
      ' https://shop.example',
      7,
    ],
  },
  'store.currency': { good: ['EUR', 'JPY', 'KWD'], bad: ['eur', 'EURO', 'XQQ', '', 978, null] },
  'store.timezone': { good: ['Europe/Berlin', 'UTC', 'America/St_Johns'], bad: ['Europe/Atlantis', '+02:00', '', 2, null] },
  'store.statuses': { good: [{}, { packed: 'processing' }], bad: [[], null, { packed: 'done' }, { 'a b': 'processing' }, 'x'] },
  'store.completed_when': { good: ['paid', 'fulfilled'], bad: ['shipped', true, null] },
  'brand.color': {
    good: ['', '#2563eb', '#C2410C', '#767676'],
    bad: ['#ffee00', '#ffffff', '#000000', '#10205a', '2563eb', '#26e', 'blue', '#2563eb;}', '#2563eb\n', 0x2563eb, null],
  },
  'brand.logo': { good: ['', 'a'.repeat(64)], bad: ['logo.png', 'A'.repeat(64), 'a'.repeat(63), 7, null] },
  'service.url': { good: ['', 'https://api.shop.example'], bad: ['api.shop.example', 'https://a.example?b=1', 7, null] },
  edition: { good: ['free', 'pro'], bad: ['Pro', 'premium', true, null] },
  'addons.payouts': yesOrNo,
  'addons.webhooks': yesOrNo,
  'addons.multi_level': yesOrNo,
  'addons.store': yesOrNo,
  'addons.insights': yesOrNo,
  'addons.management': yesOrNo,
  'addons.agents': yesOrNo,
  'payouts.enabled': yesOrNo,
  'payouts.requests_enabled': yesOrNo,
  'payouts.threshold': amount,
  'payouts.details_required': yesOrNo,
  'payouts.auto_accept.enabled': yesOrNo,
  'payouts.auto_accept.max_amount': amount,
  'payouts.auto_accept.gateway': { good: ['manual', 'log', 'acme-pay'], bad: ['', 'Acme', 'a b', 'x'.repeat(41), null] },
  'payouts.sepa.name': { good: ['', 'Trail Shop GmbH'], bad: ['a\nb', 'x'.repeat(71), 7, null] },
  'payouts.sepa.iban': {
    good: ['', 'DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
    bad: ['DE89370400440532013001', 'x', 7, null],
  },
  'payouts.sepa.bic': { good: ['', 'COBADEFF', 'COBADEFFXXX'], bad: ['COBA', 'cobadeff', 7, null] },
  'payouts.sepa.town': { good: ['', 'Berlin'], bad: ['a\nb', 'x'.repeat(36), null] },
  'payouts.sepa.country': { good: ['', 'DE'], bad: ['de', 'DEU', 'ZZ', null] },
  'commission.percent': percent,
  'commission.fixed_per_order': amount,
  'commission.fixed_per_product': amount,
  'commission.clearing_days': days,
  'attribution.window_days': days,
  'privacy.declined_days': days,
  'privacy.click_days': days,
  'attribution.lifetime': yesOrNo,
  'recurring.percent': { good: [null, ...percent.good], bad: percent.bad.filter((value) => value !== null) },
  'recurring.payments': { good: [0, 12, 1000], bad: [-1, 1.5, 1001, '12', null] },
  'recurring.months': { good: [0, 12, 600], bad: [-1, 1.5, 601, '12', null] },
  'multi_level.rates': {
    good: [[], [10, 5, 2.5], [10, 10], Array(10).fill(1)],
    bad: [5, [101], [-1], ['5'], Array(11).fill(1), { T1: 10 }],
  },
  'registration.open': yesOrNo,
  'registration.terms_url': { good: ['', 'https://shop.example/?page_id=12#terms'], bad: ['shop.example', 7, null] },
  'registration.coupon_template': {
    good: [template, { ...template, percent: null }, { ...template, discount_type: 'fixed_cart', discount_amount: 250 }],
    bad: [
      null,
      {},
      [],
      { percent: 5 },
      { ...template, color: 'red' },
      { ...template, percent: 101 },
      { ...template, discount_type: 'free_shipping' },
      { ...template, discount_amount: -1 },
      { ...template, discount_amount: 101 },
    ],
  },
  'limits.authenticated': limit,
  'limits.anonymous': limit,
  'limits.connections_per_address': { good: [1, 256, 1_000_000], bad: [0, -1, 0.5, 1_000_001, '256', null] },
  'lockout.max_failures': limit,
  'lockout.window_minutes': { good: [0, 15, 10_080], bad: [-1, 0.5, 10_081, '15'] },
  'security.second_factor': { good: ['off', 'optional', 'admins'], bad: ['on', '', true, null] },
  openapi_public: yesOrNo,
  activity_log: yesOrNo,
  'cors.origins': {
    good: [[], ['https://app.example', 'http://localhost:5173']],
    bad: [
      ['*'],
      ['null'],
      ['https://app.example/'],
      ['https://App.example'],
      ['https://app.example:443'],
      ['https://*.app.example/x'],
      ['app.example'],
      ['https://app.example', 'https://app.example'],
      'https://app.example',
    ],
  },
  'webhooks.ports': { good: [[443], [443, 8443, 65_535]], bad: [[], [0], [65_536], [443, 443], ['443'], [443.5], 443] },
  ...methods,
  ...switches,
};
