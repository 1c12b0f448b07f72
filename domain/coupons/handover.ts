import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import { directed, type Movement, type Pool } from '../ledger/movement.ts';
import type { LedgerRepository } from '../ledger/repository.ts';
import { inWords, type Minor } from '../money.ts';
import type { Program } from '../program.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { UserRepository } from '../users/repository.ts';
import type { User } from '../users/user.ts';
import type { CouponTerms } from './terms.ts';

export interface HandoverContext {
  now: number;
  /** Who does it; 0 for the system. */
  userId: number;
  program: Pick<Program, 'currency'>;
  /** The new owner gets the balance of the former. Otherwise a coupon with a balance does not change hands. */
  transferBalance?: boolean | undefined;
}

export interface HandoverRepositories {
  users: UserRepository;
  ledger: LedgerRepository;
  payouts: OpenPayouts;
  events: EventRepository;
}

/** What a hand-over needs of `PayoutRepository`, whose folder is above this one. */
interface OpenPayouts {
  openOf(couponId: number): Promise<{ id: number } | null>;
}

/** An order that was recorded before its coupon changed hands. */
export const isHandedOver = (order: { handovers: number }, coupon: Pick<CouponTerms, 'handovers'>): boolean =>
  order.handovers < coupon.handovers;

/** An order or a share whose commission was forfeited when the owner of the coupon was erased. */
export const isForfeited = ({ handovers }: { handovers: number }, { forfeits }: Pick<CouponTerms, 'forfeits'>): boolean =>
  forfeits.includes(handovers);

/**
 * Prepares the change of a coupon's owner; null is no owner. Orders of the former owner no longer move the coupon's balances, so what is not
 * cleared yet is transferred as unpaid. All checks run before the first write.
 */
export async function handOver(
  transaction: Transaction<HandoverRepositories>,
  coupon: CouponTerms,
  to: User | null,
  context: HandoverContext,
): Promise<void> {
  const { id, code } = coupon;
  const open = await transaction.payouts.openOf(id);
  if (open) throw conflict(`Coupon ${id} (${code}) has an open payout, ${open.id}. Settle or cancel it before the coupon changes hands.`);
  const unpaid = await transaction.ledger.balance(id, 'unpaid');
  const uncleared = await transaction.ledger.balance(id, 'pending_order');
  const inText = (amount: Minor): string => inWords(amount, context.program.currency);
  if ((unpaid !== 0 || uncleared !== 0) && !context.transferBalance)
    throw conflict(
      `Coupon ${id} (${code}) holds commission of its owner: ${inText(unpaid)} unpaid and ${inText(uncleared)} of orders that are not cleared. ` +
        'Pay it out before the coupon changes hands, or transfer it to the new owner: affiliate import --transfer-balance.',
    );
  const from = coupon.userId === null ? null : await transaction.users.byId(coupon.userId);
  const parties = `from ${nameOf(from)} to ${nameOf(to)}`;
  // Numbers alone: the ledger is never changed, so a name in it could not be erased.
  const note = `Coupon ${id} was transferred from ${numberOf(from)} to ${numberOf(to)}.`;
  await transaction.ledger.append(transferMovements(id, { unpaid, uncleared }, note, context));
  const balance = unpaid === 0 && uncleared === 0 ? '' : `, with ${inText(unpaid + uncleared)} of commission`;
  const info = `Coupon ${code} was transferred ${parties}${balance}.`;
  const event = { kind: 'coupon_transferred', type: null, objectType: 'coupon', objectId: id, data: null } as const;
  await transaction.events.record({ ...event, userId: context.userId, info, at: context.now });
}

const nameOf = (user: User | null): string => (user ? `${user.displayName} (user ${user.id})` : 'no affiliate');

const numberOf = (user: User | null): string => (user ? `user ${user.id}` : 'no affiliate');

/** Everything leaves the former owner's pools, and enters the new owner's. */
function transferMovements(
  couponId: number,
  { unpaid, uncleared }: { unpaid: Minor; uncleared: Minor },
  note: string,
  { now, userId }: HandoverContext,
): Movement[] {
  const moves: [from: Pool, to: Pool, amount: Minor][] = [
    ['unpaid', 'handed_over', unpaid],
    ['pending_order', 'handed_over', uncleared],
    ['handed_over', 'unpaid', unpaid + uncleared],
  ];
  const cause = { couponId, reason: 'transfer', orderId: null, payoutId: null, userId, note, at: now } as const;
  return moves.filter(([, , amount]) => amount !== 0).map(([from, to, amount]) => ({ ...cause, ...directed(from, to, amount) }));
}

const conflict = (message: string): ApiError => new ApiError('svc_api_conflict', { message });
