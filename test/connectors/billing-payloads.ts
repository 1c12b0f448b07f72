import { createHmac } from 'node:crypto';
import { customer } from './payloads.ts';

// Events as the platforms document them, reduced to what matters, with customer data, which must never be stored.

export const secondsOf = (moment: string): number => Date.parse(moment) / 1000;
export const paidAt = '2026-11-02T07:00:00Z';

let events = 0;

/** An event of Stripe. `created` is in seconds. */
export const stripeEvent = (
  type: string,
  object: object,
  { created = secondsOf(paidAt), livemode = true, version = '2024-06-20' } = {},
) => {
  events += 1;
  return { id: `evt_${events}`, object: 'event', api_version: version, created, livemode, type, data: { object } };
};

interface InvoiceSample {
  id?: string;
  subscription?: string | null;
  customer?: string;
  intent?: string;
  at?: number;
  [field: string]: unknown;
}

/** 120.00 less 20.00, shipping 5.00, tax 19.95. */
const amounts = {
  currency: 'eur',
  subtotal: 12_000,
  subtotal_excluding_tax: 12_000,
  total: 12_495,
  total_excluding_tax: 10_500,
  amount_due: 12_495,
  amount_paid: 12_495,
  amount_shipping: 500,
  shipping_cost: { amount_subtotal: 500, amount_tax: 95, amount_total: 595 },
  customer_email: customer.email,
  customer_name: `${customer.first_name} ${customer.last_name}`,
  customer_phone: customer.phone,
};

/** As API versions before 2025-03-31 send it. */
export const oldInvoice = ({
  id = 'in_1',
  subscription = 'sub_1',
  customer = 'cus_1',
  intent = 'pi_1',
  at,
  ...changed
}: InvoiceSample = {}) => ({
  id,
  object: 'invoice',
  created: secondsOf(paidAt),
  customer,
  subscription,
  payment_intent: intent,
  charge: intent.replace('pi_', 'ch_'),
  discount: null,
  discounts: [],
  tax: 1995,
  total_tax_amounts: [{ amount: 1995, inclusive: false }],
  status_transitions: { paid_at: at ?? secondsOf(paidAt) },
  metadata: {},
  ...amounts,
  ...changed,
});

/** As versions since 2025-03-31 send it: the payment is told by `invoice_payment.paid` alone. */
export const newInvoice = ({
  id = 'in_1',
  subscription = 'sub_1',
  customer = 'cus_1',
  intent: _told,
  at,
  ...changed
}: InvoiceSample = {}) => ({
  id,
  object: 'invoice',
  created: secondsOf(paidAt),
  customer,
  parent: { type: 'subscription_details', subscription_details: { subscription, metadata: {} } },
  discounts: ['di_1'],
  total_taxes: [{ amount: 1995, tax_behavior: 'exclusive', type: 'tax_rate_details' }],
  status_transitions: { paid_at: at ?? secondsOf(paidAt) },
  metadata: {},
  ...amounts,
  ...changed,
});

export const invoicePayment = (invoice = 'in_1', intent = 'pi_1') => ({
  id: `inpay_${intent}`,
  object: 'invoice_payment',
  invoice,
  amount_paid: 12_495,
  payment: { type: 'payment_intent', payment_intent: intent },
  status: 'paid',
});

export const session = (changed: object = {}) => ({
  id: 'cs_1',
  object: 'checkout.session',
  created: secondsOf(paidAt) - 60,
  mode: 'subscription',
  payment_status: 'paid',
  client_reference_id: null,
  customer: 'cus_1',
  customer_details: { email: customer.email, name: customer.last_name },
  subscription: 'sub_1',
  invoice: null,
  payment_intent: null,
  metadata: {},
  currency: 'eur',
  amount_subtotal: 12_000,
  amount_total: 12_495,
  total_details: { amount_discount: 2000, amount_shipping: 500, amount_tax: 1995 },
  shipping_cost: { amount_subtotal: 500, amount_tax: 95, amount_total: 595 },
  ...changed,
});

export const paymentSession = (changed: object = {}) =>
  session({ mode: 'payment', subscription: null, payment_intent: 'pi_1', ...changed });

export const charge = (refunded: number, intent = 'pi_1', changed: object = {}) => ({
  id: intent.replace('pi_', 'ch_'),
  object: 'charge',
  created: secondsOf(paidAt),
  amount: 12_495,
  amount_refunded: refunded,
  currency: 'eur',
  payment_intent: intent,
  billing_details: customer,
  ...changed,
});

export const failedRefund = (id: string, amount: number, intent = 'pi_1', status = 'failed') => ({
  id,
  object: 'refund',
  amount,
  charge: intent.replace('pi_', 'ch_'),
  payment_intent: intent,
  currency: 'eur',
  status,
});

export const dispute = (id: string, amount: number, intent = 'pi_1') => ({
  id,
  object: 'dispute',
  amount,
  charge: intent.replace('pi_', 'ch_'),
  payment_intent: intent,
  currency: 'eur',
  status: 'needs_response',
});

export const paddleEvent = (type: string, data: object, occurredAt = paidAt) => {
  events += 1;
  return { event_id: `evt_${events}`, event_type: type, occurred_at: occurredAt, notification_id: `ntf_${events}`, data };
};

/** 120.00 less 20.00, tax 19.00. */
export const transaction = (changed: { totals?: object; [field: string]: unknown } = {}) => {
  const { totals, ...fields } = changed;
  return {
    id: 'txn_1',
    status: 'completed',
    customer_id: 'ctm_1',
    subscription_id: 'sub_p1',
    currency_code: 'EUR',
    origin: 'web',
    billed_at: paidAt,
    custom_data: null as object | null,
    discount_id: null as string | null,
    customer: { email: customer.email },
    details: {
      totals: { subtotal: '12000', discount: '2000', tax: '1900', total: '11900', credit: '0', grand_total: '11900', ...totals },
    },
    ...fields,
  };
};

export const adjustment = (id: string, action: string, status: string, subtotal: number, transactionId = 'txn_1') => ({
  id,
  action,
  status,
  transaction_id: transactionId,
  currency_code: 'EUR',
  totals: { subtotal: String(subtotal), tax: '0', total: String(subtotal) },
});

export const signStripe = (body: string | Buffer, secret: string, time: number): string =>
  `t=${time},v1=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`;

export const signPaddle = (body: string | Buffer, secret: string, time: number): string =>
  `ts=${time};h1=${createHmac('sha256', secret).update(`${time}:`).update(body).digest('hex')}`;
