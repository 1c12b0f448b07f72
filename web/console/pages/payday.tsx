import { useState } from 'preact/hooks';
import { isApiError } from '../../../client/src/index.ts';
import { Badge, Card, Field, Name, PageHead, Select } from '../components.tsx';
import { ActionDialog } from '../dialog.tsx';
import { formatMoney, formatNumber } from '../format.ts';
import { AffiliateLink, CouponLink, hrefOfPayout, NameLink } from '../links.tsx';
import { ErrorBox, Loaded, useLoad } from '../load.tsx';
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
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused').length;
  const existing = outcomes.filter(({ outcome }) => outcome === 'existing').length;
  const parts = [
    requested_count === 0 ? 'Nobody is due at the moment.' : `${countPayouts(requested_count)} can be requested.`,
    existing > 0 && `${formatNumber(existing)} are requested already.`,
    refused > 0 && `${formatNumber(refused)} cannot be requested, with the reason beside each.`,
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

/** Which file pays which method. */
const formatsOf: Partial<Record<Payout['method_type'], readonly BatchFormat[]>> = {
  banktransfer: ['sepa'],
  paypal: ['paypal'],
  wisebank: ['wise-email', 'wise-saved'],
};

interface MadeFile {
  readonly format: BatchFormat;
  /** What became of it, in a sentence. */
  readonly text: string;
  readonly isMade: boolean;
  readonly leftOut: PayoutBatchCreated['left_out'];
}

async function makeFile(format: BatchFormat): Promise<MadeFile> {
  try {
    const { count, total, left_out: leftOut } = await api.payoutBatches.create({ format });
    return { format, isMade: true, text: `${countPayouts(count)}, ${formatMoney(total)}.`, leftOut };
  } catch (error) {
    // Nothing that this file can pay: the others may still be made.
    if (isApiError(error) && error.status === 409) return { format, isMade: false, text: error.message, leftOut: [] };
    throw error;
  }
}

function FilesCard({ version, onMade }: { version: number; onMade: () => void }) {
  const pending = useLoad(() => api.payouts.list({ status: 'pending', per_page: 100 }), [version]);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<readonly MadeFile[]>([]);
  const [error, setError] = useState<unknown>();
  const make = async (formats: readonly BatchFormat[]): Promise<void> => {
    setMaking(true);
    setMade([]);
    setError(undefined);
    try {
      for (const format of formats) {
        const file = await makeFile(format);
        setMade((files) => [...files, file]);
      }
    } catch (failure) {
      setError(failure);
    }
    setMaking(false);
    onMade();
  };
  return (
    <Card title="2. Make the files">
      <Loaded from={pending}>
        {({ items, total }) => {
          const needed = new Set<BatchFormat>(items.flatMap(({ method_type }) => formatsOf[method_type] ?? ['csv']));
          // A CSV file pays every method, so it is made after the others.
          const formats = (Object.keys(batchFormats) as BatchFormat[]).filter((format) => needed.has(format));
          if (total === 0) return <p class="quiet">No requested payout waits for a file.</p>;
          return (
            <>
              <p>
                {countPayouts(total)} wait. A file is for your bank or payment provider; its payouts are on their way then. Payouts without
                usable details stay where they are.
              </p>
              <p class="actions">
                <button type="button" class="primary" disabled={isMaking} onClick={() => make(formats)}>
                  {isMaking ? 'Making …' : `Make ${formats.map((format) => batchFormats[format]).join(' and ')}`}
                </button>
                {formats.length > 0 && !formats.includes('csv') && (
                  <button type="button" class="plain" disabled={isMaking} onClick={() => make(['csv'])}>
                    One CSV file for all
                  </button>
                )}
              </p>
            </>
          );
        }}
      </Loaded>
      {made.map((file) => (
        <MadeNotice key={file.format} file={file} />
      ))}
      {error !== undefined && <ErrorBox error={error} />}
    </Card>
  );
}

const MadeNotice = ({ file: { format, text, isMade, leftOut } }: { file: MadeFile }) => (
  <div class={`notice ${isMade ? 'good-notice' : ''}`} role="status">
    <p>
      <b>{batchFormats[format]}:</b> {text}
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
