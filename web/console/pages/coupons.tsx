import { useState } from 'preact/hooks';
import { Badge, Card, CopyButton, Facts, PageHead, SearchField, Select } from '../components.tsx';
import { describeDiscount, describeRate } from '../coupon-card.tsx';
import { formatDate, formatMoney } from '../format.ts';
import { AffiliateLink, CouponLink } from '../links.tsx';
import { Orders } from '../lists.tsx';
import { Loaded, useLoad } from '../load.tsx';
import { PayoutRequest } from '../payout-request.tsx';
import { couponStatuses } from '../program-words.ts';
import type { Coupon, CouponDetail } from '../records.ts';
import { getChoice, getQuery, setQuery, setSearch } from '../router.ts';
import { Sales } from '../sales.tsx';
import { api, isServed } from '../session.ts';
import { boldMoney, type Column, columnsOf, Table } from '../table.tsx';

/** Coupons have the id of their affiliate only. One request finds the names of most programs, and one more each name that is not in it. */
const names = new Map<number, Promise<string>>();
let listed: Promise<ReadonlyMap<number, string>> | undefined;

async function findName(id: number): Promise<string> {
  listed ??= api.affiliates.list({ per_page: 100 }).then(({ items }) => new Map(items.map(({ user }) => [user.id, user.display_name])));
  return (await listed).get(id) ?? (await api.affiliates.get(id)).user.display_name;
}

function loadName(id: number): Promise<string> {
  const name = names.get(id) ?? findName(id);
  names.set(id, name);
  return name;
}

function OwnerLink({ id }: { id: number }) {
  const name = useLoad(isServed('get_affiliates', 'get_affiliates_id') ? () => loadName(id) : null, [id]);
  return <AffiliateLink id={id} name={name.value || `#${id}`} />;
}

const column = columnsOf<Coupon>();

const columns: readonly Column<Coupon>[] = [
  {
    title: 'Code',
    orderby: 'code',
    cell: ({ id, code }) => <CouponLink id={id} code={code} />,
    csv: ({ code }) => code,
  },
  column('Affiliate', 'user_id', (id) => (id === 0 ? 'none' : <OwnerLink id={id} />)),
  column('Status', 'status', (status) => <Badge of={couponStatuses[status]} />),
  column('Created', 'date_created', formatDate, { orderby: 'date_created' }),
  column('Being cleared', 'pending_order_commission', formatMoney, { isNumber: true }),
  column('Paid', 'paid_commission', formatMoney, { isNumber: true }),
  column('Available', 'unpaid_commission', boldMoney, { isNumber: true, orderby: 'unpaid_commission' }),
];

export function Coupons() {
  const [search, owner] = [getQuery('search'), getQuery('owner')];
  const status = getChoice('status', couponStatuses) ?? 'publish';
  const filter = { search, status, ...(owner === 'none' && { user_id: 0 }) };
  return (
    <>
      <PageHead title="Coupons" lead="The codes and links of affiliates." />
      <Card>
        <div class="filters">
          <SearchField label="Code" value={search} onChange={setSearch} />
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
          keys={[search, status, owner]}
          keyOf={({ id }) => id}
          empty="No coupon matches these filters."
        />
      </Card>
    </>
  );
}

/** One coupon: rates, results, payout and orders. */
export function CouponPage({ id }: { id: number }) {
  const [version, setVersion] = useState(0);
  const coupon = useLoad(() => api.coupons.get(id), [id, version]);
  return <Loaded from={coupon}>{(record) => <Details coupon={record} onChange={() => setVersion(version + 1)} />}</Loaded>;
}

const loadStats = (id: number) => async (query: Parameters<typeof api.coupons.stats>[1]) => {
  const stats = await api.coupons.stats(id, query);
  return { totals: stats, ...(stats.series && { series: stats.series }) };
};

const Details = ({ coupon, onChange }: { coupon: CouponDetail; onChange: () => void }) => (
  <div class="stack">
    <PageHead title={coupon.code} lead={`Coupon #${coupon.id}`}>
      <a class="plain" href="/console/coupons">
        All coupons
      </a>
    </PageHead>
    <div class="columns">
      <Card title="Terms">
        <Facts
          of={[
            ['Affiliate', coupon.user ? <AffiliateLink id={coupon.user.id} name={coupon.user.display_name} /> : 'none'],
            ['Status', <Badge of={couponStatuses[coupon.status]} />],
            ['Commission', describeRate(coupon)],
            ['Customers get', describeDiscount(coupon)],
            ['Created', formatDate(coupon.date_created)],
          ]}
        />
        <p class="copy-line">
          <code>{coupon.referral_url}</code>
          <CopyButton text={coupon.referral_url} label={`Copy the referral link of ${coupon.code}`} />
        </p>
      </Card>
      <Card title="Balance">
        <Facts
          of={[
            ['Available', formatMoney(coupon.unpaid_commission)],
            ['Being cleared', formatMoney(coupon.pending_order_commission)],
            ['Requested', formatMoney(coupon.pending_payout_commission)],
            ['Paid', formatMoney(coupon.paid_commission)],
          ]}
        />
        <PayoutRequest coupon={coupon} onRequested={onChange} />
      </Card>
    </div>
    {isServed('get_coupons_id_stats') && (
      <Sales title="Results" of={`coupon ${coupon.id}`} couponIds={[coupon.id]} load={loadStats(coupon.id)} />
    )}
    {isServed('get_coupons_id_orders') && (
      <Card title="Orders">
        <Orders couponId={coupon.id} />
      </Card>
    )}
  </div>
);
