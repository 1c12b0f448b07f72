import { netOf } from '../commission/commission.ts';
import type { IncomingOrder, OrderOutcome } from '../order-recording/incoming.ts';
import { linkCheckouts } from '../order-recording/link-checkouts.ts';
import { type OrderRecordingContext, recordOrders } from '../order-recording/record.ts';
import { countOnce } from '../order-recording/renewal.ts';
import type { Order } from '../orders/order.ts';
import type { Transaction } from '../unit-of-work.ts';
import { createCouponFinder } from './find-referred-coupon.ts';
import {
  type BillingFact,
  type CodeFact,
  computeRefunded,
  type FoundPayment,
  orderNumberOf,
  type PaymentFact,
  type Referral,
  type StorePayment,
  type WaitingReferral,
} from './payment.ts';
import { outcomeOf, type UpdateOutcome } from './record-updates.ts';
import { type PaymentRepositories, type PaymentSource, type Step, storeFacts, waitMs } from './store-facts.ts';

export interface ReceivedFact extends PaymentSource {
  fact: BillingFact;
}

/** Records facts of a billing platform in their order, with the same effect as if each were recorded alone. */
export async function recordPayments(
  transaction: Transaction<PaymentRepositories>,
  received: readonly ReceivedFact[],
  context: OrderRecordingContext,
): Promise<UpdateOutcome[]> {
  const outcomes: UpdateOutcome[] = [];
  for (const run of splitByRepeatedKey(received)) outcomes.push(...(await recordRun(transaction, run, context)));
  return outcomes;
}

const keysOf = (fact: BillingFact): string[] =>
  fact.kind === 'code' ? [fact.id] : [...fact.ids, ...[fact.subscription, fact.customer].filter((key) => key !== undefined)];

/** A fact depends on those before about the same payment, subscription or customer, and on codes. */
function splitByRepeatedKey(received: readonly ReceivedFact[]): ReceivedFact[][] {
  const runs: ReceivedFact[][] = [];
  let seen = new Set<string>();
  for (const one of received) {
    const keys = keysOf(one.fact);
    const [before] = runs.at(-1) ?? [];
    const continues = before?.fact.kind === one.fact.kind && before.platform === one.platform && !keys.some((key) => seen.has(key));
    if (!continues) {
      runs.push([]);
      seen = new Set();
    }
    for (const key of keys) seen.add(key);
    runs.at(-1)?.push(one);
  }
  return runs;
}

async function recordRun(
  transaction: Transaction<PaymentRepositories>,
  run: readonly ReceivedFact[],
  context: OrderRecordingContext,
): Promise<UpdateOutcome[]> {
  const [source] = run;
  if (!source) return [];
  const facts = run.map(({ fact }) => fact);
  const codes = facts.filter((fact): fact is CodeFact => fact.kind === 'code');
  if (codes.length > 0) return recordCodes(transaction, codes, source, context);
  return recordFacts(transaction, facts as PaymentFact[], source, context);
}

/** Stores the codes, and records again what named them before they arrived. */
async function recordCodes(
  transaction: Transaction<PaymentRepositories>,
  codes: readonly CodeFact[],
  source: PaymentSource,
  context: OrderRecordingContext,
): Promise<UpdateOutcome[]> {
  const { storePayments } = transaction;
  const saved = codes.map(({ id, code, occurredAt }) => ({ externalId: id, code, occurredAt }));
  await storePayments.saveCodes(source.platform, saved);
  const waiting = (
    await storePayments.takeWaiting(
      source.platform,
      saved.map(({ externalId }) => externalId),
    )
  ).filter(({ seenAt }) => seenAt >= context.now - waitMs);
  const outcomes = await recordPayments(
    transaction,
    waiting.map(({ fact }) => ({ ...source, fact })),
    context,
  );
  const outcome = outcomes.some((one) => one.outcome === 'created') ? 'created' : 'ignored';
  return codes.map(() => ({ outcome, reason: 'It is stored which code this is.' }));
}

async function recordFacts(
  transaction: Transaction<PaymentRepositories>,
  facts: readonly PaymentFact[],
  source: PaymentSource,
  context: OrderRecordingContext,
): Promise<UpdateOutcome[]> {
  const { storePayments } = transaction;
  const found = await storePayments.byExternalIds(source.platform, [...new Set(facts.flatMap(({ ids }) => ids))]);
  const repeated = findRepeated(facts, found);
  if (repeated > 0) {
    const outcomes = await recordFacts(transaction, facts.slice(0, repeated), source, context);
    return [...outcomes, ...(await recordFacts(transaction, facts.slice(repeated), source, context))];
  }
  const steps = await storeFacts(transaction, facts, found, source, context);
  for (const { payment, duplicates } of steps)
    for (const duplicate of duplicates) if (payment) await countOnce(transaction, orderNumberOf(payment), orderNumberOf(duplicate));
  const codes = await storePayments.codes(source.platform, [...new Set(facts.flatMap(({ referral }) => referral?.codeIds ?? []))]);
  const couponOf = await createCouponFinder(transaction, facts, codes);
  const checkouts = steps.filter(({ fact }) => fact.checkoutOpenedAt !== undefined);
  await linkCheckouts(
    transaction,
    checkouts.map(({ fact, customerHash }) => ({
      placedAt: fact.occurredAt,
      couponId: couponOf(fact.referral),
      visitor: fact.referral?.visitor,
      campaign: fact.referral?.campaign,
      subscription: fact.subscription,
      customerHash,
    })),
    context,
  );
  const stored = steps.flatMap(({ payment, isNew, duplicates }) => (payment && !isNew ? [payment, ...duplicates] : duplicates));
  const known = await transaction.orders.byIds(stored.map(orderNumberOf));
  const knownById = new Map(known.map((order) => [order.orderId, order]));
  const emailOf = createEmailFinder(steps);
  const orders = steps.flatMap(({ payment, fact, isExpired }) => {
    const isKnown = payment !== null && knownById.has(orderNumberOf(payment));
    if (!payment || (isExpired && !isKnown)) return [];
    return toOrder(payment, emailOf(payment), isKnown ? undefined : fact.referral, couponOf);
  });
  const cancelled = steps.flatMap(({ duplicates }) => duplicates).flatMap((payment) => cancel(knownById.get(orderNumberOf(payment))));
  const results = await recordOrders(transaction, [...orders, ...cancelled], context, { orders: known, coupons: [] });
  const resultOf = new Map(results.map((result) => [result.orderId, result]));
  const begun = results.flatMap((result) => ('begins' in result && result.begins !== undefined ? [result.begins] : []));
  const hasCredited = await creditWaiting(transaction, checkouts, begun, context);
  const waiting = steps.flatMap((step) => waitForCodes(step, resultOf, codes, source, context.now));
  await storePayments.addWaiting(waiting, context.now - waitMs);
  return steps.map((step) => describe(step, resultOf, hasCredited));
}

/** The first fact about a stored payment that an earlier one is about too, by another id. -1 if there is none. */
function findRepeated(facts: readonly PaymentFact[], found: readonly FoundPayment[]): number {
  const paymentOf = new Map(found.map(({ foundBy, payment }) => [foundBy, payment.id]));
  const seen = new Set<number>();
  return facts.findIndex(({ ids }) => {
    const payments = ids.flatMap((id) => paymentOf.get(id) ?? []);
    const isRepeated = payments.some((id) => seen.has(id));
    for (const id of payments) seen.add(id);
    return isRepeated;
  });
}

/** Records payments that arrived before their checkout, or before the first credited payment of their subscription. Returns whether there are any. */
async function creditWaiting(
  transaction: Transaction<PaymentRepositories>,
  checkouts: readonly Step[],
  begun: readonly string[],
  context: OrderRecordingContext,
): Promise<boolean> {
  const waiting = await findWaiting(transaction, checkouts, begun, context.now);
  if (waiting.length === 0) return false;
  const emailOf = createEmailFinder(checkouts);
  const orders = waiting.flatMap((payment) => toOrder(payment, emailOf(payment)));
  return (await recordOrders(transaction, orders, context, { orders: [], coupons: [] })).some(isStored);
}

/** What is stored of a fact that credits nothing because codes that it names have not arrived. Visitors are stored only as hashes. */
function waitForCodes(
  { fact, payment, customerHash }: Step,
  resultOf: ReadonlyMap<number, OrderOutcome>,
  codes: ReadonlyMap<string, string>,
  { platform }: PaymentSource,
  seenAt: number,
): WaitingReferral[] {
  const { ids, occurredAt, subscription, checkoutOpenedAt, referral } = fact;
  if (!referral || (payment && isStored(resultOf.get(orderNumberOf(payment))))) return [];
  const { campaign, codeIds } = referral;
  const named: Referral = { campaign, coupons: [], codes: [], codeIds };
  const waiting: PaymentFact = { kind: 'payment', ids, occurredAt, subscription, customerHash, checkoutOpenedAt, referral: named };
  return codeIds.filter((id) => !codes.has(id)).map((codeId) => ({ platform, codeId, seenAt, fact: waiting }));
}

const isStored = (result: OrderOutcome | undefined): boolean => result !== undefined && 'couponId' in result;

function describe({ fact, payment, settled }: Step, resultOf: ReadonlyMap<number, OrderOutcome>, hasCredited: boolean): UpdateOutcome {
  const orderId = payment && orderNumberOf(payment);
  if (settled) return { ...settled, orderId };
  const result = orderId === null ? undefined : resultOf.get(orderId);
  if (result?.outcome === 'unattributed')
    return { outcome: 'ignored', reason: 'No affiliate referred the payment. Its checkout may still arrive within 24 hours.', orderId };
  if (result) return { ...outcomeOf(result), orderId };
  if (fact.checkoutOpenedAt !== undefined)
    return { outcome: hasCredited ? 'created' : 'ignored', reason: 'It is stored who referred the checkout.', orderId };
  return { outcome: 'ignored', reason: 'It is stored for the payment that it belongs to.', orderId };
}

/** Those of the customer must not be older than the checkout. */
async function findWaiting(
  { storePayments }: PaymentRepositories,
  checkouts: readonly Step[],
  begun: readonly string[],
  now: number,
): Promise<StorePayment[]> {
  const subscriptions = [...begun, ...checkouts.flatMap(({ fact }) => fact.subscription ?? [])];
  const openedAt = new Map(checkouts.map(({ fact, customerHash }) => [customerHash ?? '', fact.checkoutOpenedAt ?? now]));
  openedAt.delete('');
  const found = await storePayments.uncredited(subscriptions, [...openedAt.keys()], now - waitMs);
  const inOrder = found.toSorted((one, other) => one.id - other.id);
  return inOrder.filter(
    ({ subscription, customerHash, amounts }) =>
      (subscription !== null && subscriptions.includes(subscription)) ||
      (amounts?.placedAt ?? 0) >= (openedAt.get(customerHash ?? '') ?? Number.POSITIVE_INFINITY),
  );
}

/** The email in an event about the payment, or about the checkout of its subscription or customer. */
function createEmailFinder(steps: readonly Step[]): (payment: StorePayment) => string | undefined {
  const known = steps.filter(({ fact }) => fact.customerEmail !== undefined);
  return ({ id, subscription, customerHash }) =>
    known.find(
      ({ payment, fact, customerHash: customer }) =>
        payment?.id === id ||
        (subscription !== null && fact.subscription === subscription) ||
        (customer !== undefined && customer === customerHash),
    )?.fact.customerEmail;
}

/** The order that a payment is. None while its amounts are not known. */
function toOrder(
  payment: StorePayment,
  customerEmail?: string,
  referral?: Referral,
  couponOf?: (referral?: Referral) => number | undefined,
): IncomingOrder[] {
  const { amounts, reductions, externalId, subscription, customerHash } = payment;
  if (!amounts) return [];
  const { placedAt, total, discount, shipping, tax, quantity } = amounts;
  const refunded = computeRefunded(amounts, reductions);
  return [
    {
      orderId: orderNumberOf(payment),
      externalId,
      isPayment: true,
      placedAt,
      status: refunded === netOf(amounts) ? 'refunded' : 'completed',
      total,
      discount,
      shipping,
      tax,
      quantity,
      refunded,
      subscription: subscription ?? undefined,
      customerHash: customerHash ?? undefined,
      couponId: couponOf?.(referral),
      visitor: referral?.visitor,
      campaign: referral?.campaign,
      customerEmail,
    },
  ];
}

/** The order of a payment that was recorded twice. */
function cancel(order: Order | undefined): IncomingOrder[] {
  if (!order) return [];
  const { orderId, placedAt, total, discount, shipping, tax, quantity, refunded } = order;
  return [{ orderId, externalId: '', isPayment: true, placedAt, total, discount, shipping, tax, quantity, refunded, status: 'cancelled' }];
}
