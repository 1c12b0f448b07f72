import { Badge, Card, Facts, Name, PageHead } from '../components.tsx';
import { formatDateTime, formatMoney } from '../format.ts';
import { invoiceUrl } from '../invoices.ts';
import { AffiliateLink, CouponLink } from '../links.tsx';
import { Loaded, useLoad } from '../load.tsx';
import type { Payout, PayoutChange } from '../records.ts';
import { api, getMe, isServed } from '../session.ts';
import { payoutStatuses } from '../words.ts';

/** One payout: what it pays, and how it came to its status. */
export function PayoutPage({ id }: { id: number }) {
  const payout = useLoad(() => api.payouts.get(id), [id]);
  const history = useLoad(isServed('get_payouts_id_history') ? () => api.payouts.history(id, { per_page: 100 }) : null, [id]);
  return (
    <Loaded from={payout}>
      {(record) => (
        <div class="stack">
          <PageHead title={`Payout #${id}`} lead={`${formatMoney(record.amount)} for ${record.coupon_code}`}>
            <a class="plain" href={getMe().is_admin ? '/console/program/payouts?status=all' : '/console/payouts'}>
              All payouts
            </a>
          </PageHead>
          <div class="columns">
            <PayoutFacts payout={record} />
            {isServed('get_payouts_id_history') && (
              <Card title="Timeline">
                <Loaded from={history}>{({ items }) => <Timeline changes={items} />}</Loaded>
              </Card>
            )}
          </div>
        </div>
      )}
    </Loaded>
  );
}

const PayoutFacts = ({ payout }: { payout: Payout }) => (
  <Card title="Payout">
    <Facts
      of={[
        ['Amount', <b>{formatMoney(payout.amount)}</b>],
        [
          'Status',
          <>
            <Badge of={payoutStatuses[payout.status]} /> {payoutStatuses[payout.status].meaning}
          </>,
        ],
        ...(getMe().is_admin ? [['Affiliate', <AffiliateLink id={payout.user.id} name={payout.user.display_name} />] as const] : []),
        ['Coupon', <CouponLink id={payout.coupon_id} code={payout.coupon_code} />],
        ['Method', <Name>{payout.method}</Name>],
        ['Requested', formatDateTime(payout.date)],
        ['Paid on', formatDateTime(payout.date_paid)],
        ...(payout.transaction_id ? [['Transaction', <Name>{payout.transaction_id}</Name>] as const] : []),
        ...(payout.invoice_id > 0
          ? [
              [
                'Invoice',
                <a href={invoiceUrl(payout.invoice_id)} target="_self">
                  #{payout.invoice_id}
                </a>,
              ] as const,
            ]
          : []),
      ]}
    />
  </Card>
);

const changeNames: Record<string, string> = {
  'payout.requested': 'Requested',
  'payout.created': 'On its way',
  'payout.pending': 'Set back to requested',
  'payout.paid': 'Paid',
  'payout.reversed': 'Payment taken back',
  'payout.cancelled': 'Cancelled',
  'payout.reopened': 'Requested again',
  'payout.failed': 'Payment failed',
};

const Timeline = ({ changes }: { changes: readonly PayoutChange[] }) => (
  <ol class="timeline">
    {changes.map(({ event, date, by }, index) => (
      <li key={index}>
        <b>{changeNames[event] ?? event}</b>
        <span class="quiet">
          {formatDateTime(date)}
          {by && (
            <>
              {' by '}
              <Name>{by.display_name}</Name>
            </>
          )}
        </span>
      </li>
    ))}
  </ol>
);
