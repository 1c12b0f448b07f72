import { shareChanges, shareMovement, touchesShares } from '../commission/commission.ts';
import { loadUpline, sharesBefore, type Upline, type UplineRepositories } from '../commission/upline.ts';
import { isForfeited, isHandedOver } from '../coupons/handover.ts';
import type { CouponTerms } from '../coupons/terms.ts';
import type { EventRepository, NewEvent } from '../events/event.ts';
import { contributionOf, withdrawalOf } from '../figures/contribution.ts';
import type { FigureChange, FigureRepository } from '../figures/figures.ts';
import type { Movement } from '../ledger/movement.ts';
import type { LedgerRepository } from '../ledger/repository.ts';
import type { ChangeContext, OrderChange } from '../orders/order-change.ts';
import type { Transaction } from '../unit-of-work.ts';
import { type AffectedCoupon, orderEvents, shareEvent } from './events.ts';
import { orderMovements } from './order-movements.ts';

export interface OrderChangeRepositories extends UplineRepositories {
  ledger: LedgerRepository;
  figures: FigureRepository;
  events: EventRepository;
}

interface Effects {
  movements: Movement[];
  figures: FigureChange[];
  events: NewEvent[];
}

/**
 * Writes changed orders, each as the last change leaves it, and the effects of the changes: ledger movements, figures, shares of the upline,
 * and events.
 */
export async function applyChanges(
  transaction: Transaction<OrderChangeRepositories>,
  changes: readonly OrderChange[],
  coupons: ReadonlyMap<number, CouponTerms>,
  context: ChangeContext,
): Promise<void> {
  if (changes.length === 0) return;
  const last = new Map(changes.map(({ after }) => [after.orderId, after]));
  // Together: the effects are computed while the database writes the orders.
  await Promise.all([transaction.orders.save([...last.values()]), writeEffects(transaction, changes, coupons, context)]);
}

async function writeEffects(
  transaction: Transaction<OrderChangeRepositories>,
  changes: readonly OrderChange[],
  coupons: ReadonlyMap<number, CouponTerms>,
  context: ChangeContext,
): Promise<void> {
  const upline = await loadUpline(transaction, changes, coupons, context.program.multiLevelThousandths);
  const effects: Effects = { movements: [], figures: [], events: [] };
  const sharing = new Set<number>();
  for (const change of changes) {
    const coupon = coupons.get(change.after.couponId);
    if (!coupon) throw new Error(`The coupon of order ${change.after.orderId} was not loaded.`);
    const affected = isHandedOver(change.after, coupon) ? withoutOwner(change.after, coupon) : coupon;
    addOwnEffects(change, affected, context, effects);
    if (touchesShares(change) && addShareEffects(change, affected, upline, context, effects)) sharing.add(change.after.orderId);
  }
  for (const event of effects.events) await transaction.events.record(event);
  await Promise.all([
    transaction.ledger.append(effects.movements),
    transaction.figures.add(effects.figures),
    transaction.orders.saveShares([...sharing].flatMap((orderId) => upline.sharesOf.get(orderId) ?? [])),
  ]);
}

/** The new owner has no part in orders that were recorded before: no webhook names them, and their upline gets no share. */
const withoutOwner = (recorded: { handovers: number }, coupon: CouponTerms): AffectedCoupon => ({
  ...coupon,
  userId: null,
  departure: isForfeited(recorded, coupon) ? 'belonged to an affiliate who was erased' : 'has changed hands since',
});

function addOwnEffects(change: OrderChange, coupon: AffectedCoupon, context: ChangeContext, { movements, figures, events }: Effects): void {
  const moved = orderMovements(change, context, isHandedOver(change.after, coupon));
  movements.push(...moved, ...(wasForfeited(change, change.after, coupon) ? moved.map(toForfeit) : []));
  if (change.before) figures.push(withdrawalOf(change.before));
  figures.push(contributionOf(change.after));
  events.push(...orderEvents(change, coupon, context));
}

/** What was not granted when the balance was forfeited is more or less forfeited by a change. What was, may have been paid: the store bears that. */
const wasForfeited = (change: OrderChange, recorded: { handovers: number }, coupon: CouponTerms): boolean =>
  change.before?.commissionStatus === 'pending' && isForfeited(recorded, coupon);

const toForfeit = (moved: Movement): Movement => ({ ...moved, from: moved.to, to: moved.from, reason: 'forfeit', orderId: null });

/** Returns whether the order has shares. Shares are not part of the figures of the coupons that receive them. */
function addShareEffects(
  change: OrderChange,
  { userId }: CouponTerms,
  upline: Upline,
  context: ChangeContext,
  { movements, events }: Effects,
): boolean {
  const shares = shareChanges(change, sharesBefore(change, userId, upline));
  if (shares.length === 0) return false;
  upline.sharesOf.set(
    change.after.orderId,
    shares.map(({ share }) => share),
  );
  for (const shareChange of shares) {
    const coupon = upline.coupons.get(shareChange.share.couponId);
    if (shareChange.difference === 0 || !coupon) continue;
    const isOwner = coupon.userId === shareChange.share.userId && !isHandedOver(shareChange.share, coupon);
    const moved = shareMovement(change, shareChange, context, isOwner ? 'unpaid' : 'handed_over');
    movements.push(moved, ...(wasForfeited(change, shareChange.share, coupon) ? [toForfeit(moved)] : []));
    events.push(shareEvent(change, shareChange, isOwner ? coupon : withoutOwner(shareChange.share, coupon), context));
  }
  return true;
}

/** Grants commission whose clearing period is over, for at most `limit` orders. Returns the number of orders. */
export async function grantDue(transaction: Transaction<OrderChangeRepositories>, context: ChangeContext, limit: number): Promise<number> {
  const due = await transaction.orders.claimDue(context.now, limit);
  const coupons = await transaction.couponTerms.byIds([...new Set(due.map(({ couponId }) => couponId))]);
  const changes = due.map((before) => ({ before, after: { ...before, commissionStatus: 'granted' as const, grantedAt: context.now } }));
  await applyChanges(transaction, changes, new Map(coupons.map((coupon) => [coupon.id, coupon])), context);
  return due.length;
}
