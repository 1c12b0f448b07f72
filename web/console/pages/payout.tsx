import type { ComponentChildren } from 'preact';
import { Badge, Card, Facts, Name, PageHead } from '../components.tsx';
import { formatDateTime, formatMoney } from '../format.ts';
import { invoiceUrl } from '../invoices.ts';
import { AffiliateLink, CouponLink, hrefOfBatch, NameLink } from '../links.tsx';
import { Loaded, useLoad } from '../load.tsx';
import { PayoutActions } from '../payout-actions.tsx';
import type { Payout, PayoutChange } from '../records.ts';
import { HeldNotice } from '../risk.tsx';
import { api, getMe, isServed } from '../session.ts';
import { Timeline, type TimelineEntry } from '../timeline.tsx';
import { type Explained, payoutStatuses } from '../words.ts';

async function loadPayout(id: number): Promise<{ payout: Payout; changes: readonly PayoutChange[] }> {
  const history = isServed('get_payouts_id_history') ? api.payouts.history(id, { per_page: 100 }) : { items: [] };
  const [payout, { items }] = await Promise.all([api.payouts.get(id), history]);
  return { payout, changes: items };
}

/** One payout: what it pays, how it came to its status, and what can be done with it. */
export function PayoutPage({ id }: { id: number }) {
  const loaded = useLoad(() => loadPayout(id), [id]);
  const { is_admin: isAdmin } = getMe();
  return (
    <Loaded from={loaded}>
      {({ payout, changes }) => (
        <div class="stack">
          <PageHead
            title={isAdmin ? `${formatMoney(payout.amount)} to ${payout.user.display_name}` : `Payout of ${formatMoney(payout.amount)}`}
            lead={
              <>
                <Badge of={payoutStatuses[payout.status]} /> {describeStatus(payout, changes)}
              </>
            }
            back={{ href: isAdmin ? '/console/program/payouts?status=all' : '/console/payouts', text: 'All payouts' }}
          >
            {isAdmin && !hasFailed(changes) && <PayoutActions payout={payout} onChanged={loaded.reload} />}
          </PageHead>
          {isAdmin && <HeldNotice payout={payout} />}
          <div class="columns">
            <PayoutFacts payout={payout} changes={changes} />
            {changes.length > 0 && (
              <Card title="Timeline">
                <Timeline entries={changes.map(toEntry)} />
              </Card>
            )}
          </div>
        </div>
      )}
    </Loaded>
  );
}

/** A failed payment is final: its amount is requested with another payout. */
const hasFailed = (changes: readonly PayoutChange[]): boolean => changes.at(-1)?.event === 'payout.failed';

function describeStatus({ status, date_paid }: Payout, changes: readonly PayoutChange[]): string {
  if (hasFailed(changes)) return 'The payment failed. The amount is available again and can be requested with another payout.';
  return status === 'paid' ? `The money was sent on ${formatDateTime(date_paid)}.` : payoutStatuses[status].meaning;
}

function PayoutFacts({ payout, changes }: { payout: Payout; changes: readonly PayoutChange[] }) {
  const batchId = changes.findLast(({ batch_id }) => batch_id !== undefined)?.batch_id;
  const facts: readonly (readonly [string, ComponentChildren, boolean?])[] = [
    ['Payout', `#${payout.id}`],
    ['Amount', <b>{formatMoney(payout.amount)}</b>],
    ['Affiliate', <AffiliateLink id={payout.user.id} name={payout.user.display_name} />, getMe().is_admin],
    ['Coupon', <CouponLink id={payout.coupon_id} code={payout.coupon_code} />],
    ['Method', <Name>{payout.method}</Name>],
    ['File', <NameLink href={hrefOfBatch(batchId ?? 0)} name={`File #${batchId}`} />, batchId !== undefined],
    ['Invoice', <InvoiceLink id={payout.invoice_id} />, payout.invoice_id > 0],
    ['Transaction', <Name>{payout.transaction_id}</Name>, payout.transaction_id !== ''],
    ['Requested', formatDateTime(payout.date)],
    ['Paid', formatDateTime(payout.date_paid), payout.date_paid !== null],
  ];
  return (
    <Card title="Details">
      <Facts of={facts.flatMap(([name, value, isShown = true]) => (isShown ? [[name, value] as const] : []))} />
    </Card>
  );
}

const InvoiceLink = ({ id }: { id: number }) => (
  <a href={invoiceUrl(id)} target="_self">
    Invoice #{id}
  </a>
);

const changeNames: Record<string, readonly [name: string, tone: Explained['tone']]> = {
  'payout.requested': ['Requested', 'wait'],
  'payout.created': ['On its way', 'info'],
  'payout.pending': ['Set back to requested', 'wait'],
  'payout.paid': ['Paid', 'good'],
  'payout.reversed': ['Payment taken back', 'bad'],
  'payout.cancelled': ['Cancelled', 'off'],
  'payout.reopened': ['Requested again', 'wait'],
  'payout.failed': ['Payment failed', 'bad'],
};

const toEntry = ({ event, date, by, batch_id: batchId }: PayoutChange): TimelineEntry => {
  const [title, tone] = changeNames[event] ?? [event, 'off'];
  return { title, tone, date, by, note: batchId !== undefined && <NameLink href={hrefOfBatch(batchId)} name={`with file #${batchId}`} /> };
};
