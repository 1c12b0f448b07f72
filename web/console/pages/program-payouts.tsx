import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { csrfToken } from '../../shared/session-cookie.ts';
import { Card, PageHead, Tabs } from '../components.tsx';
import { formatMoney, formatNumber, sumOf } from '../format.ts';
import { numberOfPayout, payeeColumn, payoutColumns } from '../lists.tsx';
import { describeError, isResultUnknown, RefusedRecord } from '../load.tsx';
import { ChangeButtons, ChangeDialog, changeStatus, listTargets, type PlannedChange } from '../payout-actions.tsx';
import type { Payout, PayoutStatus } from '../records.ts';
import { getChoice, hrefWith } from '../router.ts';
import { api, isServed } from '../session.ts';
import { type Column, Table } from '../table.tsx';
import { payoutStatuses } from '../words.ts';

/** Changes of several payouts, which go on when the reader opens another page. */
interface Run {
  /** The list that they were selected in. */
  readonly list: string;
  readonly done: number;
  readonly total: number;
  /** The reason for each payout that was not changed. */
  readonly refusals: ReadonlyMap<number, string>;
}

const run = signal<Run | null>(null);

const isRunning = (): boolean => run.value !== null && run.value.done < run.value.total;

addEventListener('beforeunload', (event) => {
  if (isRunning() && csrfToken() !== '') event.preventDefault();
});

/** Each by its own call, so that one refusal stops no other. */
async function changeAll(list: string, payouts: readonly Payout[], to: PayoutStatus): Promise<void> {
  const refusals = new Map<number, string>();
  const total = payouts.length;
  for (const [done, payout] of payouts.entries()) {
    run.value = { list, done, total, refusals: new Map(refusals) };
    const refusal = await change(payout, to);
    if (refusal !== null) refusals.set(payout.id, refusal);
  }
  run.value = { list, done: total, total, refusals };
}

/** The reason why it was not changed, else null. If no answer came, the payout itself is the answer. */
async function change(payout: Payout, to: PayoutStatus): Promise<string | null> {
  try {
    await changeStatus(payout, to);
    return null;
  } catch (error) {
    if (error instanceof RefusedRecord) return error.message;
    if (!isResultUnknown(error)) return `Not changed. ${describeError(error)}`;
    const found = await api.payouts.get(payout.id).catch(() => null);
    if (found?.status === to) return null;
    return found ? `Not changed. ${describeError(error)}` : 'No answer came, so it may have been changed. Reload the page to see.';
  }
}

/** The payouts of all affiliates. Several can be changed together. */
export function ProgramPayouts() {
  const status = getChoice('status', { ...payoutStatuses, all: null }) ?? 'pending';
  const [rows, setRows] = useState<readonly Payout[]>([]);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [planned, setPlanned] = useState<PlannedChange | null>(null);
  const chosen = rows.filter(({ id }) => selected.has(id));
  const filter = status === 'all' ? {} : { status };
  const shownRun = isRunning() || run.value?.list === status ? run.value : null;
  const refusals = shownRun?.refusals ?? new Map<number, string>();

  const confirm = async ({ to, payouts }: PlannedChange): Promise<void> => {
    setPlanned(null);
    await changeAll(status, payouts, to);
    setSelected(new Set(run.value?.refusals.keys()));
  };

  const columns: Column<Payout>[] = [
    ...(isServed('post_payouts_id_status') ? [selectColumn(selected, setSelected)] : []),
    payeeColumn,
    numberOfPayout,
    ...payoutColumns.filter(({ title }) => status === 'all' || (title !== 'Status' && (title !== 'Paid on' || status === 'paid'))),
  ];
  const canSelect = isServed('post_payouts_id_status') && rows.length > 0 && !isRunning();
  const selectAll = (payouts: readonly Payout[]): void => setSelected(new Set(payouts.map(({ id }) => id)));
  const tabs = ([...Object.keys(payoutStatuses), 'all'] as (PayoutStatus | 'all')[]).map((name) => ({
    text: name === 'all' ? 'All' : payoutStatuses[name].label,
    href: hrefWith({ status: name === 'pending' ? null : name, page: null }),
    isCurrent: name === status,
  }));
  return (
    <>
      <PageHead title="Payouts" lead="Record what was paid. No payment is made here.">
        {isServed('post_payout_runs') && (
          <a class="primary" href="/console/program/payday">
            Pay affiliates
          </a>
        )}
      </PageHead>
      <PayoutTabs current="payouts" />
      <Card>
        <Tabs label="Status" items={tabs} />
        {shownRun && <RunNotice run={shownRun} others={[...refusals].filter(([id]) => rows.every((row) => row.id !== id))} />}
        <Table
          name="Payouts"
          columns={columns}
          load={({ orderby, ...query }) => api.payouts.list({ ...query, ...filter, ...(orderby && { orderby: orderby as 'date' }) })}
          keys={[status, isRunning()]}
          keyOf={({ id }) => id}
          perPage={100}
          onRows={setRows}
          noteOf={({ id }) => refusals.has(id) && <p class="refusal">{refusals.get(id)}</p>}
          empty={`There are no payouts with the status “${status === 'all' ? 'All' : payoutStatuses[status].label}”.`}
          sumOf={(items) => formatMoney(sumOf(items, ({ amount }) => amount))}
          actions={canSelect && <SelectAll onClick={() => selectAll(rows)} />}
          selection={
            canSelect && chosen.length > 0 ? (
              <Selection chosen={chosen} onTarget={(to) => setPlanned({ to, payouts: chosen })}>
                {chosen.length < rows.length && <SelectAll onClick={() => selectAll(rows)} />}
                <button type="button" class="plain" onClick={() => selectAll([])}>
                  Select none
                </button>
              </Selection>
            ) : null
          }
        />
      </Card>
      {planned && <ChangeDialog planned={planned} onConfirm={async (change) => void confirm(change)} onClose={() => setPlanned(null)} />}
    </>
  );
}

const pages = [
  { name: 'payouts', text: 'Requests', href: '/console/program/payouts', needs: 'get_payouts' },
  { name: 'payday', text: 'Pay affiliates', href: '/console/program/payday', needs: 'post_payout_runs' },
  { name: 'batches', text: 'Files', href: '/console/program/batches', needs: 'get_payout_batches' },
];

/** The pages about payouts. Nothing to choose where the site has only the first. */
export function PayoutTabs({ current }: { current: string }) {
  const items = pages.filter(({ needs }) => isServed(needs)).map(({ name, text, href }) => ({ text, href, isCurrent: name === current }));
  return items.length > 1 ? <Tabs label="Pages about payouts" items={items} /> : null;
}

const selectColumn = (selected: ReadonlySet<number>, onChange: (ids: ReadonlySet<number>) => void): Column<Payout> => ({
  title: 'Select',
  cell: ({ id }) => (
    <input
      type="checkbox"
      aria-label={`Select payout ${id}`}
      checked={selected.has(id)}
      disabled={isRunning()}
      onChange={({ currentTarget }) =>
        onChange(new Set(currentTarget.checked ? [...selected, id] : [...selected].filter((other) => other !== id)))
      }
    />
  ),
});

const SelectAll = ({ onClick }: { onClick: () => void }) => (
  <button type="button" class="plain" onClick={onClick}>
    Select all on this page
  </button>
);

interface SelectionProps {
  chosen: readonly Payout[];
  onTarget: (status: PayoutStatus) => void;
  /** Other selections. */
  children: ComponentChildren;
}

/** The changes that all selected payouts allow. */
function Selection({ chosen, onTarget, children }: SelectionProps) {
  const targets = listTargets(chosen);
  return (
    <div class="actions">
      <b role="status">
        {formatNumber(chosen.length)} selected · {formatMoney(sumOf(chosen, ({ amount }) => amount))}
      </b>
      {children}
      <ChangeButtons targets={targets} onTarget={onTarget} />
      {targets.length === 0 && <span class="small quiet">Nothing can be done with all of these together.</span>}
    </div>
  );
}

/** `others`: refusals of payouts that are no longer in the list, because their status was changed elsewhere. */
function RunNotice({ run: { done, total, refusals }, others }: { run: Run; others: readonly (readonly [number, string])[] }) {
  const isDone = done === total;
  const refused = refusals.size;
  return (
    <div class={`notice ${isDone && refused === 0 ? 'good-notice' : refused > 0 ? 'bad-notice' : ''}`} role="status">
      <p>
        {isDone
          ? `${formatNumber(total - refused)} of ${formatNumber(total)} changed.`
          : `${formatNumber(done)} of ${formatNumber(total)} …`}
        {refused > 0 && ` ${formatNumber(refused)} not changed, with the reason beside each.`}
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
