import { attributionWindow } from '../clicks/attribution.ts';
import type { ClickRepository } from '../clicks/repository.ts';
import { type CouponReader, visibleCoupon } from '../coupons/reading.ts';
import type { CouponRepository } from '../coupons/repository.ts';
import type { CouponTerms, CouponTermsRepository } from '../coupons/terms.ts';
import { ApiError } from '../errors.ts';
import type { Movement, Pool } from '../ledger/movement.ts';
import type { LedgerRepository } from '../ledger/repository.ts';
import { inWords, type Minor } from '../money.ts';
import type { CreditLinkRepository, SubscriptionPayment } from '../orders/credit-link.ts';
import type { Order, OrderRepository, Share } from '../orders/order.ts';
import type { Program } from '../program.ts';
import type { StorePaymentRepository } from '../store/payment.ts';
import type { UserRepository } from '../users/repository.ts';
import { type Caller, callerIsAdmin, type User } from '../users/user.ts';
import { type ExplainedAttribution, explainAttribution, type StoredCandidates } from './attribution.ts';
import { type CouponLabel, hiddenLabel, labelOfCoupon } from './label.ts';
import { type ExplainedRate, explainRates } from './rates.ts';
import { type ExplainedShare, explainShare } from './shares.ts';
import { computeSteps, type ExplanationStep } from './steps.ts';

export interface ExplainedMovement extends Movement {
  text: string;
}

export interface Explanation {
  order: Order;
  /** Null for an order whose number is the store's own. */
  externalId: string | null;
  recomputed: Minor;
  agrees: boolean;
  rates: ExplainedRate[];
  steps: ExplanationStep[];
  attribution: ExplainedAttribution;
  shares: ExplainedShare[];
  movements: ExplainedMovement[];
}

const maxClicks = 20;
const maxMovements = 100;

interface ExplanationRepositories {
  users: UserRepository;
  coupons: CouponRepository;
  couponTerms: CouponTermsRepository;
  orders: OrderRepository;
  clicks: ClickRepository;
  ledger: LedgerRepository;
  creditLinks: CreditLinkRepository;
  storePayments: StorePaymentRepository;
}

/**
 * Recomputes the commission of an order of this coupon. Callers who are not admins see nothing of other affiliates by which they could be
 * identified, and nothing of what they earn.
 * @throws ApiError 404 for an order of another coupon as for one that does not exist.
 */
export async function explainOrder(
  db: ExplanationRepositories,
  reader: CouponReader,
  orderId: number,
  program: Program,
): Promise<Explanation> {
  const { id } = await visibleCoupon(db, reader);
  const [order] = await db.orders.byIds([orderId]);
  if (order?.couponId !== id) throw new ApiError('svc_api_not_found');
  const found = await load(db, order, program);
  const steps = computeSteps(order, program.currency);
  const recomputed = (steps.at(-1) ?? steps[0]).amount;
  return {
    order,
    externalId: found.externalId,
    recomputed,
    agrees: recomputed === order.commission,
    rates: explainRates(order.rates, found.coupons.get(order.couponId), found.payment, program),
    steps,
    attribution: explainAttribution(order, found, candidateLabels(order, found, reader.caller), program.zone),
    shares: found.shares.map((share) => explainShare(share, order, shareLabel(share, found, reader.caller), program.currency)),
    movements: visibleMovements(found, reader.caller).map((movement) => ({ ...movement, text: movementSentence(movement, program) })),
  };
}

interface Found extends StoredCandidates {
  shares: Share[];
  coupons: Map<number, CouponTerms>;
  users: Map<number, User>;
  movements: Movement[];
  payment: SubscriptionPayment | undefined;
  externalId: string | null;
}

async function load(db: ExplanationRepositories, order: Order, program: Program): Promise<Found> {
  const { orderId, visitorHash, placedAt } = order;
  const [shares, clicks, [link], [payment], externalIds] = await Promise.all([
    db.orders.sharesOf([orderId]),
    visitorHash === null ? [] : db.clicks.latest(attributionWindow(visitorHash, placedAt, program), maxClicks),
    visitorHash === null ? [] : db.orders.lifetimeLinksOf([visitorHash]),
    db.creditLinks.paymentsOf([orderId]),
    db.storePayments.externalIds([orderId]),
  ]);
  const linked = [...clicks, ...shares, ...(link ? [link] : [])].map(({ couponId }) => couponId);
  const [coupons, movements] = await Promise.all([
    db.couponTerms.byIds([...new Set([order.couponId, order.usedCouponId ?? order.couponId, ...linked])]),
    db.ledger.ofOrder(orderId, [...new Set([order.couponId, ...shares.map(({ couponId }) => couponId)])], maxMovements),
  ]);
  const owners = [...coupons, ...shares].flatMap(({ userId }) => userId ?? []);
  const users = owners.length === 0 ? [] : await db.users.byIds([...new Set(owners)]);
  return {
    shares,
    clicks,
    link,
    movements,
    payment,
    externalId: externalIds.get(orderId) ?? null,
    coupons: new Map(coupons.map((coupon) => [coupon.id, coupon])),
    users: new Map(users.map((user) => [user.id, user])),
  };
}

const candidateLabels = (order: Order, { coupons, users }: Found, caller: Caller): ((couponId: number) => CouponLabel) => {
  const isVisible = ({ id, userId }: CouponTerms): boolean => callerIsAdmin(caller) || id === order.couponId || userId === caller.user.id;
  return (couponId) => {
    const coupon = coupons.get(couponId);
    return coupon && isVisible(coupon) ? labelOfCoupon(coupon, users.get(coupon.userId ?? 0) ?? null) : hiddenLabel;
  };
};

/** A share belongs to the affiliate who got it, also after its coupon has changed hands. */
const isOwnShare = ({ userId }: Share, caller: Caller): boolean => callerIsAdmin(caller) || userId === caller.user.id;

function shareLabel(share: Share, { coupons, users }: Found, caller: Caller): CouponLabel {
  const coupon = coupons.get(share.couponId);
  return coupon && isOwnShare(share, caller) ? labelOfCoupon(coupon, users.get(share.userId) ?? null) : hiddenLabel;
}

function visibleMovements({ movements, shares }: Found, caller: Caller): Movement[] {
  const own = new Set(shares.filter((share) => isOwnShare(share, caller)).map(({ couponId }) => couponId));
  return movements.filter(({ reason, couponId }) => reason !== 'mla' || own.has(couponId));
}

/** The pools as the console calls the balances. */
const poolNames: Record<Pool, string> = {
  store: 'the store',
  handed_over: 'orders before the handover',
  pending_order: 'being cleared',
  unpaid: 'available',
  pending_payout: 'requested',
  paid: 'paid',
};

const movementSentence = ({ note, amount, from, to }: Movement, { currency }: Program): string =>
  `${note.replace(/\.$/, '')}: ${inWords(amount, currency)} moved from ${poolNames[from]} to ${poolNames[to]}.`;
