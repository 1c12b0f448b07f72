import { netOf } from '../commission/commission.ts';
import { fractionOf, type Minor } from '../money.ts';
import { firstAssignedNumber, type IncomingOrder } from '../order-recording/incoming.ts';
import type { StorePlatform } from './connection.ts';

/** What was paid, as one source of the platform says it. */
export interface PaymentAmounts extends Pick<IncomingOrder, 'placedAt' | 'total' | 'discount' | 'shipping' | 'tax' | 'quantity'> {
  /** The id that people see. */
  externalId: string;
  /** Of several sources about one payment the highest counts, whichever arrives first. */
  rank: number;
  /** For the whole payment, with tax and shipping. */
  paid: Minor;
}

/** Of a charge: all its refunds at that moment. */
interface RefundTotal {
  kind: 'refunds';
  /** Of the charge. */
  id: string;
  at: number;
  amount: Minor;
}

/** A refund that did not reach the customer. */
interface FailedRefund {
  kind: 'failed_refund';
  id: string;
  chargeId: string;
  at: number;
  amount: Minor;
}

/** Money that a dispute has taken. `amount` is 0 once it is given back. */
interface Dispute {
  kind: 'dispute';
  id: string;
  at: number;
  amount: Minor;
}

/** `at` is the order of its statuses. `amount` is of the goods alone. */
interface Adjustment {
  kind: 'adjustment';
  id: string;
  at: number;
  amount: Minor;
  effect: 'refund' | 'chargeback' | 'reversed_chargeback' | 'reversal' | 'none';
}

/** What lowers a payment. The newest state of each is stored, so that the order of arrival does not matter. */
export type Reduction = RefundTotal | FailedRefund | Dispute | Adjustment;

/** Who referred a payment or a checkout, in the words of the shop. */
export interface Referral {
  visitor?: string | undefined;
  campaign?: string | undefined;
  /** Ids or codes of coupons. */
  coupons: readonly string[];
  /** Codes that the customer typed. */
  codes: readonly string[];
  /** The platform's ids of such codes. */
  codeIds: readonly string[];
}

/** What one event of a billing platform says about a payment. */
export interface PaymentFact {
  kind: 'payment';
  /** All ids of the payment in the event, at least one unless it is a checkout. */
  ids: readonly string[];
  /** By the clock of the platform. */
  occurredAt: number;
  subscription?: string | undefined;
  customer?: string | undefined;
  /** In place of `customer`, in a fact that was stored. */
  customerHash?: string | undefined;
  /** Compared with that of the affiliate, and not stored. */
  customerEmail?: string | undefined;
  amounts?: PaymentAmounts | undefined;
  reduction?: Reduction | undefined;
  referral?: Referral | undefined;
  /** When the page of a checkout was opened. Its referral also credits later payments of the subscription and the customer. */
  checkoutOpenedAt?: number | undefined;
  /** When the charge was made, in an event about a payment that should have arrived before. */
  chargedAt?: number | undefined;
  /** Why the payment is not an order, although its ids are stored. */
  refusal?: string | undefined;
}

/** Which code an id stands for. */
export interface CodeFact {
  kind: 'code';
  id: string;
  code: string;
  occurredAt: number;
}

export type BillingFact = PaymentFact | CodeFact;

/** Everything that is stored of a payment, also of one that concerns no affiliate. */
export interface StorePayment {
  id: number;
  platform: StorePlatform;
  externalId: string;
  subscription: string | null;
  customerHash: string | null;
  /** When its amounts arrived, or it was first heard of. */
  seenAt: number;
  /** Null while only its ids are known. */
  amounts: PaymentAmounts | null;
  reductions: readonly Reduction[];
}

export interface FoundPayment {
  payment: StorePayment;
  /** The id by which it was found. */
  foundBy: string;
}

/** A referral by a code that has not arrived. The fact has nothing else than the referral and what it is about. */
export interface WaitingReferral {
  platform: StorePlatform;
  /** The platform's id of the code. */
  codeId: string;
  seenAt: number;
  fact: PaymentFact;
}

export interface StorePaymentRepository {
  /** The payments that have one of these ids, with the ids by which each was found. */
  byExternalIds(platform: StorePlatform, ids: readonly string[]): Promise<FoundPayment[]>;
  /** Of these subscriptions or customers, first seen at this moment or later, without those that are orders. */
  uncredited(subscriptions: readonly string[], customerHashes: readonly string[], since: number): Promise<StorePayment[]>;
  /** Returns them with their ids. Their external ids must differ. */
  insert(payments: readonly StorePayment[]): Promise<StorePayment[]>;
  update(payments: readonly StorePayment[]): Promise<void>;
  /** Inserts or changes the payment of an id. */
  assignIds(platform: StorePlatform, ids: readonly { externalId: string; paymentId: number }[]): Promise<void>;
  /** Gives all ids of a payment to another one. */
  moveIds(from: number, to: number): Promise<void>;
  /** The ids that people see, by the numbers of orders. */
  externalIds(orderIds: readonly number[]): Promise<Map<number, string>>;
  codes(platform: StorePlatform, ids: readonly string[]): Promise<Map<string, string>>;
  /** A code that is older than the stored one changes nothing. */
  saveCodes(platform: StorePlatform, codes: readonly { externalId: string; code: string; occurredAt: number }[]): Promise<void>;
  /** Deletes those that were seen before `since`. */
  addWaiting(referrals: readonly WaitingReferral[], since: number): Promise<void>;
  /** Reads and deletes the referrals that wait for one of these codes. */
  takeWaiting(platform: StorePlatform, codeIds: readonly string[]): Promise<WaitingReferral[]>;
}

/** The number of its order. */
export const orderNumberOf = ({ id }: Pick<StorePayment, 'id'>): number => firstAssignedNumber - 1 + id;
export const paymentIdOf = (orderNumber: number): number => orderNumber - firstAssignedNumber + 1;

/** Adds what an event says. The result is the same in any order of events. */
export function addFact(payment: StorePayment, fact: PaymentFact, now: number): StorePayment {
  const amounts = chooseAmounts(payment.amounts, fact.amounts ?? null);
  return {
    ...payment,
    externalId: amounts?.externalId ?? payment.externalId,
    subscription: payment.subscription ?? fact.subscription ?? null,
    seenAt: payment.amounts || !amounts ? payment.seenAt : now,
    amounts,
    reductions: fact.reduction ? addReduction(payment.reductions, fact.reduction) : payment.reductions,
  };
}

/** Two payments that turn out to be one. */
export function joinPayments(kept: StorePayment, other: StorePayment): StorePayment {
  const amounts = chooseAmounts(kept.amounts, other.amounts);
  return {
    ...kept,
    externalId: amounts?.externalId ?? kept.externalId,
    subscription: kept.subscription ?? other.subscription,
    customerHash: kept.customerHash ?? other.customerHash,
    seenAt: kept.amounts ? kept.seenAt : other.seenAt,
    amounts,
    reductions: other.reductions.reduce(addReduction, kept.reductions),
  };
}

function chooseAmounts(one: PaymentAmounts | null, other: PaymentAmounts | null): PaymentAmounts | null {
  if (!one || !other) return one ?? other;
  if (one.rank !== other.rank) return one.rank > other.rank ? one : other;
  return one.placedAt <= other.placedAt ? one : other;
}

function addReduction(reductions: readonly Reduction[], added: Reduction): readonly Reduction[] {
  const at = reductions.findIndex(({ kind, id }) => kind === added.kind && id === added.id);
  const stored = reductions[at];
  if (!stored) return [...reductions, added];
  return isNewer(added, stored) ? reductions.with(at, added) : reductions;
}

/** Of two states of the same second, a dispute is won rather than lost, and more is refunded rather than less. */
function isNewer(added: Reduction, stored: Reduction): boolean {
  if (added.at !== stored.at) return added.at > stored.at;
  return added.kind === 'dispute' ? added.amount < stored.amount : added.amount > stored.amount;
}

const sumOf = (reductions: readonly Reduction[]): Minor => reductions.reduce((sum, { amount }) => sum + amount, 0);

/** The refunded goods: those of adjustments, and the goods' share of money that went back. */
export function computeRefunded(amounts: PaymentAmounts, reductions: readonly Reduction[]): Minor {
  const net = netOf(amounts);
  const money = Math.min(moneyBack(reductions), amounts.paid);
  const share = amounts.paid > 0 ? fractionOf(net, money, amounts.paid) : 0;
  return Math.min(net, share + goodsBack(reductions));
}

/** A refund that failed after the newest total of its charge is still part of that total. */
function moneyBack(reductions: readonly Reduction[]): Minor {
  const failed = reductions.filter((reduction) => reduction.kind === 'failed_refund');
  const refunded = reductions.flatMap((total) => {
    if (total.kind !== 'refunds') return [];
    const given = failed.filter(({ chargeId, at }) => chargeId === total.id && at >= total.at);
    return Math.max(0, total.amount - sumOf(given));
  });
  const disputed = reductions.filter(({ kind }) => kind === 'dispute');
  return refunded.reduce((sum, amount) => sum + amount, 0) + sumOf(disputed);
}

/** A won chargeback is told twice, by its own status and by a reversal: the larger of both sums counts. */
function goodsBack(reductions: readonly Reduction[]): Minor {
  const sum = (...effects: Adjustment['effect'][]): Minor =>
    sumOf(reductions.filter((reduction) => reduction.kind === 'adjustment' && effects.includes(reduction.effect)));
  const won = Math.max(sum('reversed_chargeback'), sum('reversal'));
  return sum('refund') + Math.max(0, sum('chargeback', 'reversed_chargeback') - won);
}
