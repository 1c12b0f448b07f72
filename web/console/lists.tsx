import type { ComponentChildren } from 'preact';
import { Badge, Name, Select } from './components.tsx';
import { ExplanationPanel } from './explanation.tsx';
import { formatDateTime, formatMoney } from './format.ts';
import { invoiceUrl } from './invoices.ts';
import { readRange } from './range.tsx';
import type { Order, Payout } from './records.ts';
import { getChoice, getQuery, setQuery } from './router.ts';
import { api, isServed } from './session.ts';
import { boldMoney, type Column, columnsOf, Table } from './table.tsx';
import { commissionStatuses, creditedVia, type Explained, orderStatuses, payoutStatuses } from './words.ts';

interface StatusFilterProps {
  label: string;
  statuses: Record<string, Explained>;
  /** The names of the filter and of the page in the address. */
  name?: string;
  page?: string;
}

/** Filters a list by a status in words, or by none. The status is in the address. */
export const StatusFilter = ({ label, statuses, name = 'status', page = 'page' }: StatusFilterProps) => (
  <Select
    label={label}
    value={getChoice(name, statuses) ?? ''}
    options={[['', 'All'], ...Object.entries(statuses).map(([value, { label: text }]) => [value, text] as const)]}
    onChange={(value) => setQuery({ [name]: value, [page]: null })}
  />
);

const orderColumn = columnsOf<Order>();
const number = { isNumber: true };

const orderColumns: readonly Column<Order>[] = [
  orderColumn('Order', 'order_id', (id) => id),
  orderColumn('Date', 'date', formatDateTime),
  orderColumn('Status', 'status', (status) => <Badge of={orderStatuses[status]} />),
  orderColumn('Commission is', 'commission_status', (status) => <Badge of={commissionStatuses[status]} />),
  orderColumn('Through', 'credited_via', (via) => creditedVia[via]),
  orderColumn('Campaign', 'campaign', (campaign) => <Name>{campaign ?? ''}</Name>),
  orderColumn('Total', 'total', formatMoney, number),
  orderColumn('Discount', 'discount', formatMoney, number),
  orderColumn('Refunded', 'refunded_amount', formatMoney, number),
  orderColumn('Commission', 'commission', boldMoney, number),
];

/** Opens and closes the explanation of an order. The open one is in the address. */
const explainColumn = (explained: number): Column<Order> => ({
  title: '',
  cell: ({ order_id }) => (
    <div class="actions">
      <button
        type="button"
        class="plain"
        aria-expanded={order_id === explained}
        aria-label={`Explain the commission of order ${order_id}`}
        onClick={() => setQuery({ explained: order_id === explained ? null : order_id }, { isReplaced: true })}
      >
        Explain
      </button>
    </div>
  ),
});

/** The orders of a coupon in the range of the address. */
export function Orders({ couponId, prefix = '', children }: { couponId: number; prefix?: string; children?: ComponentChildren }) {
  const { days, key } = readRange();
  const status = getChoice('status', orderStatuses);
  const commissionStatus = getChoice('commission_status', commissionStatuses);
  const filter = {
    ...days,
    ...(status && { status }),
    ...(commissionStatus && { commission_status: commissionStatus }),
  };
  const explained = isServed('get_coupons_id_orders_order_id_explanation') ? Number(getQuery('explained')) : null;
  const columns = explained === null ? orderColumns : [...orderColumns, explainColumn(explained)];
  return (
    <>
      <div class="filters">
        {children}
        <StatusFilter label="Order status" statuses={orderStatuses} page={`${prefix}page`} />
        <StatusFilter label="Commission is" statuses={commissionStatuses} name="commission_status" page={`${prefix}page`} />
      </div>
      <Table
        name="Orders"
        columns={columns}
        load={({ page, per_page }) => api.coupons.orders(couponId, { page, per_page, ...filter })}
        keys={[couponId, key, status, commissionStatus]}
        keyOf={({ order_id }) => order_id}
        noteOf={({ order_id }) => order_id === explained && <ExplanationPanel couponId={couponId} orderId={order_id} />}
        prefix={prefix}
        empty="There are no orders in this range with these filters."
      />
    </>
  );
}

const payoutColumn = columnsOf<Payout>();

export const payoutColumns: readonly Column<Payout>[] = [
  {
    title: 'Payout',
    cell: ({ id, invoice_id }) => (
      <>
        #{id}{' '}
        {invoice_id > 0 && (
          <a href={invoiceUrl(invoice_id)} target="_self">
            Invoice #{invoice_id}
          </a>
        )}
      </>
    ),
    csv: ({ id }) => id,
    orderby: 'id',
  },
  payoutColumn('Invoice', 'invoice_id', (id) => id, { isFileOnly: true }),
  payoutColumn('Requested', 'date', formatDateTime, { orderby: 'date' }),
  payoutColumn('Coupon', 'coupon_code', (code) => <Name>{code}</Name>),
  payoutColumn('Method', 'method', (method) => <Name>{method}</Name>),
  payoutColumn('Status', 'status', (status) => <Badge of={payoutStatuses[status]} />),
  payoutColumn('Paid on', 'date_paid', formatDateTime, { orderby: 'date_paid' }),
  payoutColumn('Amount', 'amount', boldMoney, { isNumber: true, orderby: 'amount' }),
];

interface PayoutsProps {
  userId?: number;
  couponId?: number;
  empty: ComponentChildren;
  prefix?: string;
  version?: number;
}

/** Payouts of the reader, or of the affiliate or coupon that an admin looks at. */
export function Payouts({ userId, couponId, empty, prefix = '', version = 0 }: PayoutsProps) {
  const status = getChoice(`${prefix}status`, payoutStatuses);
  const filter = {
    ...(userId !== undefined && { user_id: userId }),
    ...(couponId !== undefined && { coupon_id: couponId }),
    ...(status && { status }),
  };
  return (
    <>
      <div class="filters">
        <StatusFilter label="Payout status" statuses={payoutStatuses} name={`${prefix}status`} page={`${prefix}page`} />
      </div>
      <Table
        name="Payouts"
        columns={payoutColumns}
        load={({ orderby, ...query }) => api.payouts.list({ ...query, ...(orderby && { orderby: orderby as 'date' }), ...filter })}
        keys={[userId, couponId, status, version]}
        keyOf={({ id }) => id}
        prefix={prefix}
        empty={empty}
      />
    </>
  );
}
