import { type Transition, transitions } from '../../generated/transitions.ts';
import type { PayoutStatus } from './payout.ts';

export type PayoutTransition = Transition<'PayoutStatus'>;
type Actor = PayoutTransition['by'];

const { rows, internal } = transitions.PayoutStatus;

/** The statuses of the API; internal ones are shown as another. */
export type PublicStatus = Exclude<PayoutStatus, keyof typeof internal>;

/** Looks up the contract's state table. `from` is null for a request. */
export const findTransition = (from: PayoutStatus | null, to: PayoutStatus, by: Actor): PayoutTransition | undefined =>
  rows.find((row) => row.from === from && row.to === to && row.by === by);

export const publicStatus = (status: PayoutStatus): PublicStatus =>
  status === 'processing' || status === 'failed' ? internal[status].reads : status;

/** Statuses that occupy the coupon's slot for one open request. */
export const openStatuses: readonly PayoutStatus[] = [...new Set(rows.filter((row) => needs(row, 'free_slot')).map(({ to }) => to))];

export function needs({ requires }: PayoutTransition, requirement: 'free_slot' | 'unpaid_holds_amount'): boolean {
  return (requires as readonly string[]).includes(requirement);
}
