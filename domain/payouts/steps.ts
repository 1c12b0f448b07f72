import { type Transition, transitions } from '../../generated/transitions.ts';
import type { PayoutStatus } from './payout.ts';

export type Step = Transition<'PayoutStatus'>;
type Actor = Step['by'];

const { rows, internal } = transitions.PayoutStatus;

/** What leaves the service: an internal status reads as another. */
export type PublicStatus = Exclude<PayoutStatus, keyof typeof internal>;

/** The row of the contract's state table; undefined where it has none. From null: the payout is requested. */
export const stepBetween = (from: PayoutStatus | null, to: PayoutStatus, by: Actor): Step | undefined =>
  rows.find((row) => row.from === from && row.to === to && row.by === by);

export const readsAs = (status: PayoutStatus): PublicStatus =>
  status === 'processing' || status === 'failed' ? internal[status].reads : status;

/** What needs the coupon's one free slot takes it: a request in such a status is open. */
export const openStatuses: readonly PayoutStatus[] = [...new Set(rows.filter((row) => needs(row, 'free_slot')).map(({ to }) => to))];

export function needs({ requires }: Step, requirement: 'free_slot' | 'unpaid_holds_amount'): boolean {
  return (requires as readonly string[]).includes(requirement);
}
