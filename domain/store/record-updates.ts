import { netOf } from '../commission/commission.ts';
import { type CouponTerms, foldCode } from '../coupons/terms.ts';
import { groupBy } from '../group-by.ts';
import { fractionOf, type Minor } from '../money.ts';
import { type IncomingOrder, isOfAnotherShop, type OrderOutcome, ofAnotherShop, visitorIsUnknown } from '../order-recording/incoming.ts';
import { type OrderRecordingContext, type OrderRecordingRepositories, recordOrders } from '../order-recording/record.ts';
import type { Order, OrderStatus } from '../orders/order.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { ConnectionRepository, StoreOutcome } from './connection.ts';
import {
  type ConnectedUpdate,
  goodsIn,
  type PlatformOrder,
  type PlatformRefund,
  type PlatformState,
  type PlatformUpdate,
  type Refunds,
} from './update.ts';

export interface UpdateOutcome {
  outcome: StoreOutcome;
  reason: string | null;
  /** The number that the order has here, where the platform does not say. */
  orderId?: number | null;
  /** The platform should send it again. */
  isPostponed?: true;
}

type UpdateRepositories = OrderRecordingRepositories & { connections: ConnectionRepository };

/** Records updates of a store platform in their order, with the same effect as if each were recorded alone. */
export async function recordUpdates(
  transaction: Transaction<UpdateRepositories>,
  updates: readonly ConnectedUpdate[],
  context: OrderRecordingContext,
): Promise<UpdateOutcome[]> {
  const outcomes: UpdateOutcome[] = [];
  for (const run of splitByRepeatedOrder(updates)) outcomes.push(...(await recordRun(transaction, run, context)));
  return outcomes;
}

/** An update depends on the one before of the same order, so each run has an order once. */
function splitByRepeatedOrder(updates: readonly ConnectedUpdate[]): ConnectedUpdate[][] {
  const runs: ConnectedUpdate[][] = [];
  let seen = new Set<number>();
  for (const update of updates) {
    if (runs.length === 0 || seen.has(update.orderId)) {
      runs.push([]);
      seen = new Set();
    }
    seen.add(update.orderId);
    runs.at(-1)?.push(update);
  }
  return runs;
}

type Resolved = { order: IncomingOrder; state: PlatformState } | UpdateOutcome;

async function recordRun(
  transaction: Transaction<UpdateRepositories>,
  run: readonly ConnectedUpdate[],
  context: OrderRecordingContext,
): Promise<UpdateOutcome[]> {
  const ids = run.map(({ orderId }) => orderId);
  const stored = await transaction.orders.byIds(ids);
  const orders = new Map(stored.map((order) => [order.orderId, order]));
  const states = new Map((await transaction.connections.orderStates(ids)).map((state) => [state.orderId, state]));
  const codes = run.flatMap((update) => (update.kind === 'order' && !orders.has(update.orderId) ? update.codes.map(foldCode) : []));
  const published = codes.length === 0 ? [] : await transaction.couponTerms.publishedByCodes([...new Set(codes)]);
  const byCode = groupBy(published, ({ codeFolded }) => codeFolded);
  const resolved = run.map((update): Resolved => {
    const order = orders.get(update.orderId);
    return order ? resolveKnown(update, order, states.get(update.orderId)) : resolveNew(update, byCode);
  });
  const incoming = resolved.filter((one) => 'order' in one);
  const results = await recordOrders(
    transaction,
    incoming.map(({ order }) => order),
    context,
    { orders: stored, coupons: published },
  );
  const isStored = ({ outcome }: OrderOutcome): boolean => outcome !== 'refused' && outcome !== 'unattributed';
  await transaction.connections.saveOrderStates(
    incoming.filter((_, at) => isStored(results[at] as OrderOutcome)).map(({ state }) => state),
  );
  const recorded = results.map(outcomeOf);
  return resolved.map((one, at) => ('order' in one ? withNotice(recorded.shift() as UpdateOutcome, run[at]) : one));
}

const withNotice = ({ outcome, reason }: UpdateOutcome, update: PlatformUpdate | undefined): UpdateOutcome => ({
  outcome,
  reason: reason ?? (update?.kind === 'order' ? update.notice : null),
});

const words = { recorded: 'created', changed: 'updated', unchanged: 'unchanged' } as const;

export function outcomeOf(result: OrderOutcome): UpdateOutcome {
  if (result.outcome === 'refused') return { outcome: 'refused', reason: result.reason };
  if (result.outcome === 'unattributed')
    return { outcome: 'ignored', reason: result.isVisitorUnknown ? visitorIsUnknown : 'No affiliate referred the order.' };
  return { outcome: words[result.outcome], reason: null };
}

function resolveNew(update: ConnectedUpdate, byCode: ReadonlyMap<string, CouponTerms[]>): Resolved {
  if (update.kind !== 'order') return { outcome: 'ignored', reason: 'The order is not in the program.' };
  const coupon = findCoupon(update, byCode);
  if (typeof coupon === 'string') return { outcome: 'refused', reason: coupon };
  const { byId: refunds, exact: exactRefund = null } = update.refunds;
  const { orderId, modifiedAt, includesTax, paid, isTrashed: isDeleted, connectionId = null } = update;
  const refunded = refundedGoods(update.refunds, { refunds, exactRefund }, update.order);
  const order = { ...update.order, orderId, couponId: coupon?.id, refunded };
  return { order, state: { orderId, modifiedAt, refunds, exactRefund, includesTax, paid, isDeleted, connectionId } };
}

/** The first code that an affiliate owns. Returns the reason if it is ambiguous. */
function findCoupon({ codes }: PlatformOrder, byCode: ReadonlyMap<string, CouponTerms[]>): CouponTerms | undefined | string {
  for (const code of codes) {
    const [coupon, another] = (byCode.get(foldCode(code)) ?? []).filter(({ userId }) => userId !== null);
    if (another) return `More than one published coupon answers to the code ${code}.`;
    if (coupon) return coupon;
  }
  return undefined;
}

/** A stored order keeps its coupon, whatever the update names. */
function resolveKnown(update: ConnectedUpdate, stored: Order, state: PlatformState | undefined): Resolved {
  const before = state ?? { ...unknownState, orderId: stored.orderId };
  if (update.kind === 'cancellation') return { order: { ...copyOf(stored), status: 'cancelled' }, state: { ...before, isDeleted: true } };
  if (update.kind === 'refund') return resolveRefund(update, stored, before);
  // Its own shop may edit the date of an order.
  const isOwn = update.connectionId !== undefined && update.connectionId === before.connectionId;
  if (!isOwn && isOfAnotherShop(stored, update.order)) return { outcome: 'refused', reason: ofAnotherShop };
  const isOlder = update.modifiedAt < before.modifiedAt;
  // A deletion alone has no time: what was sent before it, sent again, does not bring the order back.
  const isStale = isOlder || (before.isDeleted && !update.isTrashed && update.modifiedAt === before.modifiedAt);
  if (isStale && !(update.isRestored && before.isDeleted)) return { outcome: 'unchanged', reason: 'A newer state of the order is stored.' };
  const { order, includesTax, paid, isTrashed: isDeleted, connectionId = null } = update;
  const arrived = update.refunds.byId;
  const isNewer = update.modifiedAt > before.modifiedAt;
  const merged = { ...before.refunds, ...(isNewer ? arrived : largerOf(arrived, before.refunds)) };
  const refunds = update.refunds.isComplete && isNewer ? arrived : merged;
  const modifiedAt = Math.max(update.modifiedAt, before.modifiedAt);
  const exactOf = (byId: PlatformState['refunds'], exact: Minor | null = null) => (hasSameRefunds(byId, refunds) ? exact : null);
  const exactRefund = exactOf(arrived, update.refunds.exact) ?? exactOf(before.refunds, before.exactRefund);
  const refunded = refundedGoods(update.refunds, { refunds, exactRefund }, order);
  const status = isNewer || before.isDeleted ? order.status : laterOf(stored.status, order.status);
  return {
    order: { ...order, placedAt: isOwn ? stored.placedAt : order.placedAt, status, orderId: stored.orderId, refunded },
    state: { ...before, modifiedAt, refunds, exactRefund, includesTax, paid, isDeleted, connectionId: before.connectionId ?? connectionId },
  };
}

const steps: readonly OrderStatus[] = ['pending', 'failed', 'on-hold', 'processing', 'completed', 'cancelled', 'refunded'];

/** Updates of one second arrive in any order, so that none of them takes an order a step back. */
const laterOf = (one: OrderStatus, other: OrderStatus): OrderStatus => (steps.indexOf(one) > steps.indexOf(other) ? one : other);

/** A payload of the same second may be from before the money was given back. */
const largerOf = (arrived: PlatformState['refunds'], before: PlatformState['refunds']): PlatformState['refunds'] =>
  Object.fromEntries(Object.entries(arrived).map(([id, amount]) => [id, Math.max(amount, before[id] ?? 0)]));

const unknownState = {
  modifiedAt: 0,
  refunds: {},
  exactRefund: null,
  includesTax: false,
  paid: null,
  isDeleted: false,
  connectionId: null,
};

/** A refund in the currency of the customer is worth less alone than in its order, so the larger one counts. */
function resolveRefund({ refundId, withTax, withoutTax }: PlatformRefund, stored: Order, before: PlatformState): Resolved {
  const paid = before.paid ?? netOf(stored) + stored.shipping + stored.tax;
  const arrived = goodsIn(before.includesTax ? withTax : withoutTax, netOf(stored), paid);
  const refunds = { ...before.refunds, [refundId]: Math.max(arrived, before.refunds[refundId] ?? 0) };
  const refunded = refundedGoods({ goods: null }, { refunds, exactRefund: null }, stored);
  return { order: { ...copyOf(stored), refunded }, state: { ...before, refunds } };
}

const copyOf = ({ orderId, placedAt, status, total, discount, shipping, tax, quantity, refunded }: Order): IncomingOrder => ({
  orderId,
  placedAt,
  status,
  total,
  discount,
  shipping,
  tax,
  quantity,
  refunded,
});

export const hasSameRefunds = (one: PlatformState['refunds'], other: PlatformState['refunds']): boolean =>
  Object.keys(one).length === Object.keys(other).length && Object.keys(one).every((id) => Object.hasOwn(other, id));

/** At most what was paid for the goods. */
function refundedGoods(
  { goods }: Pick<Refunds, 'goods'>,
  { refunds, exactRefund }: Pick<PlatformState, 'refunds' | 'exactRefund'>,
  order: { total: Minor; discount: Minor },
): Minor {
  const net = Math.max(0, netOf(order));
  if (exactRefund !== null) return Math.min(exactRefund, net);
  const sum = Object.values(refunds).reduce((total, amount) => total + amount, 0);
  if (!goods) return Math.min(sum, net);
  return goods.orderTotal === 0 ? 0 : Math.min(fractionOf(sum, goods.net, goods.orderTotal), net);
}
