import { useState } from 'preact/hooks';
import { pages } from '../../../client/src/index.ts';
import { Badge, Card, Field, Name, PageHead, Select } from '../components.tsx';
import { ActionDialog } from '../dialog.tsx';
import { formatMoney, formatNumber, sumOf } from '../format.ts';
import { AffiliateLink, CouponLink, hrefOfPayout, NameLink } from '../links.tsx';
import { Loaded, useLoad } from '../load.tsx';
import { batchFormats, methodTitles, runOutcomes } from '../program-words.ts';
import type { BatchFormat, Payout, PayoutBatchCreated, PayoutRun, PayoutRunOutcome } from '../records.ts';
import { getQuery, setQuery } from '../router.ts';
import { api, getMe, isServed } from '../session.ts';
import { boldMoney, type Column, columnsOf, loadWhole, Table } from '../table.tsx';
import { showToast } from '../toast.tsx';
import { Batches } from './batches.tsx';
import { PayoutTabs } from './program-payouts.tsx';

const countPayouts = (count: number): string => (count === 1 ? '1 payout' : `${formatNumber(count)} payouts`);

/** Paying everyone who is due: request, write files, record what the bank did. */
export function Payday() {
  const [version, setVersion] = useState(0);
  const refresh = (): void => setVersion((count) => count + 1);
  return (
    <>
      <PageHead title="Pay day" lead="Pay everyone who is due: request the payouts, make the files for your bank, record what was paid." />
      <PayoutTabs current="payday" />
      <RunCard version={version} onRequested={refresh} />
      {isServed('post_payout_batches') && <FilesCard version={version} onMade={refresh} />}
      {isServed('get_payout_batches') && (
        <Card title="3. Record what was paid">
          <Batches version={version} onChanged={refresh} isOpenOnly />
        </Card>
      )}
    </>
  );
}

type MethodType = Exclude<Payout['method_type'], ''>;

/** The choice is in the address. The service suggests its smallest payout by refusing less. */
function readChoice(): { min_amount?: number; method_type?: MethodType } {
  const amount = Number(getQuery('min'));
  const method = getQuery('method') as MethodType;
  return { ...(amount > 0 && { min_amount: amount }), ...(Object.hasOwn(methodTitles, method) && { method_type: method }) };
}

function RunCard({ version, onRequested }: { version: number; onRequested: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const choice = readChoice();
  const preview = useLoad(() => api.payoutRuns.create({ ...choice, preview: true }), [JSON.stringify(choice), version]);
  return (
    <Card title="1. Request the payouts">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ min: String(new FormData(event.currentTarget as HTMLFormElement).get('min') ?? '') }, { isReplaced: true });
        }}
      >
        <Field label={`At least (${getMe().currency})`}>
          {(id) => <input id={id} name="min" type="number" min={0} step="any" defaultValue={getQuery('min')} />}
        </Field>
        <Select
          label="Method"
          value={getQuery('method')}
          options={[['', 'All'], ...Object.entries(methodTitles)]}
          onChange={(method) => setQuery({ method }, { isReplaced: true })}
        />
        <button type="submit" class="plain">
          Show
        </button>
      </form>
      <Loaded from={preview}>
        {(run) => (
          <>
            <Summary run={run} />
            {run.requested_count > 0 && (
              <p class="actions">
                <button type="button" class="primary" onClick={() => setOpen(true)}>
                  Request {countPayouts(run.requested_count)} · {formatMoney(run.requested_amount)}
                </button>
              </p>
            )}
            {run.outcomes.length > 0 && <Outcomes run={run} />}
            {isOpen && <RequestDialog run={run} onRequested={onRequested} onClose={() => setOpen(false)} />}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Summary({ run: { outcomes, requested_count, remaining } }: { run: PayoutRun }) {
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
  const existing = outcomes.filter(({ outcome }) => outcome === 'existing').length;
  const parts = [
    requested_count === 0 ? 'Nobody is due at the moment.' : `${countPayouts(requested_count)} can be requested.`,
    existing > 0 && `${formatNumber(existing)} are requested or on their way.`,
    refused.length > 0 &&
      `${formatMoney(sumOf(refused, ({ amount }) => amount))} of ${formatNumber(refused.length)} coupons cannot be requested now, with the reason beside each.`,
    remaining > 0 && `${formatNumber(remaining)} more coupons follow after these.`,
  ];
  return <p>{parts.filter(Boolean).join(' ')}</p>;
}

const column = columnsOf<PayoutRunOutcome>();

const outcomeColumns: readonly Column<PayoutRunOutcome>[] = [
  {
    title: 'Affiliate',
    cell: ({ user }) => (user ? <AffiliateLink id={user.id} name={user.display_name} /> : '–'),
    csv: ({ user }) => user?.display_name ?? '',
    place: 'name',
  },
  {
    title: 'Coupon',
    cell: ({ coupon_id, coupon_code }) => <CouponLink id={coupon_id} code={coupon_code} />,
    csv: ({ coupon_code }) => coupon_code,
    place: 'detail',
  },
  column('Method', 'method', (method) => <Name>{method}</Name>, { place: 'detail' }),
  {
    title: 'Result',
    cell: ({ outcome, message }) => (
      <>
        <Badge of={runOutcomes[outcome]} /> {message && <span class="small">{message}</span>}
      </>
    ),
    csv: ({ outcome, message }) => message ?? outcome,
    place: 'detail',
  },
  column('Amount', 'amount', boldMoney, { isNumber: true, place: 'value' }),
];

const Outcomes = ({ run }: { run: PayoutRun }) => (
  <details open={run.outcomes.length <= 10}>
    <summary>Who and how much</summary>
    <Table
      name="Payouts to request"
      columns={outcomeColumns}
      load={loadWhole(run.outcomes)}
      keys={[JSON.stringify(run.outcomes)]}
      keyOf={({ coupon_id }) => coupon_id}
      prefix="r_"
      empty=""
    />
  </details>
);

function RequestDialog({ run, onRequested, onClose }: { run: PayoutRun; onRequested: () => void; onClose: () => void }) {
  const request = async (): Promise<void> => {
    let [count, amount] = [0, 0];
    // A run ends after 500 coupons and says where the next one continues.
    for (let after: number | null | undefined; after !== null; ) {
      const done: PayoutRun = await api.payoutRuns.create({ ...readChoice(), ...(after !== undefined && { after }) });
      count += done.requested_count;
      amount += done.requested_amount;
      after = done.next_after;
    }
    showToast(`${countPayouts(count)} requested, ${formatMoney(amount)} in all.`, { href: '/console/program/payouts', text: 'Show' });
    onRequested();
  };
  return (
    <ActionDialog
      title="Request these payouts?"
      action={`Request ${countPayouts(run.requested_count)}`}
      onSubmit={request}
      onClose={onClose}
    >
      <p>
        {formatMoney(run.requested_amount)} in all. Each affiliate gets a mail. No money moves yet: you pay with the files of the next step.
      </p>
    </ActionDialog>
  );
}

/** The method that each file pays. A CSV file pays all. */
const methodOf: Record<BatchFormat, MethodType | null> = {
  sepa: 'banktransfer',
  paypal: 'paypal',
  'wise-email': 'wisebank',
  'wise-saved': 'wisebank',
  csv: null,
};

const isPaidBy = (format: BatchFormat, { method_type }: Payout): boolean => (methodOf[format] ?? method_type) === method_type;

function FilesCard({ version, onMade }: { version: number; onMade: () => void }) {
  const pending = useLoad(() => api.payouts.list({ status: 'pending', per_page: 100 }), [version]);
  const [open, setOpen] = useState<BatchFormat | null>(null);
  const [made, setMade] = useState<PayoutBatchCreated | null>(null);
  const madeFile = (batch: PayoutBatchCreated): void => {
    setMade(batch);
    onMade();
  };
  return (
    <Card title="2. Make the files">
      <Loaded from={pending}>
        {({ items, total }) =>
          total === 0 ? (
            <p class="quiet">No requested payout waits for a file.</p>
          ) : (
            <>
              <p>{countPayouts(total)} wait for a file. A file is for your bank or payment provider.</p>
              <p class="actions">
                {(Object.keys(batchFormats) as BatchFormat[])
                  .filter((format) => items.some((payout) => isPaidBy(format, payout)))
                  .map((format) => (
                    <button key={format} type="button" class={format === 'csv' ? 'plain' : 'primary'} onClick={() => setOpen(format)}>
                      Make {batchFormats[format]}
                    </button>
                  ))}
              </p>
            </>
          )
        }
      </Loaded>
      {made && <MadeNotice batch={made} />}
      {open && <MakeDialog format={open} onMade={madeFile} onClose={() => setOpen(null)} />}
    </Card>
  );
}

async function loadPending(): Promise<Payout[]> {
  const all: Payout[] = [];
  for await (const payout of pages(api.payouts.list, { status: 'pending' }).items()) all.push(payout);
  return all;
}

interface MakeDialogProps {
  format: BatchFormat;
  onMade: (batch: PayoutBatchCreated) => void;
  onClose: () => void;
}

function MakeDialog({ format, onMade, onClose }: MakeDialogProps) {
  const pending = useLoad(loadPending, [format]);
  const make = async (): Promise<void> => onMade(await api.payoutBatches.create({ format }));
  return (
    <ActionDialog title={`Make the ${batchFormats[format]}?`} action="Make the file" onSubmit={make} onClose={onClose}>
      <Loaded from={pending}>
        {(all) => {
          const paid = all.filter((payout) => isPaidBy(format, payout));
          return (
            <p>
              <b>
                {countPayouts(paid.length)}, {formatMoney(sumOf(paid, ({ amount }) => amount))}
              </b>{' '}
              {methodOf[format] === null ? 'of every method' : 'of this method'}. They are on their way then, and you can cancel the file as
              long as it is not sent. Payouts without usable details stay where they are.
            </p>
          );
        }}
      </Loaded>
      {format === 'sepa' && (
        <p class="small">
          It pays from your account, which is in the <a href="/console/settings?tab=payouts">settings of payouts</a>.
        </p>
      )}
    </ActionDialog>
  );
}

const MadeNotice = ({ batch: { id, format, count, total, left_out: leftOut } }: { batch: PayoutBatchCreated }) => (
  <div class="notice good-notice" role="status">
    <p>
      <a href={`/console/program/batches/${id}`}>
        {batchFormats[format]} #{id}
      </a>
      : {countPayouts(count)}, {formatMoney(total)}.
    </p>
    {leftOut.length > 0 && (
      <details>
        <summary>{countPayouts(leftOut.length)} left out</summary>
        <ul>
          {leftOut.map(({ payout_id, reason }) => (
            <li key={payout_id}>
              <NameLink href={hrefOfPayout(payout_id)} name={`#${payout_id}`} /> {reason}
            </li>
          ))}
        </ul>
      </details>
    )}
  </div>
);
