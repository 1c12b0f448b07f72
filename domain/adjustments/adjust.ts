import { commissionEvent } from '../coupons/commission-event.ts';
import type { CouponTermsRepository } from '../coupons/terms.ts';
import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import { adjustmentNote, directed } from '../ledger/movement.ts';
import type { LedgerRepository } from '../ledger/repository.ts';
import { decimalsOf, exactMinor, type Minor } from '../money.ts';
import type { ChangeContext } from '../orders/order-change.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { Adjustment, AdjustmentRepository } from './adjustment.ts';

export interface AdjustmentRequest {
  couponId: number;
  /** In the store's currency. */
  amount: number;
  note: string;
}

interface AdjustRepositories {
  adjustments: AdjustmentRepository;
  couponTerms: CouponTermsRepository;
  ledger: LedgerRepository;
  events: EventRepository;
}

/**
 * Moves the amount from the store into the unpaid balance, or back if it is below zero, which may leave the balance below zero as a refund
 * does. What open payouts hold is in another pool and stays. The note is stored beside the movement, because the ledger is never changed.
 */
export async function adjustBalance(
  transaction: Transaction<AdjustRepositories>,
  { couponId, amount: given, note }: AdjustmentRequest,
  context: ChangeContext,
): Promise<Adjustment> {
  const { now, userId: createdBy, program } = context;
  const amount = readAmount(given, program.currency);
  const [coupon] = await transaction.couponTerms.byIds([couponId]);
  if (!coupon) throw new ApiError('svc_api_not_found');
  if (coupon.userId === null) throw new ApiError('svc_api_no_affiliate');
  const adjustment = { couponId, userId: coupon.userId, amount, note, createdBy, createdAt: now };
  const id = await transaction.adjustments.insert(adjustment);
  const cause = {
    couponId,
    reason: 'adjustment',
    orderId: null,
    payoutId: null,
    userId: createdBy,
    note: adjustmentNote(id),
    at: now,
  } as const;
  await transaction.ledger.append([{ ...cause, ...directed('store', 'unpaid', amount) }]);
  await transaction.events.record(commissionEvent({ ...adjustment, coupon }, context));
  return { id, ...adjustment };
}

function readAmount(amount: number, currency: string): Minor {
  const minor = exactMinor(amount, currency);
  if (minor !== null && minor !== 0) return minor;
  const sentence = `amount must be an amount in ${currency}, not zero, as a number with at most ${decimalsOf(currency)} decimals.`;
  throw new ApiError('rest_invalid_param', { message: sentence, data: { params: { amount: sentence } } });
}
