import { useState } from 'preact/hooks';
import { AddAffiliate } from '../affiliate-forms.tsx';
import { Badge, Card, Name, PageHead, SearchField } from '../components.tsx';
import { formatDate, formatMoney } from '../format.ts';
import { AffiliateLink } from '../links.tsx';
import { affiliateStatuses } from '../program-words.ts';
import type { Affiliate } from '../records.ts';
import { getQuery, setSearch } from '../router.ts';
import { api, isServed } from '../session.ts';
import { boldMoney, type Column, columnsOf, Table } from '../table.tsx';

const column = columnsOf<Affiliate>();

const columns: readonly Column<Affiliate>[] = [
  {
    title: 'Affiliate',
    orderby: 'display_name',
    cell: ({ id, user, status }) => (
      <>
        <AffiliateLink id={id} name={user.display_name} /> {status === 'disabled' && <Badge of={affiliateStatuses.disabled} />}
      </>
    ),
    csv: ({ user }) => user.display_name,
    place: 'name',
  },
  { title: 'E-mail', cell: ({ user }) => <Name>{user.email ?? ''}</Name>, csv: ({ user }) => user.email ?? '' },
  {
    title: 'Coupons',
    cell: ({ coupons }) => <Name>{listCodes(coupons)}</Name>,
    csv: ({ coupons }) => coupons.map(({ code }) => code).join(' '),
    place: 'detail',
  },
  column('Since', 'date_registered', formatDate, { orderby: 'date_registered' }),
  column('Being cleared', 'pending_order_commission', formatMoney, { isNumber: true }),
  column('Requested', 'pending_payout_commission', formatMoney, { isNumber: true }),
  column('Paid', 'paid_commission', formatMoney, { isNumber: true }),
  column('Available', 'unpaid_commission', boldMoney, { isNumber: true, orderby: 'unpaid_commission', place: 'value' }),
];

function listCodes(coupons: Affiliate['coupons']): string {
  const codes = coupons.slice(0, 3).map(({ code }) => code);
  return codes.join(', ') + (coupons.length > codes.length ? ` and ${coupons.length - codes.length} more` : '');
}

/** With the add-on, people without a coupon are found, too, and codes are searched. */
export function Affiliates() {
  const search = getQuery('search');
  const [isAdding, setAdding] = useState(false);
  const [version, setVersion] = useState(0);
  const hasAll = isServed('post_affiliates_id_status');
  const scope = hasAll ? { coupons: 'any' as const } : {};
  return (
    <>
      <PageHead title="Affiliates" lead={hasAll ? 'Everyone who promotes your shop.' : 'Everyone with a published coupon.'}>
        {isServed('post_store_affiliates', 'post_store_coupons') && (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            Add affiliate
          </button>
        )}
      </PageHead>
      <Card>
        <div class="filters">
          <SearchField label={hasAll ? 'Name, e-mail or coupon code' : 'Name, login or e-mail'} value={search} onChange={setSearch} />
        </div>
        <Table
          name="Affiliates"
          columns={columns}
          load={({ orderby, ...query }) =>
            api.affiliates.list({ ...query, ...scope, search, ...(orderby && { orderby: orderby as 'id' }) })
          }
          keys={[search, version]}
          keyOf={({ id }) => id}
          empty={search ? 'No affiliate matches.' : 'There are no affiliates yet. Add one, or accept an application.'}
        />
      </Card>
      {isAdding && <AddAffiliate onSaved={() => setVersion(version + 1)} onClose={() => setAdding(false)} />}
    </>
  );
}
