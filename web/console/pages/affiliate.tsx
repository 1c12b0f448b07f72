import { useState } from 'preact/hooks';
import { Badge, Card, Figure, Figures, Name, PageHead, Select } from '../components.tsx';
import { EditAffiliate } from '../edit-affiliate.tsx';
import { formatMoney, formatNumber } from '../format.ts';
import { CouponLink } from '../links.tsx';
import { Orders, Payouts } from '../lists.tsx';
import { Loaded, useLoad } from '../load.tsx';
import { couponStatuses } from '../program-words.ts';
import type { AffiliateDetail } from '../records.ts';
import { getQuery, setQuery } from '../router.ts';
import { Sales } from '../sales.tsx';
import { api, isServed } from '../session.ts';
import { boldMoney, type Column, columnsOf, loadWhole, Table } from '../table.tsx';
import { AffiliateProfile } from './own-account.tsx';

/** One affiliate: balances, results, coupons, orders and payouts. */
export function AffiliatePage({ id }: { id: number }) {
  const affiliate = useLoad(() => api.affiliates.get(id), [id]);
  return <Loaded from={affiliate}>{(record) => <Details affiliate={record} onChanged={affiliate.reload} />}</Loaded>;
}

function Details({ affiliate, onChanged }: { affiliate: AffiliateDetail; onChanged: () => void }) {
  const [isEditing, setEditing] = useState(false);
  const { id, user, coupons } = affiliate;
  const chosen = coupons.find((coupon) => coupon.id === Number(getQuery('coupon'))) ?? coupons[0];
  return (
    <div class="stack">
      <PageHead title={user.display_name} lead={<Name>{[user.login, user.email].filter(Boolean).join(' · ')}</Name>}>
        <a class="plain" href="/console/affiliates">
          All affiliates
        </a>
        {isServed('post_store_affiliates') && (
          <button type="button" class="primary" onClick={() => setEditing(true)}>
            Edit
          </button>
        )}
      </PageHead>
      {isEditing && <EditAffiliate affiliate={affiliate} onSaved={onChanged} onClose={() => setEditing(false)} />}
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
        <Table
          name="Coupons"
          columns={couponColumns}
          load={loadWhole(coupons)}
          keys={[id]}
          keyOf={(coupon) => coupon.id}
          prefix="c_"
          empty="No coupon is assigned at the moment."
        />
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

type AffiliateCoupon = AffiliateDetail['coupons'][number];

const column = columnsOf<AffiliateCoupon>();

const couponColumns: readonly Column<AffiliateCoupon>[] = [
  {
    title: 'Code',
    cell: ({ id, code }) => <CouponLink id={id} code={code} />,
    csv: ({ code }) => code,
  },
  column('Status', 'status', (status) => <Badge of={couponStatuses[status]} />),
  { title: 'Orders', isNumber: true, cell: ({ stats }) => formatNumber(stats.orders_count), csv: ({ stats }) => stats.orders_count },
  { title: 'Sales', isNumber: true, cell: ({ stats }) => formatMoney(stats.total_sales), csv: ({ stats }) => stats.total_sales },
  {
    title: 'Commission',
    isNumber: true,
    cell: ({ stats }) => formatMoney(stats.total_commission),
    csv: ({ stats }) => stats.total_commission,
  },
  column('Available', 'unpaid_commission', boldMoney, { isNumber: true }),
];
