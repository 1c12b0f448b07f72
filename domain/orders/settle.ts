import { shareChanges, shareMovement, touchesShares } from '../commission/shares.ts';
import { loadUpline, sharesBefore, type Upline } from '../commission/upline.ts';
import type { CouponTerms } from '../coupons/terms.ts';
import type { NewEvent } from '../events/event.ts';
import { contributionOf, withdrawalOf } from '../figures/contribution.ts';
import type { FigureChange } from '../figures/figures.ts';
import type { Movement } from '../ledger/movement.ts';
import { orderMovements } from '../ledger/order-movements.ts';
import type { Transaction } from '../ports.ts';
import { orderNews, shareNews } from './events.ts';
import type { Step } from './order-change.ts';
import type { Surroundings } from './surroundings.ts';

interface Consequences {
  movements: Movement[];
  figures: FigureChange[];
  events: NewEvent[];
}

/** Writes what follows from the steps of orders, all but the orders themselves: money, figures, shares of the tiers above, and the news. */
export async function settle(
  transaction: Transaction,
  steps: readonly Step[],
  coupons: ReadonlyMap<number, CouponTerms>,
  surroundings: Surroundings,
): Promise<void> {
  if (steps.length === 0) return;
  const upline = await loadUpline(transaction, steps, coupons, surroundings.program.multiLevelThousandths);
  const consequences: Consequences = { movements: [], figures: [], events: [] };
  const sharing = new Set<number>();
  for (const step of steps) {
    const coupon = coupons.get(step.after.couponId);
    if (!coupon) throw new Error(`The coupon of order ${step.after.orderId} was not loaded.`);
    ownConsequences(step, coupon, surroundings, consequences);
    if (touchesShares(step) && shareOut(step, coupon, upline, surroundings, consequences)) sharing.add(step.after.orderId);
  }
  await transaction.ledger.append(consequences.movements);
  await transaction.figures.add(consequences.figures);
  await transaction.orders.saveShares([...sharing].flatMap((orderId) => upline.sharesOf.get(orderId) ?? []));
  for (const event of consequences.events) await transaction.events.record(event);
}

function ownConsequences(step: Step, coupon: CouponTerms, surroundings: Surroundings, { movements, figures, events }: Consequences): void {
  movements.push(...orderMovements(step, surroundings));
  if (step.before) figures.push(withdrawalOf(step.before));
  figures.push(contributionOf(step.after));
  events.push(...orderNews(step, coupon, surroundings));
}

/** True when the order has shares. They are not counted in the figures of the coupons that get them. */
function shareOut(
  step: Step,
  { userId }: CouponTerms,
  upline: Upline,
  surroundings: Surroundings,
  { movements, events }: Consequences,
): boolean {
  const changes = shareChanges(step, sharesBefore(step, userId, upline));
  if (changes.length === 0) return false;
  upline.sharesOf.set(
    step.after.orderId,
    changes.map(({ share }) => share),
  );
  for (const change of changes) {
    const coupon = upline.coupons.get(change.share.couponId);
    if (change.difference === 0 || !coupon) continue;
    movements.push(shareMovement(step, change, surroundings));
    events.push(shareNews(step, change, coupon, surroundings));
  }
  return true;
}
