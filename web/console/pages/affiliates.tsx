import { useState } from 'preact/hooks';
import { AddAffiliate } from '../affiliate-forms.tsx';
import { Badge, Card, Name, PageHead, SearchField } from '../components.tsx';
import { formatDate } from '../format.ts';
import { AffiliateLink } from '../links.tsx';
import { StatusFilter } from '../lists.tsx';
import { affiliateStatuses } from '../program-words.ts';
import type { Affiliate } from '../records.ts';
import { getChoice, getQuery, setQuery, setSearch } from '../router.ts';
import { api, isServed } from '../session.ts';
import { boldMoney, type Column, columnsOf, money, Table } from '../table.tsx';

const column = columnsOf<Affiliate>();

const columns: readonly Column<Affiliate>[] = [
  {
    title: 'Affiliate',
    orderby: 'display_name',
    cell: ({ id, user, status }) => (
      <>
        <AffiliateLink id={id} name={user.display_name} /> {status === 'disabled' && <Badge of={affiliateStatuses.disabled} />}
        <p class="small quiet wide-only clipped" title={user.email}>
          <bdi>{user.email}</bdi>
        </p>
      </>
    ),
    csv: ({ user }) => user.display_name,
    place: 'name',
  },
  { title: 'E-mail', isFileOnly: true, cell: () => null, csv: ({ user }) => user.email ?? '' },
  {
    title: 'Coupons',
    cell: ({ coupons }) => <Name>{listCodes(coupons)}</Name>,
    csv: ({ coupons }) => coupons.map(({ code }) => code).join(' '),
    place: 'detail',
  },
  { title: 'Status', isFileOnly: true, cell: () => null, csv: ({ status }) => status ?? '' },
  column('Since', 'date_registered', formatDate, { orderby: 'date_registered' }),
  column('Being cleared', 'pending_order_commission', money, { isNumber: true }),
  column('Requested', 'pending_payout_commission', money, { isNumber: true }),
  column('Paid', 'paid_commission', money, { isNumber: true }),
  column('Available', 'unpaid_commission', boldMoney, { isNumber: true, orderby: 'unpaid_commission', place: 'value' }),
];

function listCodes(coupons: Affiliate['coupons']): string {
  const codes = coupons.slice(0, 3).map(({ code }) => code);
  return codes.join(', ') + (coupons.length > codes.length ? ` and ${coupons.length - codes.length} more` : '');
}

/** With the add-on, people without a coupon are found, too, and codes are searched. */
export function Affiliates() {
  const search = getQuery('search');
  const [isAdding, setAdding] = useState(getQuery('add') !== '');
  const [version, setVersion] = useState(0);
  const close = (): void => {
    setAdding(false);
    setQuery({ add: null }, { isReplaced: true });
  };
  const hasAll = isServed('post_affiliates_id_status');
  const status = hasAll ? getChoice('status', affiliateStatuses) : undefined;
  const scope = hasAll ? { coupons: 'any' as const, ...(status && { status }) } : {};
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
          {hasAll && <StatusFilter label="Status" statuses={affiliateStatuses} />}
        </div>
        <Table
          name="Affiliates"
          sortedBy="date_registered"
          columns={columns.filter(({ title }) => hasAll || title !== 'Status')}
          load={({ orderby, ...query }) =>
            api.affiliates.list({ ...query, ...scope, search, ...(orderby && { orderby: orderby as 'id' }) })
          }
          keys={[search, status, version]}
          keyOf={({ id }) => id}
          empty={search || status ? 'No affiliate matches.' : 'There are no affiliates yet. Add one, or accept an application.'}
        />
      </Card>
      {isAdding && <AddAffiliate onSaved={() => setVersion(version + 1)} onClose={close} />}
    </>
  );
}
