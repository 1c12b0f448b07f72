import { useState } from 'preact/hooks';
import { Card, Name, PageHead, Tabs } from '../components.tsx';
import { ActionDialog } from '../dialog.tsx';
import { formatMoney, formatNumber, sumOf } from '../format.ts';
import { payoutColumns } from '../lists.tsx';
import { describeError } from '../load.tsx';
import { payoutActions, payoutChanges } from '../program-words.ts';
import type { Payout, PayoutStatus } from '../records.ts';
import { getQuery, hrefWith } from '../router.ts';
import { api, isServed } from '../session.ts';
import { type Column, Table } from '../table.tsx';
import { payoutStatuses } from '../words.ts';

interface Progress {
  readonly done: number;
  readonly total: number;
  readonly refused: number;
}

/** The payouts of all affiliates. Several can be changed together: each by its own call, so that one refusal stops no other. */
export function ProgramPayouts() {
  const status = getQuery('status') || 'pending';
  const [rows, setRows] = useState<readonly Payout[]>([]);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [target, setTarget] = useState<PayoutStatus | null>(null);
  const [refusals, setRefusals] = useState<ReadonlyMap<number, string>>(new Map());
  const [progress, setProgress] = useState<Progress | null>(null);
  const [version, setVersion] = useState(0);
  const chosen = rows.filter(({ id }) => selected.has(id));
  const filter = status in payoutStatuses ? { status: status as PayoutStatus } : {};

  const change = async (to: PayoutStatus): Promise<void> => {
    setTarget(null);
    const refused = new Map<number, string>();
    for (const [index, payout] of chosen.entries()) {
      setProgress({ done: index, total: chosen.length, refused: refused.size });
      await api.payouts.setStatus(payout.id, { status: to }).catch((error) => refused.set(payout.id, describeError(error)));
      setRefusals(new Map(refused));
    }
    setProgress({ done: chosen.length, total: chosen.length, refused: refused.size });
    setSelected(new Set(refused.keys()));
    setVersion((count) => count + 1);
  };

  const columns: Column<Payout>[] = [
    ...(isServed('post_payouts_id_status') ? [selectColumn(selected, setSelected)] : []),
    ...payoutColumns.slice(0, 2),
    {
      title: 'Affiliate',
      cell: ({ user }) => (
        <a href={`/console/affiliates/${user.id}`}>
          <Name>{user.display_name}</Name>
        </a>
      ),
      csv: ({ user }) => user.display_name,
    },
    ...payoutColumns.slice(2),
  ];
  const tabs = ([...Object.keys(payoutStatuses), 'all'] as (PayoutStatus | 'all')[]).map((name) => ({
    text: name === 'all' ? 'All' : payoutStatuses[name].label,
    href: hrefWith({ status: name === 'pending' ? null : name, page: null }),
    isCurrent: name === status,
  }));
  return (
    <>
      <PageHead title="Payouts" lead="Record what was paid. No payment is made here." />
      <Card>
        <Tabs label="Status" items={tabs} />
        {progress && <ProgressNotice progress={progress} others={[...refusals].filter(([id]) => rows.every((row) => row.id !== id))} />}
        <Table
          name="Payouts"
          columns={columns}
          load={({ orderby, ...query }) => api.payouts.list({ ...query, ...filter, ...(orderby && { orderby: orderby as 'date' }) })}
          keys={[status, version]}
          keyOf={({ id }) => id}
          perPage={50}
          onRows={setRows}
          noteOf={({ id }) => refusals.has(id) && <p class="refusal">Not changed. {refusals.get(id)}</p>}
          empty={`There are no payouts with the status “${status in payoutStatuses ? payoutStatuses[status as PayoutStatus].label : 'All'}”.`}
          actions={
            isServed('post_payouts_id_status') && rows.length > 0 ? (
              <Actions rows={rows} chosen={chosen} onSelectAll={(ids) => setSelected(new Set(ids))} onTarget={setTarget} />
            ) : null
          }
        />
      </Card>
      {target && <ConfirmDialog target={target} chosen={chosen} onConfirm={change} onClose={() => setTarget(null)} />}
    </>
  );
}

const selectColumn = (selected: ReadonlySet<number>, onChange: (ids: ReadonlySet<number>) => void): Column<Payout> => ({
  title: 'Select',
  cell: ({ id }) => (
    <input
      type="checkbox"
      aria-label={`Select payout ${id}`}
      checked={selected.has(id)}
      onChange={({ currentTarget }) =>
        onChange(new Set(currentTarget.checked ? [...selected, id] : [...selected].filter((other) => other !== id)))
      }
    />
  ),
});

interface ActionsProps {
  rows: readonly Payout[];
  chosen: readonly Payout[];
  onSelectAll: (ids: readonly number[]) => void;
  onTarget: (status: PayoutStatus) => void;
}

/** The changes that all selected payouts allow. */
function Actions({ rows, chosen, onSelectAll, onTarget }: ActionsProps) {
  const targets = (Object.keys(payoutStatuses) as PayoutStatus[]).filter(
    (to) => chosen.length > 0 && chosen.every(({ status }) => payoutChanges[status].includes(to)),
  );
  const isAll = chosen.length === rows.length;
  return (
    <div class="actions">
      <button type="button" class="plain" onClick={() => onSelectAll(isAll ? [] : rows.map(({ id }) => id))}>
        {isAll ? 'Select none' : 'Select all on this page'}
      </button>
      {targets.map((to) => (
        <button key={to} type="button" class={to === 'paid' ? 'primary' : 'plain'} onClick={() => onTarget(to)}>
          {payoutActions[to]}
        </button>
      ))}
      {chosen.length > 0 && targets.length === 0 && <span class="small quiet">Nothing can be done with all of these together.</span>}
    </div>
  );
}

interface ConfirmDialogProps {
  target: PayoutStatus;
  chosen: readonly Payout[];
  onConfirm: (to: PayoutStatus) => Promise<void>;
  onClose: () => void;
}

const ConfirmDialog = ({ target, chosen, onConfirm, onClose }: ConfirmDialogProps) => (
  <ActionDialog
    title={`${payoutActions[target]}?`}
    action={payoutActions[target]}
    isDangerous={target === 'cancel'}
    onSubmit={async () => void onConfirm(target)}
    onClose={onClose}
  >
    <p>
      <b>
        {chosen.length === 1 ? '1 payout' : `${formatNumber(chosen.length)} payouts`}, {formatMoney(sumOf(chosen, ({ amount }) => amount))}{' '}
        in all
      </b>
      . {payoutStatuses[target].meaning} The affiliates get an e-mail.
    </p>
  </ActionDialog>
);

/** `others`: refusals of payouts that are no longer in the list, because their status was changed elsewhere. */
function ProgressNotice({
  progress: { done, total, refused },
  others,
}: {
  progress: Progress;
  others: readonly (readonly [number, string])[];
}) {
  const isDone = done === total;
  return (
    <div class={`notice ${isDone && refused === 0 ? 'good-notice' : refused > 0 ? 'bad-notice' : ''}`} role="status">
      <p>
        {isDone
          ? `${formatNumber(total - refused)} of ${formatNumber(total)} changed.`
          : `${formatNumber(done)} of ${formatNumber(total)} …`}
        {refused > 0 && ` ${formatNumber(refused)} refused, with the reason beside each.`}
      </p>
      {others.map(([id, reason]) => (
        <p key={id}>
          #{id}: {reason}
        </p>
      ))}
      {!isDone && <progress value={done} max={total} aria-label="Progress" />}
    </div>
  );
}
