import { cleanCampaign } from '../clicks/incoming.ts';
import { dueAfter, isLost, withCommission } from '../commission/commission-status.ts';
import { foldCode } from '../coupons/terms.ts';
import { dayOf } from '../dates.ts';
import type { CreditLink, SubscriptionPayment } from '../orders/credit-link.ts';
import { isNeverPlaced, type LifetimeLink, type Order } from '../orders/order.ts';
import type { ChangeContext, OrderChange } from '../orders/order-change.ts';
import type { Transaction } from '../unit-of-work.ts';
import { applyChanges, type OrderChangeRepositories } from './apply-changes.ts';
import { type IncomingOrder, isOfAnotherShop, isValidAmount, type OrderOutcome, ofAnotherShop, validateOrder } from './incoming.ts';
import { markOrders, type OrderMarkRepositories, type RecordedOrder } from './mark-orders.ts';
import { decideNewOrder, type OrderDecision } from './new-order.ts';
import { type LoadedBefore, loadOrderContext, type OrderContext, type OrderContextRepositories } from './order-context.ts';

export type OrderRecordingRepositories = OrderChangeRepositories & OrderContextRepositories & OrderMarkRepositories;

export interface OrderRecordingContext extends ChangeContext {
  /** Hashes the shop's id of a visitor for storage. */
  hashVisitor(visitor: string): string;
}

interface PendingWrites {
  changes: OrderChange[];
  conversions: { clickId: number; orderId: number }[];
  newLinks: LifetimeLink[];
  /** Each as the last payment leaves it. */
  creditLinks: Map<string, CreditLink>;
  payments: SubscriptionPayment[];
  recorded: RecordedOrder[];
}

/**
 * Records new and changed orders and returns an outcome for each, in the same order. An invalid order is refused without affecting others.
 * The batch is loaded at once, decided in memory one by one, and written at once: many orders need hardly more statements than one, and
 * have the same effect as if each were recorded alone.
 */
export async function recordOrders(
  transaction: Transaction<OrderRecordingRepositories>,
  incoming: readonly IncomingOrder[],
  context: OrderRecordingContext,
  before?: LoadedBefore,
): Promise<OrderOutcome[]> {
  const refusals = incoming.map(validateOrder);
  const loaded = await loadOrderContext(
    transaction,
    incoming.filter((_, index) => refusals[index] === null),
    context,
    before,
  );
  const pending: PendingWrites = { changes: [], conversions: [], newLinks: [], creditLinks: new Map(), payments: [], recorded: [] };
  const outcomes = incoming.map((order, index): OrderOutcome => {
    const reason = refusals[index] ?? null;
    const decision: OrderDecision = reason === null ? decideOrder(order, loaded, context) : { outcome: 'refused', reason };
    if ('change' in decision) {
      collect(decision, loaded, context, pending);
      pending.recorded.push({ change: decision.change, customerEmail: order.customerEmail });
    }
    const stored = loaded.orders.get(order.orderId);
    // Sent again, perhaps with the email for the first time.
    if (decision.outcome === 'unchanged' && stored && order.customerEmail !== undefined)
      pending.recorded.push({ change: { before: stored, after: stored }, customerEmail: order.customerEmail });
    return outcomeOf(order, decision, loaded);
  });
  await writePending(transaction, loaded, pending, context);
  return outcomes;
}

function outcomeOf({ orderId, visitor }: IncomingOrder, decision: OrderDecision, { orders }: OrderContext): OrderOutcome {
  if (decision.outcome === 'refused') return { orderId, outcome: 'refused', reason: decision.reason };
  const stored = orders.get(orderId);
  if (decision.outcome === 'unattributed' || !stored) return { orderId, outcome: 'unattributed', isVisitorUnknown: visitor !== undefined };
  const payment = 'payment' in decision ? decision.payment : null;
  const begins = payment?.number === 1 && { begins: payment.subscription };
  return { orderId, outcome: decision.outcome, couponId: stored.couponId, commission: stored.commission, ...begins };
}

function collect(
  { change, clickId, payment, link }: Extract<OrderDecision, { change: OrderChange }>,
  loaded: OrderContext,
  { program }: ChangeContext,
  pending: PendingWrites,
): void {
  const { orderId, visitorHash, couponId, placedAt } = change.after;
  pending.changes.push(change);
  loaded.orders.set(orderId, change.after);
  if (clickId) pending.conversions.push({ clickId, orderId });
  if (payment) pending.payments.push(payment);
  if (link) {
    loaded.creditLinks.set(link.link, link);
    pending.creditLinks.set(link.link, link);
  }
  if (!program.attribution.lifetime || change.before || visitorHash === null || loaded.lifetimeLinks.has(visitorHash)) return;
  if (isNeverPlaced(change.after)) return;
  const lifetime = { visitorHash, couponId, createdAt: placedAt };
  loaded.lifetimeLinks.set(visitorHash, lifetime);
  pending.newLinks.push(lifetime);
}

async function writePending(
  transaction: Transaction<OrderRecordingRepositories>,
  loaded: OrderContext,
  pending: PendingWrites,
  context: ChangeContext,
): Promise<void> {
  const { changes, conversions, newLinks, creditLinks, payments } = pending;
  await applyChanges(transaction, changes, loaded.coupons, context);
  if (newLinks.length > 0) await transaction.orders.addLifetimeLinks(newLinks);
  if (creditLinks.size > 0) await transaction.creditLinks.save([...creditLinks.values()]);
  if (payments.length > 0) await transaction.creditLinks.addPayments(payments);
  if (conversions.length > 0) await transaction.clicks.convert(conversions);
  await markOrders(transaction, pending.recorded, loaded.coupons, context);
}

const refused = (reason: string): OrderDecision => ({ outcome: 'refused', reason });

function decideOrder(incoming: IncomingOrder, loaded: OrderContext, context: ChangeContext): OrderDecision {
  const before = loaded.orders.get(incoming.orderId);
  const decision = before ? decideChange(before, incoming, loaded, context) : decideNewOrder(incoming, loaded, context);
  const isTooLarge = 'change' in decision && !isValidAmount(decision.change.after.commission);
  return isTooLarge ? refused('The commission would be beyond all bounds.') : decision;
}

/**
 * The credited coupon and the rates are fixed at the first recording. An update with another coupon is refused: keeping the old one would
 * credit the wrong affiliate, and moving the commission could take back what was paid out.
 */
function decideChange(
  before: Order,
  incoming: IncomingOrder,
  loaded: OrderContext,
  { program, now }: Pick<ChangeContext, 'program' | 'now'>,
): OrderDecision {
  if (isOfAnotherShop(before, incoming)) return refused(ofAnotherShop);
  if (!namesSameCoupon(before, incoming, loaded)) {
    const recorded = before.usedCouponId === null ? 'without a coupon' : `with coupon ${before.usedCouponId}`;
    return refused(`The order was recorded ${recorded}, and its coupon cannot change.`);
  }
  if (matches(before, incoming)) return { outcome: 'unchanged' };
  // All versions were sent again: they were applied when they first arrived. A first completion was not.
  const isRepeated = before.hasCompleted || incoming.status !== 'completed';
  const last = isRepeated && incoming.lastVersion && decideChange(before, incoming.lastVersion, loaded, { program, now });
  if (last && last.outcome === 'unchanged') return last;
  const { placedAt, status, total, discount, shipping, tax, quantity, refunded } = incoming;
  const campaign = cleanCampaign(incoming.campaign) ?? before.campaign;
  const update = { placedAt, status, total, discount, shipping, tax, quantity, refunded, campaign };
  const days = { day: dayOf(placedAt, program.zone), dueAt: dueAtOf(before, incoming, { program, now }) };
  return { outcome: 'changed', change: { before, after: withCommission({ ...before, ...update, ...days }, before, now) } };
}

/** The clearing days of the first recording begin with the update that first completes the order. After a reversal there are new ones. */
function dueAtOf(before: Order, incoming: IncomingOrder, { program, now }: Pick<ChangeContext, 'program' | 'now'>): number {
  const { status, placedAt, isPayment } = incoming;
  const hasBegun = before.hasCompleted ? !isLost(incoming) : status !== 'completed' || isLost(incoming);
  if (isPayment || hasBegun) return before.dueAt + (placedAt - before.placedAt);
  return before.hasCompleted ? dueAfter(placedAt, program) : now + (before.dueAt - before.placedAt);
}

const matches = (stored: Order, incoming: IncomingOrder): boolean =>
  (cleanCampaign(incoming.campaign) ?? stored.campaign) === stored.campaign && updatable.every((name) => stored[name] === incoming[name]);

/** What an update may change. The visitor matters at the first recording only. */
const updatable = ['placedAt', 'status', 'total', 'discount', 'shipping', 'tax', 'quantity', 'refunded'] as const;

/**
 * Compares a code with the recorded coupon, because the code may have become ambiguous since. An order that was recorded without a coupon
 * may have named an unknown code: a link credited it. Then it may name an unknown code again.
 */
function namesSameCoupon({ usedCouponId }: Order, { couponId, couponCode }: IncomingOrder, loaded: OrderContext): boolean {
  if (couponId !== undefined) return couponId === usedCouponId;
  if (couponCode === undefined) return true;
  const code = foldCode(couponCode);
  return usedCouponId === null ? !loaded.publishedByCode.has(code) : loaded.coupons.get(usedCouponId)?.codeFolded === code;
}
