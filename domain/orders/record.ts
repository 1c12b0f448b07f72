import type { Transaction } from '../ports.ts';
import { applyChanges } from './apply-changes.ts';
import type { ChangeContext } from './change-context.ts';
import { decideOrder } from './decide.ts';
import { type IncomingOrder, type OrderOutcome, validateOrder } from './incoming.ts';
import type { OrderChange, OrderDecision } from './order-change.ts';
import { loadOrderContext, type OrderContext } from './order-context.ts';
import type { LifetimeLink } from './store.ts';

export interface OrderRecordingContext extends ChangeContext {
  /** Hashes the shop's id of a visitor for storage. */
  hashVisitor(visitor: string): string;
}

interface PendingWrites {
  changes: OrderChange[];
  conversions: { clickId: number; orderId: number }[];
  newLinks: LifetimeLink[];
}

/**
 * Records new and changed orders and returns an outcome for each, in the same order. An invalid order is refused without affecting others.
 * The batch is loaded at once, decided in memory one by one, and written at once: many orders need hardly more statements than one, and
 * have the same effect as if each were recorded alone.
 */
export async function recordOrders(
  transaction: Transaction,
  incoming: readonly IncomingOrder[],
  context: OrderRecordingContext,
): Promise<OrderOutcome[]> {
  const refusals = incoming.map(validateOrder);
  const loaded = await loadOrderContext(
    transaction,
    incoming.filter((_, index) => refusals[index] === null),
    context,
  );
  const pending: PendingWrites = { changes: [], conversions: [], newLinks: [] };
  const outcomes = incoming.map((order, index): OrderOutcome => {
    const reason = refusals[index] ?? null;
    const decision: OrderDecision = reason === null ? decideOrder(order, loaded, context) : { outcome: 'refused', reason };
    if ('change' in decision) collect(decision, loaded, context, pending);
    return outcomeOf(order, decision);
  });
  await writePending(transaction, loaded, pending, context);
  return outcomes;
}

const outcomeOf = ({ orderId }: IncomingOrder, decision: OrderDecision): OrderOutcome =>
  decision.outcome === 'refused' ? { orderId, outcome: 'refused', reason: decision.reason } : { orderId, outcome: decision.outcome };

function collect(
  { change, click }: Extract<OrderDecision, { change: OrderChange }>,
  loaded: OrderContext,
  { program }: ChangeContext,
  pending: PendingWrites,
): void {
  const { orderId, visitorHash, couponId, placedAt } = change.after;
  pending.changes.push(change);
  loaded.orders.set(orderId, change.after);
  if (click) pending.conversions.push({ clickId: click.clickId, orderId });
  if (!program.attribution.lifetime || change.before || visitorHash === null || loaded.lifetimeLinks.has(visitorHash)) return;
  const link = { visitorHash, couponId, createdAt: placedAt };
  loaded.lifetimeLinks.set(visitorHash, link);
  pending.newLinks.push(link);
}

async function writePending(transaction: Transaction, loaded: OrderContext, pending: PendingWrites, context: ChangeContext): Promise<void> {
  const { changes, conversions, newLinks } = pending;
  const changed = new Set(changes.map(({ after }) => after.orderId));
  await transaction.orders.save([...changed].flatMap((orderId) => loaded.orders.get(orderId) ?? []));
  await applyChanges(transaction, changes, loaded.coupons, context);
  if (newLinks.length > 0) await transaction.orders.addLifetimeLinks(newLinks);
  if (conversions.length > 0) await transaction.clicks.convert(conversions);
}
