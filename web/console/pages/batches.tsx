import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Badge, Card, Facts, Figure, Figures, Name, PageHead, SearchField } from '../components.tsx';
import { withConfirmedPassword } from '../confirm-password.tsx';
import { download } from '../csv.ts';
import { ActionDialog } from '../dialog.tsx';
import { countOf, formatDateTime, formatMoney, formatNumber, shortenName, sumOf } from '../format.ts';
import { hrefOfBatch, hrefOfPayout, NameLink } from '../links.tsx';
import { ErrorBox, Loaded, RefusedRecord, requireStatus, useLoad } from '../load.tsx';
import { batchFormats, batchStatuses } from '../program-words.ts';
import type { PayoutBatch, PayoutBatchDetail, PayoutChange, PayoutStatus } from '../records.ts';
import { getQuery, setSearch } from '../router.ts';
import { api, isServed, readFile } from '../session.ts';
import { boldMoney, type Column, columnsOf, loadWhole, Table } from '../table.tsx';
import { Timeline, type TimelineEntry } from '../timeline.tsx';
import { showToast } from '../toast.tsx';
import { payoutStatuses } from '../words.ts';
import { PayoutTabs } from './program-payouts.tsx';

export const nameBatch = ({ id, format }: Pick<PayoutBatch, 'id' | 'format'>): string => `${batchFormats[format]} #${id}`;
export const countPayouts = (count: number): string => countOf(count, 'payouts');

/** All files that were made, with what became of them. */
export function BatchesPage() {
  const [version, setVersion] = useState(0);
  return (
    <>
      <PageHead
        title="Payout files"
        lead="Each file pays the requests of one method. Send it to your bank, PayPal or Wise, then record what was paid."
      />
      <PayoutTabs current="batches" />
      <Card>
        <Batches
          load={({ page, per_page }) => api.payoutBatches.list({ page, per_page })}
          keys={[version]}
          onChanged={() => setVersion(version + 1)}
          empty={
            <>
              No files yet. They are made when you <a href="/console/program/payday">pay affiliates</a>.
            </>
          }
        />
      </Card>
    </>
  );
}

const column = columnsOf<PayoutBatch>();

const listColumns = (onAction: (action: BatchAction) => void): Column<PayoutBatch>[] => [
  { title: 'File', cell: (batch) => <NameLink href={hrefOfBatch(batch.id)} name={nameBatch(batch)} />, csv: ({ id }) => id, place: 'name' },
  column('Made', 'date', formatDateTime, { place: 'detail' }),
  column('Settled', 'date_settled', formatDateTime),
  column('Status', 'status', (status) => <Badge of={batchStatuses[status]} />, { place: 'state' }),
  column('Payouts', 'count', formatNumber, { isNumber: true }),
  column('Total', 'total', boldMoney, { isNumber: true, place: 'value' }),
  { title: '', cell: (batch) => <BatchActions batch={batch} onAction={onAction} /> },
];

interface BatchAction {
  readonly batch: PayoutBatch;
  readonly kind: 'paid' | 'failed' | 'cancel';
}

interface BatchActionsProps {
  batch: PayoutBatch;
  onAction: (action: BatchAction) => void;
  /** With what can be done after the file was paid. */
  isDetailed?: boolean;
}

function BatchActions({ batch, onAction, isDetailed = false }: BatchActionsProps) {
  const [error, setError] = useState<unknown>();
  const save = async (): Promise<void> => {
    setError(undefined);
    try {
      download(batch.file, await withConfirmedPassword(() => readFile(`/console/payout-batches/${batch.id}/file`)));
    } catch (failure) {
      setError(failure);
    }
  };
  const name = `file ${batch.id}`;
  const canSettle = isServed('post_payout_batches_id_status');
  return (
    <>
      <div class="actions">
        {batch.status === 'open' && (
          <button type="button" class="plain" onClick={save} aria-label={`Download ${name}`}>
            Download
          </button>
        )}
        {batch.status === 'open' && canSettle && (
          <>
            <button type="button" class="plain" onClick={() => onAction({ batch, kind: 'cancel' })} aria-label={`Cancel ${name}`}>
              Cancel
            </button>
            <button type="button" class="primary" onClick={() => onAction({ batch, kind: 'paid' })} aria-label={`Mark ${name} as paid`}>
              Mark as paid
            </button>
          </>
        )}
        {batch.status === 'paid' && canSettle && isDetailed && (
          <button type="button" class="plain" onClick={() => onAction({ batch, kind: 'failed' })}>
            A payment came back
          </button>
        )}
      </div>
      {error !== undefined && <ErrorBox error={error} />}
    </>
  );
}

interface BatchesProps {
  load: Parameters<typeof Table<PayoutBatch>>[0]['load'];
  /** Change with what `load` loads. */
  keys: readonly unknown[];
  onChanged: () => void;
  empty: ComponentChildren;
}

/** Files, with what can be done with each. */
export function Batches({ load, keys, onChanged, empty }: BatchesProps) {
  const [action, setAction] = useState<BatchAction | null>(null);
  return (
    <>
      <Table
        name="Payout files"
        columns={listColumns(setAction)}
        load={load}
        keys={keys}
        keyOf={({ id }) => id}
        prefix="b_"
        empty={empty}
      />
      {action && (
        <BatchDialog
          {...action}
          onClose={() => {
            setAction(null);
            onChanged();
          }}
        />
      )}
    </>
  );
}

interface BatchDialogProps extends BatchAction {
  onClose: () => void;
}

const BatchDialog = (props: BatchDialogProps) => (props.kind === 'cancel' ? <CancelDialog {...props} /> : <PaidDialog {...props} />);

async function requireSeen({ id, status }: PayoutBatch): Promise<void> {
  if (isServed('get_payout_batches_id')) requireStatus(status, await api.payoutBatches.get(id), batchStatuses);
}

const describeStatus = async ({ id }: PayoutBatch): Promise<string> =>
  `File #${id} is “${batchStatuses[(await api.payoutBatches.get(id)).status].label}” by now.`;

/** What the bank could not pay is ticked; everything else is paid. Payments can also fail after the file was paid. */
function PaidDialog({ batch, kind, onClose }: BatchDialogProps) {
  const detail = useLoad(() => api.payoutBatches.get(batch.id), [batch.id]);
  const [failed, setFailed] = useState<readonly BatchPayout[]>([]);
  const isLate = kind === 'failed';
  const settle = async (): Promise<void> => {
    if (isLate && failed.length === 0) throw new RefusedRecord('Tick the payouts that came back.');
    await requireSeen(batch);
    await api.payoutBatches.setStatus(batch.id, { status: 'paid', failed: failed.map(({ payout_id }) => payout_id) });
    const results = [
      !isLate && `${formatNumber(batch.count - failed.length)} paid`,
      failed.length > 0 && `${formatNumber(failed.length)} failed`,
    ];
    showToast(`${results.filter(Boolean).join(', ')}.`, { href: hrefOfBatch(batch.id) ?? '', text: 'Show' });
  };
  const failedAmount = sumOf(failed, ({ amount }) => amount);
  return (
    <ActionDialog
      title={isLate ? `Which payments of file #${batch.id} came back?` : `Mark file #${batch.id} as paid?`}
      action={isLate ? 'Record' : 'Mark as paid'}
      isReady={detail.value !== undefined}
      onSubmit={settle}
      findResult={() => describeStatus(batch)}
      onClose={onClose}
    >
      <p>
        Tick the payouts that could not be paid. Their amounts are available again, and the affiliates are asked to check their details.
      </p>
      <Loaded from={detail}>
        {({ payouts }) => (
          <FailureChoice payouts={payouts.filter(({ status }) => /created|paid/.test(status))} failed={failed} onChange={setFailed} />
        )}
      </Loaded>
      <p role="status">
        {!isLate && (
          <>
            <b>{countPayouts(batch.count - failed.length)} paid</b>, {formatMoney(batch.total - failedAmount)} ·{' '}
          </>
        )}
        <b>{formatNumber(failed.length)} failed</b>
        {failed.length > 0 && `, ${formatMoney(failedAmount)}: ${failed.map(({ display_name }) => shortenName(display_name)).join(', ')}`}
      </p>
    </ActionDialog>
  );
}

interface FailureChoiceProps {
  payouts: readonly BatchPayout[];
  failed: readonly BatchPayout[];
  onChange: (failed: readonly BatchPayout[]) => void;
}

const isFound = ({ payout_id, display_name, coupon_code }: BatchPayout, search: string): boolean =>
  `${display_name} ${coupon_code} #${payout_id}`.toLowerCase().includes(search.trim().toLowerCase());

/** A file can have hundreds of payouts: they are found by name, code or number. */
function FailureChoice({ payouts, failed, onChange }: FailureChoiceProps) {
  const [search, setSearch] = useState('');
  const found = payouts.filter((payout) => isFound(payout, search));
  const toggle = (payout: BatchPayout, isFailed: boolean): void =>
    onChange(isFailed ? [...failed, payout] : failed.filter(({ payout_id }) => payout_id !== payout.payout_id));
  return (
    <>
      {payouts.length > 8 && <SearchField label="Find a name, code or number" value={search} onChange={setSearch} />}
      <fieldset>
        <legend>Failed payouts</legend>
        <div class="choices">
          {found.map((payout) => (
            <label key={payout.payout_id} class="check">
              <input
                type="checkbox"
                checked={failed.some(({ payout_id }) => payout_id === payout.payout_id)}
                onChange={({ currentTarget }) => toggle(payout, currentTarget.checked)}
              />
              <span class="check-line">
                <Name>{payout.display_name}</Name>
                <span class="quiet">
                  {payout.coupon_code} #{payout.payout_id}
                </span>
                <b>{formatMoney(payout.amount)}</b>
              </span>
            </label>
          ))}
          {found.length === 0 && <p class="quiet">No payout matches.</p>}
        </div>
      </fieldset>
    </>
  );
}

const CancelDialog = ({ batch, onClose }: BatchDialogProps) => (
  <ActionDialog
    title={`Cancel file #${batch.id}?`}
    action="Cancel the file"
    isDangerous
    onClose={onClose}
    findResult={() => describeStatus(batch)}
    onSubmit={async () => {
      await requireSeen(batch);
      await api.payoutBatches.setStatus(batch.id, { status: 'cancel' });
      showToast(`File #${batch.id} is cancelled. Its payouts wait for another file.`);
    }}
  >
    <p>Only if it was not sent, or was refused as a whole. Its payouts are requested again. Delete the file.</p>
  </ActionDialog>
);

type BatchPayout = PayoutBatchDetail['payouts'][number];

const payoutColumn = columnsOf<BatchPayout>();

const payoutColumns: readonly Column<BatchPayout>[] = [
  {
    title: 'Affiliate',
    cell: ({ payout_id, display_name }) => <NameLink href={hrefOfPayout(payout_id)} name={display_name} />,
    csv: ({ display_name }) => display_name,
    place: 'name',
  },
  payoutColumn('Payout', 'payout_id', (id) => `#${id}`, { place: 'detail' }),
  payoutColumn('Coupon', 'coupon_code', (code) => <Name>{code}</Name>, { place: 'detail' }),
  payoutColumn('Status', 'status', (status) => <Badge of={inFile[status]} />, { place: 'state' }),
  payoutColumn('Amount', 'amount', boldMoney, { isNumber: true, place: 'value' }),
];

/** Of the payouts of a file, those that are cancelled could not be paid. */
const inFile = {
  ...payoutStatuses,
  cancel: { label: 'Not paid', tone: 'bad', meaning: 'It failed or was cancelled. The amount is available again.' },
} as const;

/** One file: its payouts by status, who made and settled it, and who is inside. */
export function BatchPage({ id }: { id: number }) {
  const [action, setAction] = useState<BatchAction | null>(null);
  const detail = useLoad(() => loadBatch(id), [id]);
  return (
    <Loaded from={detail}>
      {({ batch, history }) => (
        <div class="stack">
          <PageHead
            title={nameBatch(batch)}
            lead={
              <>
                <Badge of={batchStatuses[batch.status]} /> {batchStatuses[batch.status].meaning}
              </>
            }
            back={{ href: '/console/program/batches', text: 'All files' }}
          >
            <BatchActions batch={batch} onAction={setAction} isDetailed />
          </PageHead>
          <Figures>
            <Figure name="In the file" value={formatMoney(batch.total)} note={countPayouts(batch.count)} />
            {sumByStatus(batch.payouts).map(({ status, amount, count }) => (
              <Figure key={status} name={inFile[status].label} value={formatMoney(amount)} note={countPayouts(count)} />
            ))}
          </Figures>
          <div class="columns">
            <Card title="History">
              <Timeline entries={history} />
            </Card>
            <Card title="File">
              <Facts
                of={[
                  ['Name', <Name>{batch.file}</Name>],
                  ['Format', batchFormats[batch.format]],
                  ['Kept', batch.status === 'cancelled' ? 'Deleted: it must not be sent' : 'Until 90 days after it is settled'],
                ]}
              />
            </Card>
          </div>
          <BatchPayouts payouts={batch.payouts} />
          {action && (
            <BatchDialog
              {...action}
              onClose={() => {
                setAction(null);
                detail.reload();
              }}
            />
          )}
        </div>
      )}
    </Loaded>
  );
}

function BatchPayouts({ payouts }: { payouts: readonly BatchPayout[] }) {
  const search = getQuery('search');
  const found = payouts.filter((payout) => isFound(payout, search));
  return (
    <Card title="Who is in it">
      {payouts.length > 8 && (
        <div class="filters">
          <SearchField label="Name, code or number" value={search} onChange={setSearch} />
        </div>
      )}
      <Table
        name="Payouts of the file"
        columns={payoutColumns}
        load={loadWhole(found)}
        keys={[JSON.stringify(found)]}
        keyOf={({ payout_id }) => payout_id}
        empty="No payout matches."
      />
    </Card>
  );
}

const sumByStatus = (payouts: readonly BatchPayout[]): { status: PayoutStatus; amount: number; count: number }[] =>
  (['paid', 'created', 'pending', 'cancel'] as const).flatMap((status) => {
    const those = payouts.filter((payout) => payout.status === status);
    return those.length === 0 ? [] : [{ status, amount: sumOf(those, ({ amount }) => amount), count: those.length }];
  });

async function loadBatch(id: number): Promise<{ batch: PayoutBatchDetail; history: readonly TimelineEntry[] }> {
  const batch = await api.payoutBatches.get(id);
  const [first] = batch.payouts;
  const canRead = first && isServed('get_payouts_id_history');
  const changes = canRead ? (await api.payouts.history(first.payout_id, { per_page: 100 })).items : [];
  return {
    batch,
    history: describeHistory(
      batch,
      changes.filter(({ batch_id }) => batch_id === id),
    ),
  };
}

/** The changes of one payout tell who made and settled the file of all. */
function describeHistory(
  { date, date_settled, status, payouts, count, total }: PayoutBatchDetail,
  changes: readonly PayoutChange[],
): TimelineEntry[] {
  const whoAt = (time: string): PayoutChange['by'] => changes.find((change) => change.date === time)?.by;
  const failed = payouts.filter((payout) => payout.status === 'cancel').length;
  const result = `${countPayouts(count - failed)}${failed > 0 ? `, ${formatNumber(failed)} not paid` : ''}`;
  const made: TimelineEntry = {
    title: 'Made',
    tone: 'info',
    date,
    by: whoAt(date),
    note: `with ${countPayouts(count)}, ${formatMoney(total)}`,
  };
  if (date_settled === null) return [made];
  const isPaid = status === 'paid';
  return [
    made,
    {
      title: isPaid ? 'Paid' : 'Cancelled',
      tone: isPaid ? 'good' : 'off',
      date: date_settled,
      by: whoAt(date_settled),
      note: isPaid && result,
    },
  ];
}
