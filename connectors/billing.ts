import { decimalsOf, type Minor } from '../domain/money.ts';
import type { PaymentAmounts, Referral } from '../domain/store/payment.ts';
import { type Fields, findObject, PayloadError, readText, shortText, toMinor } from './payload.ts';

/** What both billing platforms send in the same way. */

/** In the smallest unit of the platform. */
export interface BilledAmounts {
  /** The goods before discount, without tax. */
  goods: bigint;
  /** After discount. */
  net: bigint;
  shipping: bigint;
  tax: bigint;
  total: bigint;
  /** In money, without credit of the customer. */
  paid: bigint;
}

/** Only what was paid in money counts, in proportion. Undefined where nothing is left of the goods. */
export function toPaymentAmounts(
  { goods, net, shipping, tax, total, paid }: BilledAmounts,
  { decimals, currency, ...identity }: Pick<PaymentAmounts, 'externalId' | 'placedAt' | 'rank'> & { decimals: number; currency: string },
): PaymentAmounts | undefined {
  if (net <= 0n || total <= 0n || paid <= 0n) return undefined;
  const part = paid < total ? paid : total;
  const scale = (amount: bigint): Minor => toMinor((amount * toUnit(decimals) * part) / total, currency);
  const netMinor = scale(net);
  if (netMinor === 0) return undefined;
  const goodsMinor = Math.max(netMinor, scale(goods));
  return {
    ...identity,
    total: goodsMinor,
    discount: goodsMinor - netMinor,
    shipping: Math.max(0, scale(shipping)),
    tax: Math.max(0, scale(tax)),
    // Lines of metered prices have quantities in the thousands.
    quantity: 1,
    paid: toMinor(paid * toUnit(decimals), currency),
  };
}

const toUnit = (decimals: number): bigint => 10n ** BigInt(10 - decimals);

/** An amount of the platform in our minor units. */
export const fromUnits = (amount: bigint, currency: string, decimals = decimalsOf(currency)): Minor =>
  toMinor(amount * toUnit(decimals), currency);

/** The keys under which a shop passes the referral on. */
export const readReferralKeys = (fields: Fields): Pick<Referral, 'visitor' | 'campaign'> & { coupon: string | undefined } => ({
  visitor: shortText(readText(fields, 'affiliate_visitor'), 200),
  campaign: shortText(readText(fields, 'affiliate_campaign'), 100),
  coupon: shortText(String(fields['affiliate_coupon'] ?? ''), 100),
});

/** The type of an event, which is stored. Empty where it is no name: unlike a header, a body can have any text. */
export function readEventType(payload: unknown, name: string): string {
  const type = readText(findObject({ payload }, 'payload'), name);
  return /^[\w.]{1,100}$/.test(type) ? type : '';
}

/** An id of the platform. @throws PayloadError */
export function readTextId(fields: Fields, name: string): string {
  const id = findTextId(fields, name);
  if (id === undefined) throw new PayloadError(`${name} is not an id.`);
  return id;
}

/** An id, or the id of an object that is sent in its place. Undefined where there is none. */
export function findTextId(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  const id = typeof value === 'object' && value !== null ? (value as Fields)['id'] : value;
  return typeof id === 'string' && /^[\w-]{1,200}$/.test(id) ? id : undefined;
}
