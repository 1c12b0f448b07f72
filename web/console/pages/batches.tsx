import { useState } from 'preact/hooks';
import { Badge, Card, Facts, Name, PageHead } from '../components.tsx';
import { withConfirmedPassword } from '../confirm-password.tsx';
import { download } from '../csv.ts';
import { ActionDialog } from '../dialog.tsx';
import { formatDateTime, formatMoney, formatNumber } from '../format.ts';
import { hrefOfPayout, NameLink } from '../links.tsx';
import { ErrorBox, Loaded, useLoad } from '../load.tsx';
import { batchFormats, batchStatuses } from '../program-words.ts';
import type { PayoutBatch, PayoutBatchDetail } from '../records.ts';
import { api, isServed, readFile } from '../session.ts';
import { boldMoney, type Column, columnsOf, loadWhole, Table } from '../table.tsx';
import { showToast } from '../toast.tsx';
import { payoutStatuses } from '../words.ts';
import { PayoutTabs } from './program-payouts.tsx';

/** All files that were made, with what became of them. */
export function BatchesPage() {
  const [version, setVersion] = useState(0);
  return (
    <>
      <PageHead title="Payout files" lead="Each file has payouts of one method, and is paid or cancelled as a whole." />
      <PayoutTabs current="batches" />
      <Card>
        <Batches version={version} onChanged={() => setVersion(version + 1)} />
      </Card>
    </>
  );
}

const column = columnsOf<PayoutBatch>();

const listColumns = (onAction: (action: BatchAction) => void): Column<PayoutBatch>[] => [
  {
    title: 'File',
    cell: ({ id, format }) => <NameLink href={`/console/program/batches/${id}`} name={`#${id} ${batchFormats[format]}`} />,
    csv: ({ id }) => id,
    place: 'name',
  },
  column('Made', 'date', formatDateTime, { place: 'detail' }),
  column('Status', 'status', (status) => <Badge of={batchStatuses[status]} />, { place: 'detail' }),
  column('Payouts', 'count', formatNumber, { isNumber: true }),
  column('Total', 'total', boldMoney, { isNumber: true, place: 'value' }),
  { title: '', cell: (batch) => <BatchActions batch={batch} onAction={onAction} /> },
];

interface BatchAction {
  readonly batch: PayoutBatch;
  readonly kind: 'paid' | 'cancel';
}

function BatchActions({ batch, onAction }: { batch: PayoutBatch; onAction: (action: BatchAction) => void }) {
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
  return (
    <>
      <div class="actions">
        {batch.status !== 'cancelled' && (
          <button type="button" class="plain" onClick={save} aria-label={`Download ${name}`}>
            Download
          </button>
        )}
        {batch.status === 'open' && isServed('post_payout_batches_id_status') && (
          <>
            <button type="button" class="primary" onClick={() => onAction({ batch, kind: 'paid' })} aria-label={`Mark ${name} as paid`}>
              Mark as paid
            </button>
            <button type="button" class="plain" onClick={() => onAction({ batch, kind: 'cancel' })} aria-label={`Cancel ${name}`}>
              Cancel
            </button>
          </>
        )}
      </div>
      {error !== undefined && <ErrorBox error={error} />}
    </>
  );
}

/** With `isOpenOnly`, those that wait for the bank. */
export function Batches({ version, onChanged, isOpenOnly = false }: { version: number; onChanged: () => void; isOpenOnly?: boolean }) {
  const [action, setAction] = useState<BatchAction | null>(null);
  const close = (): void => setAction(null);
  const filter = isOpenOnly ? { status: 'open' as const } : {};
  return (
    <>
      <Table
        name="Payout files"
        columns={listColumns(setAction)}
        load={({ page, per_page }) => api.payoutBatches.list({ page, per_page, ...filter })}
        keys={[version, isOpenOnly]}
        keyOf={({ id }) => id}
        prefix="b_"
        empty={isOpenOnly ? 'No file waits for the bank.' : 'No file was made yet.'}
      />
      {action?.kind === 'paid' && <PaidDialog batch={action.batch} onDone={onChanged} onClose={close} />}
      {action?.kind === 'cancel' && <CancelDialog batch={action.batch} onDone={onChanged} onClose={close} />}
    </>
  );
}

interface BatchDialogProps {
  batch: PayoutBatch;
  onDone: () => void;
  onClose: () => void;
}

/** What the bank could not pay is ticked; everything else is paid. */
function PaidDialog({ batch, onDone, onClose }: BatchDialogProps) {
  const detail = useLoad(() => api.payoutBatches.get(batch.id), [batch.id]);
  const [failed, setFailed] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number, isFailed: boolean): void =>
    setFailed((ids) => new Set(isFailed ? [...ids, id] : [...ids].filter((other) => other !== id)));
  const settle = async (): Promise<void> => {
    await api.payoutBatches.setStatus(batch.id, { status: 'paid', failed: [...failed] });
    const paid = batch.count - failed.size;
    showToast(`${formatNumber(paid)} paid${failed.size > 0 ? `, ${formatNumber(failed.size)} failed` : ''}.`, {
      href: `/console/program/batches/${batch.id}`,
      text: 'Show',
    });
    onDone();
  };
  return (
    <ActionDialog title={`Mark file #${batch.id} as paid?`} action="Mark as paid" onSubmit={settle} onClose={onClose}>
      <p>
        <b>
          {formatNumber(batch.count - failed.size)} payouts, {formatMoney(batch.total)} in the file
        </b>
        . Tick the payouts that the bank could not pay: their amounts are available again, and the affiliates are asked to check their
        details.
      </p>
      <Loaded from={detail}>
        {({ payouts }) => (
          <fieldset>
            <legend>Failed payouts</legend>
            <div class="choices">
              {payouts.map(({ payout_id, display_name, amount }) => (
                <label key={payout_id} class="check">
                  <input type="checkbox" onChange={({ currentTarget }) => toggle(payout_id, currentTarget.checked)} />
                  <span>
                    #{payout_id} <Name>{display_name}</Name> {formatMoney(amount)}
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        )}
      </Loaded>
    </ActionDialog>
  );
}

const CancelDialog = ({ batch, onDone, onClose }: BatchDialogProps) => (
  <ActionDialog
    title={`Cancel file #${batch.id}?`}
    action="Cancel the file"
    isDangerous
    onClose={onClose}
    onSubmit={async () => {
      await api.payoutBatches.setStatus(batch.id, { status: 'cancel' });
      showToast(`File #${batch.id} is cancelled. Its payouts wait for another file.`);
      onDone();
    }}
  >
    <p>Only if it was not sent to the bank, or the bank refused it as a whole. Its payouts are requested again. Delete the file.</p>
  </ActionDialog>
);

type BatchPayout = PayoutBatchDetail['payouts'][number];

const payoutColumn = columnsOf<BatchPayout>();

const payoutColumns: readonly Column<BatchPayout>[] = [
  payoutColumn('Payout', 'payout_id', (id) => <NameLink href={hrefOfPayout(id)} name={`#${id}`} />, { place: 'name' }),
  payoutColumn('Affiliate', 'display_name', (name) => <Name>{name}</Name>, { place: 'detail' }),
  payoutColumn('Coupon', 'coupon_code', (code) => <Name>{code}</Name>),
  payoutColumn('Status', 'status', (status) => <Badge of={payoutStatuses[status]} />, { place: 'detail' }),
  payoutColumn('Amount', 'amount', boldMoney, { isNumber: true, place: 'value' }),
];

/** One file with its payouts. */
export function BatchPage({ id }: { id: number }) {
  const [action, setAction] = useState<BatchAction | null>(null);
  const detail = useLoad(() => api.payoutBatches.get(id), [id]);
  const close = (): void => setAction(null);
  return (
    <Loaded from={detail}>
      {(batch) => (
        <div class="stack">
          <PageHead title={`File #${id}`} lead={`${batchFormats[batch.format]}, ${formatMoney(batch.total)}`}>
            <a class="plain" href="/console/program/batches">
              All files
            </a>
            <BatchActions batch={batch} onAction={setAction} />
          </PageHead>
          <Card title="File">
            <Facts
              of={[
                ['Status', <Badge of={batchStatuses[batch.status]} />],
                ['Payouts', formatNumber(batch.count)],
                ['Total', formatMoney(batch.total)],
                ['Made', formatDateTime(batch.date)],
                ['Settled', formatDateTime(batch.date_settled)],
                ['Name', <Name>{batch.file}</Name>],
              ]}
            />
          </Card>
          <Card title="Payouts">
            <Table
              name="Payouts of the file"
              columns={payoutColumns}
              load={loadWhole(batch.payouts)}
              keys={[JSON.stringify(batch.payouts)]}
              keyOf={({ payout_id }) => payout_id}
              empty="The file has no payouts."
            />
          </Card>
          {action?.kind === 'paid' && <PaidDialog batch={batch} onDone={detail.reload} onClose={close} />}
          {action?.kind === 'cancel' && <CancelDialog batch={batch} onDone={detail.reload} onClose={close} />}
        </div>
      )}
    </Loaded>
  );
}
