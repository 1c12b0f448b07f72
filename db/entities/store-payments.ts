import type { LimitKind } from '../../domain/orders/credit-link.ts';
import type { CreditedVia } from '../../domain/orders/order.ts';
import type { StorePlatform } from '../../domain/store/connection.ts';
import type { PaymentAmounts, PaymentFact, Reduction } from '../../domain/store/payment.ts';
import { bigint, entity, generatedId, json, nullable, primary, text, withDefault } from './columns.ts';

export const storePayments = entity('store_payments', {
  id: generatedId,
  platform: text<StorePlatform>('platform'),
  externalId: text('external_id'),
  subscription: nullable(text('subscription')),
  customerHash: nullable(text('customer_hash')),
  seenAt: bigint('seen_at'),
  amounts: nullable(json<PaymentAmounts>('amounts')),
  reductions: json<readonly Reduction[]>('reductions'),
});

export const storePaymentIds = entity('store_payment_ids', {
  platform: primary(text<StorePlatform>('platform')),
  externalId: primary(text('external_id')),
  paymentId: bigint('payment_id'),
});

export const storeCodes = entity('store_codes', {
  platform: primary(text<StorePlatform>('platform')),
  externalId: primary(text('external_id')),
  code: text('code'),
  occurredAt: withDefault(bigint('occurred_at'), 0),
});

export const waitingReferrals = entity('store_waiting_referrals', {
  id: generatedId,
  platform: text<StorePlatform>('platform'),
  codeId: text('code_id'),
  seenAt: bigint('seen_at'),
  fact: json<PaymentFact>('fact'),
});

export const creditLinks = entity('credit_links', {
  link: primary(text('link')),
  couponId: bigint('coupon_id'),
  usedCouponId: nullable(bigint('used_coupon_id')),
  creditedVia: text<CreditedVia>('credited_via'),
  campaign: nullable(text('campaign')),
  visitorHash: nullable(text('visitor_hash')),
  clickId: nullable(bigint('click_id')),
  linkedAt: bigint('linked_at'),
  firstPaidAt: nullable(bigint('first_paid_at')),
  payments: bigint('payments'),
});

export const subscriptionPayments = entity('subscription_payments', {
  orderId: primary(bigint('order_id')),
  subscription: text('subscription'),
  number: bigint('number'),
  percentThousandths: nullable(bigint('percent_thousandths')),
  maxPayments: bigint('max_payments'),
  maxMonths: bigint('max_months'),
  exceeded: nullable(text<LimitKind>('exceeded')),
});
