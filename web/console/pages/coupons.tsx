import { useState } from 'preact/hooks';
import { Badge, Card, CopyButton, Facts, Name, PageHead, PoolFigures, SearchField, Select } from '../components.tsx';
import { describeDiscount, describeRate, LinkBuilder } from '../coupon-card.tsx';
import { CouponForm } from '../coupon-form.tsx';
import { formatDate } from '../format.ts';
import { AffiliateLink, CouponLink } from '../links.tsx';
import { CouponOrders } from '../lists.tsx';
import { ErrorBox, Loaded, requireRecorded, useLoad } from '../load.tsx';
import { nameOf } from '../names.ts';
import { PayoutRequest } from '../payout-request.tsx';
import { couponStatuses } from '../program-words.ts';
import type { Coupon, CouponDetail } from '../records.ts';
import { getChoice, getQuery, setQuery, setSearch } from '../router.ts';
import { Sales } from '../sales.tsx';
import { api, isServed } from '../session.ts';
import { boldMoney, type Column, columnsOf, money, Table } from '../table.tsx';
import { showToast } from '../toast.tsx';

const column = columnsOf<Coupon>();

const columns: readonly Column<Coupon>[] = [
  {
    title: 'Code',
    orderby: 'code',
    cell: ({ id, code }) => <CouponLink id={id} code={code} />,
    csv: ({ code }) => code,
    place: 'name',
  },
  column('Affiliate', 'user_id', (id) => (id === 0 ? 'none' : <AffiliateLink id={id} name={nameOf(id)} />), { place: 'detail' }),
  column('Status', 'status', (status) => <Badge of={couponStatuses[status]} />, { place: 'state' }),
  column('Created', 'date_created', formatDate, { orderby: 'date_created' }),
  column('Being cleared', 'pending_order_commission', money, { isNumber: true }),
  column('Paid', 'paid_commission', money, { isNumber: true }),
  column('Available', 'unpaid_commission', boldMoney, { isNumber: true, orderby: 'unpaid_commission', place: 'value' }),
];

export function Coupons() {
  const [search, owner] = [getQuery('search'), getQuery('owner')];
  const [isAdding, setAdding] = useState(false);
  const [version, setVersion] = useState(0);
  const status = getChoice('status', couponStatuses) ?? 'publish';
  const filter = { search, status, ...(owner === 'none' && { user_id: 0 }) };
  return (
    <>
      <PageHead title="Coupons" lead="The codes and links of affiliates.">
        {isServed('post_store_coupons') && (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            New coupon
          </button>
        )}
      </PageHead>
      <Card>
        <div class="filters">
          <SearchField label={isServed('get_orders') ? 'Code, name or e-mail' : 'Code'} value={search} onChange={setSearch} />
          <Select
            label="Coupon status"
            value={status}
            options={Object.entries(couponStatuses).map(([value, { label }]) => [value, label] as const)}
            onChange={(value) => setQuery({ status: value === 'publish' ? null : value, page: null })}
          />
          <Select
            label="Affiliate"
            value={owner}
            options={[
              ['', 'Assigned'],
              ['none', 'Not assigned'],
            ]}
            onChange={(value) => setQuery({ owner: value, page: null })}
          />
        </div>
        <Table
          name="Coupons"
          columns={columns}
          load={({ orderby, ...query }) => api.coupons.list({ ...query, ...filter, ...(orderby && { orderby: orderby as 'id' }) })}
          keys={[search, status, owner, version]}
          keyOf={({ id }) => id}
          empty={
            search || owner || status !== 'publish'
              ? 'No coupon matches these filters.'
              : 'There are no coupons yet. Make one, or accept an application.'
          }
        />
      </Card>
      {isAdding && <CouponForm onSaved={() => setVersion(version + 1)} onClose={() => setAdding(false)} />}
    </>
  );
}

/** One coupon: rates, results, payout and orders. */
export function CouponPage({ id }: { id: number }) {
  const coupon = useLoad(() => api.coupons.get(id), [id]);
  return <Loaded from={coupon}>{(record) => <Details coupon={record} onChange={coupon.reload} />}</Loaded>;
}

const loadStats = (id: number) => async (query: Parameters<typeof api.coupons.stats>[1]) => {
  const stats = await api.coupons.stats(id, query);
  return { totals: stats, ...(stats.series && { series: stats.series }) };
};

function Details({ coupon, onChange }: { coupon: CouponDetail; onChange: () => void }) {
  const [isEditing, setEditing] = useState(false);
  const [error, setError] = useState<unknown>();
  const isPaused = coupon.status !== 'publish';
  const switchStatus = async (): Promise<void> => {
    const status = isPaused ? 'publish' : 'draft';
    requireRecorded(await api.store.coupons([{ id: coupon.id, code: coupon.code, status }]), 'Nothing was saved.');
    showToast(`Coupon ${coupon.code} is ${isPaused ? 'active' : 'paused'}.`);
    onChange();
  };
  return (
    <div class="stack">
      <PageHead
        title={`Coupon ${coupon.code}`}
        lead={
          <>
            <Badge of={couponStatuses[coupon.status]} />{' '}
            {coupon.user ? <>Coupon of {<Name>{coupon.user.display_name}</Name>}</> : 'Coupon without an affiliate'}
          </>
        }
        back={{ href: '/console/coupons', text: 'All coupons' }}
      >
        <CopyButton text={coupon.code} label={`Copy the code ${coupon.code}`} />
        {isServed('post_store_coupons') && (
          <>
            <button type="button" class="plain" onClick={() => switchStatus().then(() => setError(undefined), setError)}>
              {isPaused ? 'Activate' : 'Pause'}
            </button>
            <button type="button" class="primary" onClick={() => setEditing(true)}>
              Edit
            </button>
          </>
        )}
      </PageHead>
      {error !== undefined && <ErrorBox error={error} />}
      {isEditing && <CouponForm coupon={coupon} onSaved={onChange} onClose={() => setEditing(false)} />}
      <PoolFigures of={coupon} />
      <div class="columns">
        <Card title="Terms">
          <Facts
            of={[
              ['Affiliate', coupon.user ? <AffiliateLink id={coupon.user.id} name={coupon.user.display_name} /> : 'none'],
              ['Commission', describeRate(coupon)],
              ['Customers get', describeDiscount(coupon)],
              ['Created', formatDate(coupon.date_created)],
            ]}
          />
          <LinkBuilder coupon={coupon} />
        </Card>
        <Card title="Payout">
          <PayoutRequest coupon={coupon} onRequested={onChange} />
        </Card>
      </div>
      {isServed('get_coupons_id_stats') && <Sales title="Results" of={`coupon ${coupon.id}`} load={loadStats(coupon.id)} />}
      {isServed('get_coupons_id_orders') && (
        <Card title="Orders">
          <CouponOrders couponId={coupon.id} />
        </Card>
      )}
    </div>
  );
}
