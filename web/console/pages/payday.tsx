import { useState } from 'preact/hooks';
import { pages } from '../../../client/src/index.ts';
import { Badge, Card, Field, Name, PageHead, Select, Tabs } from '../components.tsx';
import { ActionDialog, Dialog } from '../dialog.tsx';
import { countOf, formatDateTime, formatMoney, formatNumber, sumOf, today } from '../format.ts';
import { AffiliateLink, CouponLink, hrefOfPayout, NameLink } from '../links.tsx';
import { describeNewest, Loaded, RefusedRecord, useLoad } from '../load.tsx';
import { batchFormats, methodTitles, refusalNames, runOutcomes, sendWords } from '../program-words.ts';
import type { BatchFormat, Payout, PayoutBatch, PayoutBatchCreated, PayoutRun, PayoutRunOutcome, ReportSummary } from '../records.ts';
import { HeldPayouts, type Holds, LeftOutPayouts, LeftOutReason, loadHolds } from '../risk.tsx';
import { getChoice, getQuery, hrefWith, setQuery } from '../router.ts';
import { api, getMe, isServed } from '../session.ts';
import { loadSettings } from '../settings.ts';
import { boldMoney, type Column, columnsOf, loadWhole, Table } from '../table.tsx';
import { showToast } from '../toast.tsx';
import { Batches, countPayouts, nameBatch } from './batches.tsx';
import { PayoutTabs } from './program-payouts.tsx';

/** Paying everyone who is due: choose, request, make files, record what the bank did. */
export function Payday() {
  const [version, setVersion] = useState(0);
  const refresh = (): void => setVersion((count) => count + 1);
  const choice = readChoice();
  const preview = useLoad(() => api.payoutRuns.create({ ...choice, preview: true }), [JSON.stringify(choice), version]);
  const report = useLoad(isServed('get_reports_summary') ? () => api.reports.summary({ from: today(), to: today(), top: 0 }) : null, [
    version,
  ]);
  const hasFiles = isServed('post_payout_batches', 'get_payouts');
  const pending = useLoad(hasFiles ? () => api.payouts.list({ status: 'pending', per_page: 100 }) : null, [version]);
  const hasBatches = isServed('get_payout_batches');
  const batches = useLoad(hasBatches ? () => api.payoutBatches.list({ per_page: 100 }) : null, [version]);
  const open = batches.value?.items.filter(({ status }) => status === 'open') ?? [];
  const due = preview.value?.requested_count ?? 0;
  const waiting = pending.value?.total ?? 0;
  const current: StepName = due > 0 ? 'request' : waiting > 0 ? 'files' : open.length > 0 ? 'paid' : 'choose';
  return (
    <>
      <PageHead title="Pay affiliates" lead="Pay everyone who is due, in four steps. No money moves before you send a file." />
      <PayoutTabs current="payday" />
      <Stepper
        current={current}
        steps={[
          { name: 'choose', title: 'Choose', note: report.value ? `${formatMoney(report.value.totals.unpaid_commission)} available` : '' },
          {
            name: 'request',
            title: 'Check and request',
            note: due > 0 ? `${formatMoney(preview.value?.requested_amount ?? 0)} can be paid` : 'no one can be paid now',
          },
          { name: 'files', title: 'Make files', note: waiting > 0 ? `${countPayouts(waiting)} wait` : 'no payout waits' },
          {
            name: 'paid',
            title: 'Record as paid',
            note:
              open.length > 0 ? `${open.length === 1 ? '1 file is' : `${formatNumber(open.length)} files are`} open` : 'no file is open',
          },
        ]}
      />
      <Card title="1. Choose" id="choose">
        <ChoiceForm />
        <Loaded from={preview}>{(run) => report.value && <Bridge run={run} totals={report.value.totals} />}</Loaded>
      </Card>
      <Card title="2. Check and request" id="request">
        <Loaded from={preview}>{(run) => <RunStep run={run} onRequested={refresh} />}</Loaded>
      </Card>
      {hasFiles && (
        <Card title="3. Make the files" id="files">
          <Loaded from={pending}>
            {(page) => <FilesStep items={page.items} total={page.total} isCurrent={current === 'files'} onMade={refresh} />}
          </Loaded>
        </Card>
      )}
      {hasBatches && (
        <Card title="4. Record what was paid" id="paid" actions={<a href="/console/program/batches">All files</a>}>
          <Loaded from={batches}>
            {() => (
              <Batches
                load={loadWhole(open)}
                keys={[JSON.stringify(open)]}
                onChanged={refresh}
                empty="No file is open. Files that you make appear here."
              />
            )}
          </Loaded>
        </Card>
      )}
    </>
  );
}

type StepName = 'choose' | 'request' | 'files' | 'paid';

/** The steps with what waits in each. The current one is the first with something to do. */
const Stepper = ({ current, steps }: { current: StepName; steps: readonly { name: StepName; title: string; note: string }[] }) => (
  <ol class="stepper" aria-label="Steps">
    {steps.map(({ name, title, note }, index) => (
      <li key={name}>
        <a href={`#${name}`} aria-current={name === current ? 'step' : undefined}>
          <span class="step-number">{index + 1}</span>
          <span>
            <b>{title}</b>
            <span class="small quiet">{note}</span>
          </span>
        </a>
      </li>
    ))}
  </ol>
);

type MethodType = Exclude<Payout['method_type'], ''>;

/** The choice is in the address. The service suggests its smallest payout by refusing less. */
function readChoice(): { min_amount?: number; method_type?: MethodType } {
  const amount = Number(getQuery('min'));
  const method = getQuery('method') as MethodType;
  return { ...(amount > 0 && { min_amount: amount }), ...(Object.hasOwn(methodTitles, method) && { method_type: method }) };
}

/** Each choice applies at once: what is requested is what the fields say. */
const ChoiceForm = () => (
  <div class="filters">
    <Select
      label="Method"
      value={getQuery('method')}
      options={[['', 'All methods'], ...Object.entries(methodTitles)]}
      onChange={(method) => setQuery({ method, r_page: null })}
    />
    <Field label={`At least (${getMe().currency})`}>
      {(id) => (
        <input
          key={getQuery('min')}
          id={id}
          type="number"
          min={0}
          step="any"
          defaultValue={getQuery('min')}
          onChange={({ currentTarget }) => setQuery({ min: currentTarget.value, r_page: null })}
        />
      )}
    </Field>
  </div>
);

interface BridgeRow {
  readonly name: string;
  readonly note: string;
  readonly amount: number;
  readonly isSum?: boolean;
  /** Leads to the coupons that it is about. */
  readonly isReason?: boolean;
}

/** From what is owed to what can be paid now, as figures. It begins with those of the overview. */
function listBridge({ outcomes, requested_amount, requested_count, remaining }: PayoutRun, totals: ReportSummary['totals']): BridgeRow[] {
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
  const names = [...new Set(refused.map(nameRefusal))];
  const reasons = names.map((name) => {
    const those = refused.filter((outcome) => nameRefusal(outcome) === name);
    return { name, note: countCoupons(those.length), amount: -sumOf(those, ({ amount }) => amount), isReason: true };
  });
  const { unpaid_commission: available, pending_order_commission: cleared } = totals;
  const rest = sumOf([-available, requested_amount, ...refused.map(({ amount }) => amount)], (amount) => amount);
  const isChosen = Object.keys(readChoice()).length > 0 || remaining > 0;
  const restName = isChosen ? 'Outside your choice' : rest > 0 ? 'Balances below zero' : 'Earned since an open request';
  const restNote = isChosen ? 'other methods, smaller amounts, open requests' : rest > 0 ? 'affiliates owe it' : 'requested next time';
  return [
    { name: 'Earned, not requested yet', note: 'available or being cleared', amount: available + cleared },
    ...(cleared === 0 ? [] : [{ name: 'Being cleared', note: 'orders can still be returned', amount: -cleared }]),
    { name: 'Available', note: 'as on the overview', amount: available, isSum: true },
    ...reasons,
    ...(rest === 0 ? [] : [{ name: restName, note: restNote, amount: rest }]),
    { name: 'Can be paid now', note: countPayouts(requested_count), amount: requested_amount, isSum: true },
  ];
}

const nameRefusal = ({ code }: PayoutRunOutcome): string => refusalNames[code ?? ''] ?? 'Not possible now';
const countCoupons = (count: number): string => countOf(count, 'coupons');

const Bridge = ({ run, totals }: { run: PayoutRun; totals: ReportSummary['totals'] }) => (
  <table class="bridge" aria-label="From what is owed to what can be paid now">
    <tbody>
      {listBridge(run, totals).map(({ name, note, amount, isSum, isReason }) => (
        <tr key={name} class={isSum ? 'sum' : undefined}>
          <th scope="row">
            {isReason ? (
              <a href={hrefWith({ show: 'refused', r_page: null })} onClick={() => document.querySelector('#request')?.scrollIntoView()}>
                {name}
              </a>
            ) : (
              name
            )}
          </th>
          <td class="quiet">{note}</td>
          <td class="number">{formatMoney(amount)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

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
  column('Result', 'outcome', (outcome) => <Badge of={runOutcomes[outcome]} />),
  column('Why', 'message', (message) => message ?? '', { place: 'detail' }),
  column('Amount', 'amount', boldMoney, { isNumber: true, place: 'value' }),
];

/** Who and how much, and for everyone else the reason. */
function RunStep({ run, onRequested }: { run: PayoutRun; onRequested: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const shown = getChoice('show', runOutcomes) ?? 'requested';
  const isOf = (name: string) => (row: PayoutRunOutcome) => row.outcome === name;
  const rows = run.outcomes.filter(isOf(shown));
  const tabs = Object.entries(runOutcomes).map(([name, { label }]) => ({
    text: `${label} (${formatNumber(run.outcomes.filter(isOf(name)).length)})`,
    href: hrefWith({ show: name === 'requested' ? null : name, r_page: null }),
    isCurrent: name === shown,
  }));
  return (
    <>
      <div class="request-bar">
        <Tabs label="Results" items={tabs} />
        {run.requested_count > 0 && (
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            Request {countPayouts(run.requested_count)} · {formatMoney(run.requested_amount)}
          </button>
        )}
      </div>
      {run.remaining > 0 && <p class="quiet">{countCoupons(run.remaining)} more follow. All of them are requested together.</p>}
      <Table
        name="Payouts to request"
        columns={outcomeColumns.filter(({ title }) => title !== 'Result' && (title !== 'Why' || shown === 'refused'))}
        load={loadWhole(rows)}
        keys={[shown, JSON.stringify(rows)]}
        keyOf={({ coupon_id }) => coupon_id}
        perPage={10}
        noteOf={(outcome) => shown === 'requested' && <Doubts of={outcome} />}
        prefix="r_"
        empty={shown === 'requested' ? 'No one can be paid now. “Not now” has the reason for each.' : 'There are none.'}
      />
      {isOpen && <RequestDialog run={run} onRequested={onRequested} onClose={() => setOpen(false)} />}
    </>
  );
}

/** What to look at before this is paid. */
const Doubts = ({ of: { debt, failed_payout_id: failedId } }: { of: PayoutRunOutcome }) =>
  debt > 0 || failedId !== null ? (
    <p class="refusal">
      {failedId !== null && (
        <>
          Last payout failed: <NameLink href={hrefOfPayout(failedId)} name={`payout #${failedId}`} />. Check the payout details first.{' '}
        </>
      )}
      {debt > 0 && `Owes ${formatMoney(debt)} over all coupons. Files leave this payout out.`}
    </p>
  ) : null;

function RequestDialog({ run, onRequested, onClose }: { run: PayoutRun; onRequested: () => void; onClose: () => void }) {
  const describeDue = ({ requested_count: due, requested_amount: sum }: PayoutRun): string =>
    `By now ${countPayouts(due)} can be requested, ${formatMoney(sum)} in all.`;
  const readDue = async (): Promise<PayoutRun> => {
    const now = await api.payoutRuns.create({ ...readChoice(), preview: true });
    // The page and this dialog show it, too.
    if (describeDue(now) !== describeDue(run)) onRequested();
    return now;
  };
  const request = async (): Promise<void> => {
    const now = await readDue();
    if (describeDue(now) !== describeDue(run)) throw new RefusedRecord(`Nothing was requested. ${describeDue(now)}`);
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
      findResult={async () => describeDue(await readDue())}
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

/** SEPA files pay in EUR only. */
const listFormats = (): BatchFormat[] =>
  (Object.keys(batchFormats) as BatchFormat[]).filter((format) => format !== 'sepa' || getMe().currency === 'EUR');

interface FilesStepProps {
  /** The first 100 payouts that wait. */
  items: readonly Payout[];
  total: number;
  isCurrent: boolean;
  onMade: () => void;
}

/** The requested payouts by method, each with the files that can pay it. */
function FilesStep({ items, total, isCurrent, onMade }: FilesStepProps) {
  const [open, setOpen] = useState<BatchFormat | null>(null);
  const [made, setMade] = useState<PayoutBatchCreated | null>(null);
  const madeFile = (batch: PayoutBatchCreated): void => {
    setMade(batch);
    onMade();
  };
  const button = (format: BatchFormat, isMain: boolean) => (
    <button key={format} type="button" class={isMain && isCurrent ? 'primary' : 'plain'} onClick={() => setOpen(format)}>
      Make {batchFormats[format]}
    </button>
  );
  const isWhole = total === items.length;
  const methods = [
    ...new Set(isWhole ? items.map(({ method_type }) => method_type) : listFormats().flatMap((format) => methodOf[format] ?? [])),
  ];
  return (
    <>
      {total === 0 && !made && <p class="quiet">No requested payout waits for a file.</p>}
      {total > 0 && (
        <ul class="method-list">
          {methods.map((method) => {
            const those = items.filter(({ method_type }) => method_type === method);
            const formats = listFormats().filter((format) => methodOf[format] === method);
            return (
              <li key={method}>
                <b>{methodTitles[method] ?? 'No method'}</b>
                <span class="quiet">
                  {isWhole
                    ? `${countPayouts(those.length)}, ${formatMoney(sumOf(those, ({ amount }) => amount))}`
                    : 'counted when the file is made'}
                </span>
                <span class="actions">
                  {formats.length > 0 ? formats.map((format, index) => button(format, index === 0)) : 'pay by hand, from the CSV'}
                </span>
              </li>
            );
          })}
          <li>
            <b>All methods</b>
            <span class="quiet">{countPayouts(total)} in one list, to pay by hand</span>
            <span class="actions">{button('csv', false)}</span>
          </li>
        </ul>
      )}
      {made && <MadeNotice batch={made} />}
      {open && <MakeDialog format={open} onMade={madeFile} onLost={onMade} onClose={() => setOpen(null)} />}
    </>
  );
}

async function loadPending(): Promise<Payout[]> {
  const all: Payout[] = [];
  for await (const payout of pages(api.payouts.list, { status: 'pending' }).items()) all.push(payout);
  return all;
}

/** Only the add-on management can list them. */
async function loadDisabled(): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  if (!isServed('post_affiliates_id_status')) return ids;
  for await (const { user } of pages(api.affiliates.list, { coupons: 'any', status: 'disabled' }).items()) ids.add(user.id);
  return ids;
}

interface MakeDialogProps {
  format: BatchFormat;
  onMade: (batch: PayoutBatchCreated) => void;
  /** Called after a lost answer: the file may have been made. */
  onLost: () => void;
  onClose: () => void;
}

interface Waiting {
  /** Payouts that this file can pay. */
  readonly fitting: readonly Payout[];
  readonly holds: Holds;
  /** The ids of affiliates who get nothing unless the reader says so. */
  readonly disabled: ReadonlySet<number>;
}

function MakeDialog({ format, onMade, onLost, onClose }: MakeDialogProps) {
  const loadWaiting = async (): Promise<Waiting> => {
    const [all, holds, disabled] = await Promise.all([loadPending(), loadHolds(), loadDisabled()]);
    return { fitting: all.filter((payout) => isPaidBy(format, payout)), holds, disabled };
  };
  const waiting = useLoad(loadWaiting, [format]);
  const [isDespite, setDespite] = useState(false);
  const [isDespiteDisabled, setDespiteDisabled] = useState(false);
  const settings = useLoad(format === 'sepa' && isServed('get_settings') ? loadSettings : null, [format]);
  if (settings.value?.some(({ path, value }) => path === 'payouts.sepa.iban' && value === ''))
    return (
      <Dialog title={`Make the ${batchFormats[format]}?`} onClose={onClose}>
        <p>It pays from your bank account, which is not entered yet.</p>
        <p class="actions">
          <a class="primary" href="/console/settings?tab=payouts">
            Enter your bank account
          </a>
        </p>
      </Dialog>
    );
  const make = async (): Promise<void> => {
    if (listShown(await loadWaiting()) !== listShown(waiting.value)) {
      setDespite(false);
      setDespiteDisabled(false);
      waiting.reload();
      throw new RefusedRecord('No file was made: what is shown here has changed. Look at it again.');
    }
    const despite = { ...(isDespite && { despite_signals: true }), ...(isDespiteDisabled && { despite_disabled: true }) };
    onMade(await api.payoutBatches.create({ format, ...despite }));
  };
  const findResult = async (): Promise<string> => {
    const newest = await describeNewest(api.payoutBatches.list({ per_page: 1 }), describeBatch);
    onLost();
    return newest;
  };
  return (
    <ActionDialog
      title={`Make the ${batchFormats[format]}?`}
      action="Make the file"
      isReady={waiting.value !== undefined && !waiting.isLoading}
      onSubmit={make}
      findResult={findResult}
      onClose={onClose}
    >
      <Loaded from={waiting}>
        {({ fitting, holds, disabled }) => {
          const held = fitting.filter(({ user }) => holds.has(user.id));
          const ofDisabled = fitting.filter(({ user }) => disabled.has(user.id));
          const paid = fitting.filter(({ user }) => (isDespite || !holds.has(user.id)) && (isDespiteDisabled || !disabled.has(user.id)));
          return (
            <>
              <p>
                <b>
                  {countPayouts(paid.length)}, {formatMoney(sumOf(paid, ({ amount }) => amount))}
                </b>{' '}
                {methodOf[format] === null ? 'of every method' : 'of this method'}. They are on their way then, and you can cancel the file
                as long as it is not sent. Payouts without usable details stay where they are.
              </p>
              {held.length > 0 && <HeldPayouts held={held} holds={holds} isIncluded={isDespite} onChange={setDespite} />}
              {ofDisabled.length > 0 && (
                <LeftOutPayouts
                  of={ofDisabled}
                  reasonOf={() => 'Disabled.'}
                  choice="Pay the disabled ones, too"
                  isIncluded={isDespiteDisabled}
                  onChange={setDespiteDisabled}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </ActionDialog>
  );
}

/** Equal as long as the dialog shows what the service would pay and hold. */
const listShown = (waiting?: Waiting): string =>
  JSON.stringify(
    waiting?.fitting.map(({ id, amount, user }) => [
      id,
      amount,
      waiting.holds.get(user.id)?.map((signal) => signal.id),
      waiting.disabled.has(user.id),
    ]),
  );

const describeBatch = ({ id, format, count, total, date }: PayoutBatch): string =>
  `${nameBatch({ id, format })} of ${formatDateTime(date)}, with ${countPayouts(count)}, ${formatMoney(total)}.`;

const MadeNotice = ({ batch: { id, format, count, total, left_out: leftOut } }: { batch: PayoutBatchCreated }) => (
  <div class="notice good-notice" role="status">
    <p>
      <a href={`/console/program/batches/${id}`}>{nameBatch({ id, format })}</a>: {countPayouts(count)}, {formatMoney(total)}. Download it
      below, {sendWords[format]}, then record what was paid.
    </p>
    {leftOut.length > 0 && (
      <details>
        <summary>{countPayouts(leftOut.length)} left out</summary>
        <ul>
          {leftOut.map(({ payout_id, reason }) => (
            <li key={payout_id}>
              <NameLink href={hrefOfPayout(payout_id)} name={`#${payout_id}`} /> <LeftOutReason text={reason} />
            </li>
          ))}
        </ul>
      </details>
    )}
  </div>
);
