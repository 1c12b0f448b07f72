import { useState } from 'preact/hooks';
import { Badge, Card, Field, PageHead, PoolFigures, Tabs } from '../components.tsx';
import { ActionDialog } from '../dialog.tsx';
import { formatDateTime } from '../format.ts';
import { AffiliateLink, hrefOfSignal, NameLink } from '../links.tsx';
import { StatusFilter } from '../lists.tsx';
import { Loaded, requireStatus, useLoad } from '../load.tsx';
import { nameOf } from '../names.ts';
import type { RiskSignal } from '../records.ts';
import { compareSeverity, LinkedText } from '../risk.tsx';
import { riskKinds, riskSeverities, riskStatuses } from '../risk-words.ts';
import { getChoice, getQuery, hrefWith } from '../router.ts';
import { api, isServed } from '../session.ts';
import { Paging } from '../table.tsx';
import { showToast } from '../toast.tsx';

const guide = <a href="/docs/guides/risk">how to judge them fairly</a>;
const kindFilter = Object.fromEntries(Object.entries(riskKinds).map(([kind, words]) => [kind, { ...words, tone: 'off' as const }]));
const statusFilter = { ...riskStatuses, all: { label: 'All', tone: 'off', meaning: '' } } as const;

/** What is unusual about affiliates, the most severe first. */
export function Risk() {
  const status = getChoice('status', statusFilter) ?? 'open';
  const kind = getChoice('kind', riskKinds);
  const page = Math.max(1, Math.floor(Number(getQuery('page')) || 1));
  const filter = { ...(status !== 'all' && { status }), ...(kind && { kind }) };
  const signals = useLoad(() => api.risk.signals({ ...filter, page, per_page: 100 }), [status, kind, page]);
  const tabs = Object.entries(statusFilter).map(([name, { label }]) => ({
    text: label,
    href: hrefWith({ status: name === 'open' ? null : name, page: null }),
    isCurrent: name === status,
  }));
  return (
    <>
      <PageHead title="Risk" lead={<>Unusual patterns that may cost you money. Many have a good reason: {guide}.</>} />
      <Card>
        <Tabs label="Decision" items={tabs} />
        <div class="filters">
          <StatusFilter label="Kind" statuses={kindFilter} name="kind" />
        </div>
        <Loaded from={signals}>
          {({ items, total, totalPages }) => (
            <>
              {total === 0 && (
                <p class="empty">{status === 'open' && !kind ? 'Nothing unusual waits for your decision.' : 'Nothing matches.'}</p>
              )}
              {items.toSorted(compareSeverity).map((signal) => (
                <Signal key={signal.id} of={signal} onDecided={signals.reload} />
              ))}
              <Paging page={page} totalPages={totalPages} prefix="" />
            </>
          )}
        </Loaded>
      </Card>
    </>
  );
}

export function SignalPage({ id }: { id: number }) {
  const signal = useLoad(() => api.risk.signal(id), [id]);
  return (
    <Loaded from={signal}>
      {(record) => (
        <>
          <PageHead
            title={riskKinds[record.kind].label}
            lead={<>Before you decide: {guide}.</>}
            back={{ href: '/console/risk', text: 'All signals' }}
          />
          <AtStake userId={record.user_id} />
          <Card>
            <Signal of={record} isAlone onDecided={signal.reload} />
          </Card>
        </>
      )}
    </Loaded>
  );
}

/** A signal has no amounts: these are those of the affiliate. */
function AtStake({ userId }: { userId: number }) {
  const affiliate = useLoad(isServed('get_affiliates_id') ? () => api.affiliates.get(userId) : null, [userId]);
  if (!affiliate.value) return null;
  return (
    <Card title="At stake">
      <PoolFigures of={affiliate.value} />
      <p class="small quiet">
        Commission of <AffiliateLink id={userId} name={nameOf(userId)} />
      </p>
    </Card>
  );
}

interface SignalProps {
  of: RiskSignal;
  /** On its own page, which has its name as heading. */
  isAlone?: boolean;
  onDecided: () => void;
}

function Signal({ of: signal, isAlone = false, onDecided }: SignalProps) {
  const {
    id,
    kind,
    severity,
    status,
    user_id: userId,
    text,
    note,
    date_opened: opened,
    date_last_seen: seen,
    date_decided: decided,
  } = signal;
  const { label, meaning, advice } = riskKinds[kind];
  return (
    <article class="signal">
      <p class="actions">
        {!isAlone && (
          <b>
            <NameLink href={hrefOfSignal(id)} name={label} />
          </b>
        )}
        <Badge of={riskSeverities[severity]} />
        {status !== 'open' && <Badge of={riskStatuses[status]} />}
        <AffiliateLink id={userId} name={nameOf(userId)} />
      </p>
      <p>
        <LinkedText text={text} />
      </p>
      <p>
        <b>What it can mean:</b> {meaning}
      </p>
      <p>
        <b>What to do:</b> {advice}
      </p>
      <Evidence of={signal} isOpen={isAlone} />
      <p class="small quiet">
        Found {formatDateTime(opened)}
        {seen !== opened && <>, again {formatDateTime(seen)}</>}
        {decided && (
          <>
            , {riskStatuses[status].label.toLowerCase()} {formatDateTime(decided)}
          </>
        )}
      </p>
      {note && (
        <p class="small">
          Note: <bdi class="text">{note}</bdi>
        </p>
      )}
      {isServed('post_risk_signals_id_status') && <Decisions of={signal} onDecided={onDecided} />}
    </article>
  );
}

const Evidence = ({ of: { evidence, count }, isOpen }: { of: RiskSignal; isOpen: boolean }) => (
  <details open={isOpen}>
    <summary>{count > evidence.length ? `The newest ${evidence.length} of ${count} findings` : 'What was found'}</summary>
    <ul class="small">
      {evidence.map(({ text, date }, at) => (
        <li key={at}>
          <span class="quiet">{formatDateTime(date)}</span> <LinkedText text={text} />
        </li>
      ))}
    </ul>
  </details>
);

type Decision = 'dismissed' | 'confirmed' | 'open';

const decisions: Record<Decision, { action: string; done: string; effect: string }> = {
  dismissed: {
    action: 'Dismiss',
    done: 'Dismissed. Payouts are no longer held for it.',
    effect:
      'There is nothing to it. Payouts are no longer held for it. You see the same about this affiliate again after 90 days, or when it doubles.',
  },
  confirmed: {
    action: 'Confirm',
    done: 'Confirmed.',
    effect:
      'It is so. Payouts stay held where they are held now. Nothing else happens by itself: corrections, coupons and the account are yours to change.',
  },
  open: { action: 'Open again', done: 'Open again.', effect: 'It waits for a decision again. The note replaces the former one.' },
};

/** Not those that would change nothing. */
const listDecisions = ({ status }: RiskSignal): Decision[] =>
  status === 'open' ? ['confirmed', 'dismissed'] : status === 'confirmed' ? ['open', 'dismissed'] : ['open'];

function Decisions({ of: signal, onDecided }: { of: RiskSignal; onDecided: () => void }) {
  const [open, setOpen] = useState<Decision | null>(null);
  const label = riskKinds[signal.kind].label;
  const decide = async (form: FormData): Promise<void> => {
    if (!open) return;
    if (isServed('get_risk_signals_id')) requireStatus(signal.status, await api.risk.signal(signal.id), riskStatuses);
    await api.risk.setStatus(signal.id, { status: open, note: String(form.get('note')) });
    showToast(decisions[open].done);
    onDecided();
  };
  return (
    <div class="actions">
      {listDecisions(signal).map((decision) => (
        <button
          key={decision}
          type="button"
          class="plain"
          aria-label={`${decisions[decision].action}: ${label}, ${nameOf(signal.user_id)}`}
          onClick={() => setOpen(decision)}
        >
          {decisions[decision].action}
        </button>
      ))}
      {open && (
        <ActionDialog title={`${decisions[open].action}?`} action={decisions[open].action} onSubmit={decide} onClose={() => setOpen(null)}>
          <p>
            {label}, <bdi>{nameOf(signal.user_id)}</bdi>: {decisions[open].effect}
          </p>
          <Field label="Note (optional)" hint="The reason. Only admins see it.">
            {(id) => <input id={id} name="note" maxLength={500} autocomplete="off" />}
          </Field>
        </ActionDialog>
      )}
    </div>
  );
}
