import type { OrderRecordingContext, OrderRecordingRepositories } from '../order-recording/record.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { StorePlatform } from './connection.ts';
import {
  addFact,
  type FoundPayment,
  joinPayments,
  orderNumberOf,
  type PaymentFact,
  type StorePayment,
  type StorePaymentRepository,
} from './payment.ts';
import type { UpdateOutcome } from './record-updates.ts';

export type PaymentRepositories = OrderRecordingRepositories & { storePayments: StorePaymentRepository };

/** The connection that received the facts. */
export interface PaymentSource {
  platform: StorePlatform;
  connectedAt: number;
}

/** How long a payment waits for the checkout that says who referred it, and a refund for its payment. */
export const waitMs = 86_400_000;

/** What a fact leads to. */
export interface Step {
  fact: PaymentFact;
  customerHash: string | undefined;
  /** After the fact. Null where the fact is about no payment. */
  payment: StorePayment | null;
  /** Heard of for the first time, so that it is not an order yet. */
  isNew: boolean;
  /** Its amounts have been known for too long for it to become an order. */
  isExpired: boolean;
  /** Payments that turn out to be the same one. */
  duplicates: StorePayment[];
  /** Why nothing is recorded. */
  settled: UpdateOutcome | null;
}

/** Stores what each fact says about its payment. No two facts may be about the same one of those that were found. */
export async function storeFacts(
  transaction: Transaction<PaymentRepositories>,
  facts: readonly PaymentFact[],
  found: readonly FoundPayment[],
  source: PaymentSource,
  context: OrderRecordingContext,
): Promise<Step[]> {
  const { storePayments } = transaction;
  const foundBy = new Map(found.map(({ foundBy, payment }) => [foundBy, payment]));
  const storedOf = facts.map(({ ids }) => [...new Map(ids.flatMap((id) => foundBy.get(id) ?? []).map((one) => [one.id, one])).values()]);
  const preferred = await findPreferred(transaction, storedOf);
  const drafts = facts.map((fact, at): Step => {
    const customerHash = fact.customer === undefined ? fact.customerHash : context.hashVisitor(`customer:${fact.customer}`);
    const [kept, ...duplicates] = (storedOf[at] ?? []).toSorted(preferred);
    const refusal = fact.refusal === undefined ? null : ({ outcome: 'refused', reason: fact.refusal } as const);
    const settled = refusal ?? (kept ? null : refuseUnknown(fact, source, context.now));
    if (!kept && (fact.ids.length === 0 || (settled && !refusal)))
      return { fact, customerHash, isNew: false, isExpired: false, duplicates, settled, payment: null };
    const before = kept ? duplicates.reduce(joinPayments, kept) : newPayment(fact, source, context.now);
    const isExpired = before.amounts !== null && before.seenAt < context.now - waitMs;
    const payment = withCustomer(addFact(before, fact, context.now), customerHash);
    return { fact, customerHash, isNew: !kept, isExpired, duplicates, settled, payment };
  });
  const payments = drafts.flatMap(({ payment }) => payment ?? []);
  const emptied = drafts.flatMap(({ duplicates }) => duplicates).map((duplicate) => ({ ...duplicate, amounts: null }));
  await storePayments.update([...payments.filter((payment) => payment.id !== 0 && !isSame(payment, found)), ...emptied]);
  const inserted = await storePayments.insert(payments.filter(({ id }) => id === 0));
  const insertedBy = new Map(inserted.map((payment) => [payment.externalId, payment]));
  const steps = drafts.map((draft) => ({
    ...draft,
    payment: draft.payment?.id === 0 ? (insertedBy.get(draft.payment.externalId) ?? null) : draft.payment,
  }));
  const assigned = steps.flatMap(({ fact, payment }) => {
    const ids = fact.ids.filter((id) => !foundBy.has(id));
    return payment ? ids.map((externalId) => ({ externalId, paymentId: payment.id })) : [];
  });
  for (const { payment, duplicates } of steps) for (const { id } of duplicates) await storePayments.moveIds(id, payment?.id ?? id);
  await storePayments.assignIds(source.platform, assigned);
  return steps;
}

/** Of payments that turn out to be one, the one that is an order is kept, else the first. */
async function findPreferred(
  { orders }: Transaction<PaymentRepositories>,
  storedOf: readonly (readonly StorePayment[])[],
): Promise<(one: StorePayment, other: StorePayment) => number> {
  const several = storedOf.filter(({ length }) => length > 1).flat();
  const recorded = new Set((await orders.byIds(several.map(orderNumberOf))).map(({ orderId }) => orderId));
  const place = (payment: StorePayment): number => (recorded.has(orderNumberOf(payment)) ? 0 : 1);
  return (one, other) => place(one) - place(other) || one.id - other.id;
}

const isSame = (payment: StorePayment, found: readonly FoundPayment[]): boolean =>
  found.some((one) => one.payment.id === payment.id && JSON.stringify(one.payment) === JSON.stringify(payment));

const withCustomer = (payment: StorePayment, customerHash: string | undefined): StorePayment => ({
  ...payment,
  customerHash: payment.customerHash ?? customerHash ?? null,
});

/** Its id follows when it is inserted. */
const newPayment = ({ ids }: PaymentFact, { platform }: PaymentSource, now: number): StorePayment => ({
  id: 0,
  platform,
  externalId: ids[0] ?? '',
  subscription: null,
  customerHash: null,
  seenAt: now,
  amounts: null,
  reductions: [],
});

export const paymentIsLate = 'The payment has not arrived yet: the platform sends this again.';
export const paymentIsMissing = 'The payment has not arrived within 24 hours.';

/** An event about a payment that is not known. One from before the connection never arrives. */
function refuseUnknown({ chargedAt, occurredAt }: PaymentFact, { connectedAt }: PaymentSource, now: number): UpdateOutcome | null {
  if (chargedAt === undefined) return null;
  if (chargedAt < connectedAt) return { outcome: 'ignored', reason: 'The payment was made before the shop was connected.' };
  if (occurredAt < now - waitMs) return { outcome: 'ignored', reason: paymentIsMissing };
  return { outcome: 'ignored', reason: paymentIsLate, isPostponed: true };
}
