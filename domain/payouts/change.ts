import { ApiError } from '../errors.ts';
import type { ChangeContext } from '../orders/change-context.ts';
import type { Stores, Transaction } from '../ports.ts';
import { applyTransition } from './apply-transition.ts';
import type { NamedPayout } from './payout.ts';
import { findTransition, needs, type PayoutTransition, type PublicStatus } from './transitions.ts';

export interface PayoutChange {
  payout: NamedPayout;
  transition: PayoutTransition;
}

/** Finds the transition for the payout's current status, which may change before it is applied. */
export async function findChange({ payouts }: Stores, id: number, to: PublicStatus): Promise<PayoutChange> {
  const payout = await payouts.byId(id);
  if (!payout) throw new ApiError('svc_api_not_found');
  if (payout.status === to) throw new ApiError('svc_api_no_change');
  const transition = findTransition(payout.status, to, 'admin');
  if (!transition) throw new ApiError('svc_api_invalid_transition');
  return { payout, transition };
}

/** Bookkeeping only: no gateway is called. */
export async function changePayout(
  transaction: Transaction,
  { payout, transition }: PayoutChange,
  context: ChangeContext,
): Promise<NamedPayout> {
  if (needs(transition, 'free_slot') && (await transaction.payouts.openOf(payout.couponId))) throw new ApiError('svc_api_conflict');
  const held = await transaction.ledger.balance(payout.couponId, 'unpaid');
  const changed = await applyTransition(transaction, payout, transition, context);
  // Checked after the transition, so that the loser of a race gets a conflict and not a lack of balance.
  if (needs(transition, 'unpaid_holds_amount') && held < payout.amount) throw new ApiError('svc_api_insufficient_unpaid');
  return changed;
}
