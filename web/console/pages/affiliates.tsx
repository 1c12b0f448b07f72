import { Card, Name, PageHead, SearchField } from '../components.tsx';
import { formatDate, formatMoney } from '../format.ts';
import { AffiliateLink } from '../links.tsx';
import type { Affiliate } from '../records.ts';
import { getQuery, setSearch } from '../router.ts';
import { api } from '../session.ts';
import { boldMoney, type Column, columnsOf, Table } from '../table.tsx';

const column = columnsOf<Affiliate>();

const columns: readonly Column<Affiliate>[] = [
  {
    title: 'Affiliate',
    orderby: 'display_name',
    cell: ({ id, user }) => <AffiliateLink id={id} name={user.display_name} />,
    csv: ({ user }) => user.display_name,
  },
  { title: 'E-mail', cell: ({ user }) => <Name>{user.email ?? ''}</Name>, csv: ({ user }) => user.email ?? '' },
  {
    title: 'Coupons',
    cell: ({ coupons }) => <Name>{listCodes(coupons)}</Name>,
    csv: ({ coupons }) => coupons.map(({ code }) => code).join(' '),
  },
  column('Since', 'date_registered', formatDate, { orderby: 'date_registered' }),
  column('Being cleared', 'pending_order_commission', formatMoney, { isNumber: true }),
  column('Requested', 'pending_payout_commission', formatMoney, { isNumber: true }),
  column('Paid', 'paid_commission', formatMoney, { isNumber: true }),
  column('Available', 'unpaid_commission', boldMoney, { isNumber: true, orderby: 'unpaid_commission' }),
];

function listCodes(coupons: Affiliate['coupons']): string {
  const codes = coupons.slice(0, 3).map(({ code }) => code);
  return codes.join(', ') + (coupons.length > codes.length ? ` and ${coupons.length - codes.length} more` : '');
}

export function Affiliates() {
  const search = getQuery('search');
  return (
    <>
      <PageHead title="Affiliates" lead="Everyone with a published coupon." />
      <Card>
        <div class="filters">
          <SearchField label="Name, login or e-mail" value={search} onChange={setSearch} />
        </div>
        <Table
          name="Affiliates"
          columns={columns}
          load={({ orderby, ...query }) => api.affiliates.list({ ...query, search, ...(orderby && { orderby: orderby as 'id' }) })}
          keys={[search]}
          keyOf={({ id }) => id}
          empty={search ? 'No affiliate matches.' : 'There are no affiliates yet. Accept an application, or import them.'}
        />
      </Card>
    </>
  );
}
