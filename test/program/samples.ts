import type { IncomingOrder } from '../../domain/order-recording/incoming.ts';
import type { Program } from '../../domain/program.ts';

/** EUR, Europe/Berlin, 10 %, no fixed amounts, no clearing days, links of 30 days, no tiers. */
export const simpleProgram: Program = {
  zone: 'Europe/Berlin',
  currency: 'EUR',
  shopUrl: 'https://fjell.example',
  storeName: 'Fjell',
  serviceUrl: '',
  rates: { percentThousandths: 10_000, fixedPerOrder: 0, fixedPerProduct: 0 },
  clearingDays: 0,
  attribution: { windowDays: 30, lifetime: false },
  recurring: { percentThousandths: null, maxPayments: 0, maxMonths: 12 },
  multiLevelThousandths: [],
  risk: null,
  couponTemplate: { percentThousandths: null, discountType: 'percent', discountAmount: 10_000 },
};

export const at = (moment: string): number => Date.parse(moment);
export const day = 86_400_000;

/** A completed order of 100.00 that was placed in October. */
export const order = (fields: Partial<IncomingOrder> & { orderId: number }): IncomingOrder => ({
  placedAt: at('2026-10-05T12:31:07Z'),
  status: 'completed',
  total: 10_000,
  discount: 0,
  shipping: 490,
  tax: 1900,
  refunded: 0,
  quantity: 1,
  ...fields,
});

/** The example of docs/decisions: 179.80 - 17.98 = 161.82; 10 % = 16.18. */
export const exampleOrder = (couponId: number, fields: Partial<IncomingOrder> = {}): IncomingOrder =>
  order({ orderId: 58_213, couponId, total: 17_980, discount: 1798, ...fields });
