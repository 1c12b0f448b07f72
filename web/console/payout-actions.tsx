import { useState } from 'preact/hooks';
import { ActionDialog } from './dialog.tsx';
import { formatMoney, formatNumber, sumOf } from './format.ts';
import { payoutActions, payoutChanges } from './program-words.ts';
import type { Payout, PayoutStatus } from './records.ts';
import { api, isServed } from './session.ts';
import { showToast } from './toast.tsx';
import { payoutStatuses } from './words.ts';

/** The payouts that were selected when the dialog was opened: the list below it may still be loading another page. */
export interface PlannedChange {
  readonly to: PayoutStatus;
  readonly payouts: readonly Payout[];
}

/** The statuses that all of these payouts can get, the most likely first. */
export const listTargets = (payouts: readonly Payout[]): PayoutStatus[] =>
  (['paid', 'created', 'pending', 'cancel'] as const).filter(
    (to) => payouts.length > 0 && payouts.every(({ status }) => payoutChanges[status].includes(to)),
  );

interface ChangeButtonsProps {
  targets: readonly PayoutStatus[];
  onTarget: (to: PayoutStatus) => void;
}

export const ChangeButtons = ({ targets, onTarget }: ChangeButtonsProps) =>
  targets.map((to) => (
    <button key={to} type="button" class={to === 'paid' ? 'primary' : 'plain'} onClick={() => onTarget(to)}>
      {payoutActions[to]}
    </button>
  ));

interface ChangeDialogProps {
  planned: PlannedChange;
  onConfirm: (planned: PlannedChange) => Promise<void>;
  onClose: () => void;
}

/** Asks before one or several payouts change. */
export const ChangeDialog = ({ planned, onConfirm, onClose }: ChangeDialogProps) => (
  <ActionDialog
    title={`${payoutActions[planned.to]}?`}
    action={payoutActions[planned.to]}
    isDangerous={planned.to === 'cancel'}
    onSubmit={() => onConfirm(planned)}
    onClose={onClose}
  >
    <p>
      <b>
        {planned.payouts.length === 1 ? '1 payout' : `${formatNumber(planned.payouts.length)} payouts`},{' '}
        {formatMoney(sumOf(planned.payouts, ({ amount }) => amount))} in all
      </b>
      . {payoutStatuses[planned.to].meaning} {planned.payouts.length === 1 ? 'The affiliate gets' : 'The affiliates get'} an e-mail.
    </p>
  </ActionDialog>
);

/** What an admin can do with one payout. */
export function PayoutActions({ payout, onChanged }: { payout: Payout; onChanged: () => void }) {
  const [planned, setPlanned] = useState<PlannedChange | null>(null);
  if (!isServed('post_payouts_id_status')) return null;
  const confirm = async ({ to }: PlannedChange): Promise<void> => {
    await api.payouts.setStatus(payout.id, { status: to });
    showToast(`Payout #${payout.id} is ${payoutStatuses[to].label.toLowerCase()} now.`);
    onChanged();
  };
  return (
    <>
      <ChangeButtons targets={listTargets([payout])} onTarget={(to) => setPlanned({ to, payouts: [payout] })} />
      {planned && <ChangeDialog planned={planned} onConfirm={confirm} onClose={() => setPlanned(null)} />}
    </>
  );
}
