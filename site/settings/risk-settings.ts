import { type RiskKind, riskKinds } from '../../domain/risk/signal.ts';
import { integer, numberUpTo, oneOf, yesOrNo } from './kinds.ts';
import { type Setting, setting } from './setting.ts';

const count = integer(1, 1_000_000);
const times = numberUpTo(1000);
// From 1: everything has 0 percent of whatever it is.
const percent = numberUpTo(100, 1);

const thresholds = {
  'risk.hold_payouts': setting(
    'high',
    oneOf('none', 'high', 'medium'),
    'Payouts of affiliates with an open or confirmed signal of this severity or above are not accepted automatically and left out of files.',
  ),
  'risk.refund_rate.orders': setting(20, count, 'refund_rate: the orders that an affiliate has in 90 days, at least.'),
  'risk.refund_rate.percent': setting(25, percent, 'refund_rate: the percentage of their value that is refunded or cancelled, at least.'),
  'risk.refund_rate.times': setting(3, times, 'refund_rate: how many times that of all other affiliates it is, at least.'),
  'risk.refund_after_payout.orders': setting(3, count, 'refund_after_payout: the orders refunded or cancelled after a payout, at least.'),
  'risk.refund_after_payout.percent': setting(20, percent, 'refund_after_payout: their percentage of the payout, at least.'),
  'risk.refund_after_payout.days': setting(30, integer(1, 90), 'refund_after_payout: for how many days after the payment.'),
  'risk.details_changed.hours': setting(
    72,
    integer(1, 720),
    'details_changed: payout details that are replaced within so many hours before a request count.',
  ),
  'risk.code_without_click.orders': setting(20, count, 'code_without_click: the orders of a coupon in 28 days, at least.'),
  'risk.code_without_click.percent': setting(80, percent, 'code_without_click: the percentage by typed code without a click, at least.'),
  'risk.code_without_click.orders_before': setting(10, count, 'code_without_click: the orders in the 90 days before, at least.'),
  'risk.code_without_click.times': setting(3, times, 'code_without_click: how many times their daily mean it is, at least.'),
  'risk.fast_conversion.orders': setting(5, count, 'fast_conversion: the orders in 28 days, at least.'),
  'risk.fast_conversion.seconds': setting(10, integer(1, 3600), 'fast_conversion: how many seconds after their click, at most.'),
  'risk.click_spike.clicks': setting(500, count, 'click_spike: the clicks of a coupon in a day without an order, at least.'),
  'risk.click_spike.times': setting(10, times, 'click_spike: how many times the daily mean of the 28 days before it is, at least.'),
  'risk.visitor_many_coupons.coupons': setting(3, integer(2, 1000), 'visitor_many_coupons: the coupons in 28 days, at least.'),
  'risk.high_commission.percent': setting(50, percent, 'high_commission: the percentage of the net goods that an order earns, at least.'),
};

const switches = Object.fromEntries(
  riskKinds.map((kind) => [`risk.${kind}.enabled`, setting(true, yesOrNo, `Whether ${kind} signals are opened.`)]),
) as Record<`risk.${RiskKind}.enabled`, Setting<boolean>>;

export const riskSettings = { ...thresholds, ...switches };
