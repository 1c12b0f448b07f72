import { type CreditLink, customerLink, subscriptionLink } from '../orders/credit-link.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { IncomingOrder } from './incoming.ts';
import { attribute, toCreditLink } from './new-order.ts';
import { loadOrderContext, type OrderContextRepositories } from './order-context.ts';
import type { OrderRecordingContext } from './record.ts';

/** A checkout that is complete. `placedAt` is when that was. */
export type IncomingCheckout = Pick<IncomingOrder, 'placedAt' | 'couponId' | 'visitor' | 'campaign' | 'subscription' | 'customerHash'>;

/**
 * Decides who referred each checkout, and stores that for the payments of its subscription and its customer: the first payment may come after
 * the attribution window, when a trial ends. A subscription keeps its first link, a customer has the latest.
 */
export async function linkCheckouts(
  transaction: Transaction<OrderContextRepositories>,
  checkouts: readonly IncomingCheckout[],
  context: OrderRecordingContext,
): Promise<void> {
  if (checkouts.length === 0) return;
  const facts = checkouts.map((checkout) => ({ ...checkout, orderId: 0 }));
  const loaded = await loadOrderContext(transaction, facts, context, { orders: [], coupons: [] });
  const links = new Map<string, CreditLink>();
  for (const { subscription, customerHash, campaign, ...referral } of facts) {
    const attribution = attribute(referral, loaded, context.program);
    if (attribution === null || 'problem' in attribution) continue;
    const credit = { ...attribution.credit, campaign: campaign ?? attribution.credit.campaign };
    const add = (name: string, isKept: boolean): void => {
      if (!isKept) links.set(name, toCreditLink({ ...attribution, credit }, name, referral.placedAt));
    };
    if (subscription !== undefined) add(subscriptionLink(subscription), loaded.creditLinks.has(subscriptionLink(subscription)));
    const former = customerHash === undefined ? undefined : loaded.creditLinks.get(customerLink(customerHash));
    if (customerHash !== undefined) add(customerLink(customerHash), former !== undefined && former.linkedAt >= referral.placedAt);
  }
  await transaction.creditLinks.save([...links.values()]);
}
