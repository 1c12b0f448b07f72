import { useState } from 'preact/hooks';
import { isApiError } from '../../client/src/index.ts';
import { ActionDialog } from './dialog.tsx';
import { formatDateTime, formatMoney, formatNumber, sumOf } from './format.ts';
import { RefusedRecord } from './load.tsx';
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

interface Standing {
  readonly status: PayoutStatus;
  /** Which status it has by now, and who gave it when. */
  readonly text: string;
}

async function readStanding(id: number): Promise<Standing> {
  const { status } = await api.payouts.get(id);
  const changes = isServed('get_payouts_id_history') ? (await api.payouts.history(id, { per_page: 100 })).items : [];
  const last = changes.at(-1);
  const since = last ? `, since ${formatDateTime(last.date)}${last.by ? ` by ${last.by.display_name}` : ''}` : '';
  return { status, text: `Payout #${id} is “${payoutStatuses[status].label}” by now${since}.` };
}

async function requireSeen({ id, status }: Payout): Promise<void> {
  if (!isServed('get_payouts_id')) return;
  const now = await readStanding(id);
  if (now.status !== status) throw new RefusedRecord(`Not changed. ${now.text}`);
}

/** Changes a payout that has the status that the reader saw. Without the add-on `management` the service ignores `from`. */
export async function changeStatus(payout: Payout, to: PayoutStatus): Promise<void> {
  if (!isServed('get_payouts_id_history')) await requireSeen(payout);
  await api.payouts.setStatus(payout.id, { status: to, from: payout.status }).catch(async (error: unknown) => {
    if (isApiError(error, 'svc_api_conflict', 'svc_api_no_change')) await requireSeen(payout);
    throw error;
  });
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
  findResult?: () => Promise<string>;
  onClose: () => void;
}

/** Asks before one or several payouts change. */
export const ChangeDialog = ({ planned, onConfirm, onClose, ...more }: ChangeDialogProps) => (
  <ActionDialog
    title={`${payoutActions[planned.to]}?`}
    action={payoutActions[planned.to]}
    isDangerous={planned.to === 'cancel'}
    onSubmit={() => onConfirm(planned)}
    onClose={onClose}
    {...more}
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
    await changeStatus(payout, to);
    showToast(`Payout #${payout.id} is ${payoutStatuses[to].label.toLowerCase()} now.`);
  };
  return (
    <>
      <ChangeButtons targets={listTargets([payout])} onTarget={(to) => setPlanned({ to, payouts: [payout] })} />
      {planned && (
        <ChangeDialog
          planned={planned}
          onConfirm={confirm}
          findResult={async () => (await readStanding(payout.id)).text}
          onClose={() => {
            setPlanned(null);
            onChanged();
          }}
        />
      )}
    </>
  );
}
