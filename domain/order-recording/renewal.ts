import {
  type CreditLink,
  type CreditLinkRepository,
  type LimitKind,
  type SubscriptionPayment,
  subscriptionLink,
} from '../orders/credit-link.ts';
import type { Program, Rates } from '../program.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { IncomingOrder } from './incoming.ts';

const nothing: Rates = { percentThousandths: 0, fixedPerOrder: 0, fixedPerProduct: 0 };

/** Which payment of its subscription a new order is. The limits count in order of arrival. */
export function countPayment(
  { orderId, placedAt }: Pick<IncomingOrder, 'orderId' | 'placedAt'>,
  subscription: string,
  link: Pick<CreditLink, 'payments' | 'firstPaidAt'> | undefined,
  { recurring }: Pick<Program, 'recurring'>,
): SubscriptionPayment {
  const number = (link?.payments ?? 0) + 1;
  const first = link?.firstPaidAt ?? placedAt;
  return { orderId, subscription, number, ...recurring, exceeded: number === 1 ? null : findExceeded(number, first, placedAt, recurring) };
}

function findExceeded(number: number, first: number, placedAt: number, { maxPayments, maxMonths }: Program['recurring']): LimitKind | null {
  if (maxPayments > 0 && number > maxPayments) return 'payments';
  return maxMonths > 0 && placedAt >= addMonths(first, maxMonths) ? 'months' : null;
}

/** A payment that was recorded as two orders counts once in its subscription: as the order that is kept. */
export async function countOnce(
  { creditLinks }: Transaction<{ creditLinks: CreditLinkRepository }>,
  keptId: number,
  duplicateId: number,
): Promise<void> {
  const payments = await creditLinks.paymentsOf([keptId, duplicateId]);
  const counted = payments.find(({ orderId }) => orderId === duplicateId);
  if (!counted) return;
  await creditLinks.removePayment(duplicateId);
  if (payments.length === 1) return creditLinks.addPayments([{ ...counted, orderId: keptId }]);
  const links = await creditLinks.byLinks([subscriptionLink(counted.subscription)]);
  await creditLinks.save(links.map((link) => ({ ...link, payments: link.payments - 1 })));
}

/** The same day of a later month in UTC, or the last day of that month. */
export function addMonths(moment: number, months: number): number {
  const date = new Date(moment);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, lastDay));
}

/** The first payment has the rates of the coupon. A renewal may have a percentage of its own, and earns nothing beyond a limit. */
export function ratesOfPayment(rates: Rates, payment: SubscriptionPayment | null): Rates {
  if (payment === null || payment.number === 1) return rates;
  if (payment.exceeded !== null) return nothing;
  return { ...rates, percentThousandths: payment.percentThousandths ?? rates.percentThousandths };
}
