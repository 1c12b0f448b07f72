import { Badge, Card, Figure, Figures, Name, PageHead, Select } from '../components.tsx';
import { formatMoney, formatNumber } from '../format.ts';
import { Orders, Payouts } from '../lists.tsx';
import { Loaded, useLoad } from '../load.tsx';
import { couponStatuses } from '../program-words.ts';
import type { AffiliateDetail } from '../records.ts';
import { getQuery, setQuery } from '../router.ts';
import { Sales } from '../sales.tsx';
import { api, isServed } from '../session.ts';
import { AffiliateProfile } from './own-account.tsx';

/** One affiliate: balances, results, coupons, orders and payouts. */
export function AffiliatePage({ id }: { id: number }) {
  const affiliate = useLoad(isServed('get_affiliates_id') ? () => api.affiliates.get(id) : null, [id]);
  return <Loaded from={affiliate}>{(record) => <Details affiliate={record} />}</Loaded>;
}

function Details({ affiliate }: { affiliate: AffiliateDetail }) {
  const { id, user, coupons } = affiliate;
  const chosen = coupons.find((coupon) => coupon.id === Number(getQuery('coupon'))) ?? coupons[0];
  return (
    <div class="stack">
      <PageHead title={user.display_name} lead={<Name>{[user.login, user.email].filter(Boolean).join(' · ')}</Name>}>
        <a class="plain" href="/console/affiliates">
          All affiliates
        </a>
      </PageHead>
      <Figures>
        <Figure name="Available" value={formatMoney(affiliate.unpaid_commission)} note="can be paid out" />
        <Figure name="Being cleared" value={formatMoney(affiliate.pending_order_commission)} note="in the time for returns" />
        <Figure name="Requested" value={formatMoney(affiliate.pending_payout_commission)} note="in payouts that are not paid yet" />
        <Figure name="Paid" value={formatMoney(affiliate.paid_commission)} note="since the beginning" />
      </Figures>
      {isServed('get_affiliates_id_stats') && (
        <Sales
          title="Results"
          of={String(id)}
          couponIds={coupons.map((coupon) => coupon.id)}
          load={(query) => api.affiliates.stats(id, query)}
        />
      )}
      <Card title="Coupons">
        <AffiliateCoupons coupons={coupons} />
      </Card>
      {chosen && isServed('get_coupons_id_orders') && (
        <Card title="Orders">
          <Orders couponId={chosen.id}>
            <Select
              label="Coupon"
              value={String(chosen.id)}
              options={coupons.map((coupon) => [String(coupon.id), coupon.code] as const)}
              onChange={(coupon) => setQuery({ coupon, page: null })}
            />
          </Orders>
        </Card>
      )}
      {isServed('get_payouts') && (
        <Card title="Payouts">
          <Payouts userId={id} prefix="p_" empty="There are no payouts with this status." />
        </Card>
      )}
      <AffiliateProfile affiliate={affiliate} />
    </div>
  );
}

const AffiliateCoupons = ({ coupons }: Pick<AffiliateDetail, 'coupons'>) =>
  coupons.length === 0 ? (
    <p class="empty">No coupon is assigned at the moment.</p>
  ) : (
    <div class="table-box">
      <table aria-label="Coupons">
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Status</th>
            {['Orders', 'Sales', 'Commission', 'Available'].map((title) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {coupons.map(({ id, code, status, stats, unpaid_commission }) => (
            <tr key={id}>
              <td data-title="Code">
                <a href={`/console/coupons/${id}`}>
                  <Name>{code}</Name>
                </a>
              </td>
              <td data-title="Status">
                <Badge of={couponStatuses[status]} />
              </td>
              <td data-title="Orders" class="number">
                {formatNumber(stats.orders_count)}
              </td>
              <td data-title="Sales" class="number">
                {formatMoney(stats.total_sales)}
              </td>
              <td data-title="Commission" class="number">
                {formatMoney(stats.total_commission)}
              </td>
              <td data-title="Available" class="number">
                <b>{formatMoney(unpaid_commission)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
