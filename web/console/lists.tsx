import type { ComponentChildren } from 'preact';
import { Badge, Name, Select } from './components.tsx';
import { ExplanationPanel } from './explanation.tsx';
import { formatDateTime, formatMoney } from './format.ts';
import { invoiceUrl } from './invoices.ts';
import { readRange } from './range.tsx';
import type { Order, Payout } from './records.ts';
import { getChoice, getQuery, setQuery } from './router.ts';
import { api, isServed } from './session.ts';
import { type Column, Table } from './table.tsx';
import { commissionStatuses, creditedVia, type Explained, orderStatuses, payoutStatuses } from './words.ts';

/** The options of a filter: all, then each status in words. */
export const statusOptions = (statuses: Record<string, Explained>, all = 'All'): (readonly [string, string])[] => [
  ['', all],
  ...Object.entries(statuses).map(([value, { label }]) => [value, label] as const),
];

const orderColumns: readonly Column<Order>[] = [
  { title: 'Order', cell: ({ order_id }) => order_id, csv: ({ order_id }) => order_id },
  { title: 'Date', cell: ({ date }) => formatDateTime(date), csv: ({ date }) => date },
  { title: 'Status', cell: ({ status }) => <Badge of={orderStatuses[status]} />, csv: ({ status }) => status },
  {
    title: 'Commission is',
    cell: ({ commission_status }) => <Badge of={commissionStatuses[commission_status]} />,
    csv: ({ commission_status }) => commission_status,
  },
  { title: 'Through', cell: ({ credited_via }) => creditedVia[credited_via], csv: ({ credited_via }) => credited_via },
  { title: 'Campaign', cell: ({ campaign }) => <Name>{campaign ?? ''}</Name>, csv: ({ campaign }) => campaign },
  { title: 'Total', isNumber: true, cell: ({ total }) => formatMoney(total), csv: ({ total }) => total },
  { title: 'Discount', isNumber: true, cell: ({ discount }) => formatMoney(discount), csv: ({ discount }) => discount },
  {
    title: 'Refunded',
    isNumber: true,
    cell: ({ refunded_amount }) => formatMoney(refunded_amount),
    csv: ({ refunded_amount }) => refunded_amount,
  },
  { title: 'Commission', isNumber: true, cell: ({ commission }) => <b>{formatMoney(commission)}</b>, csv: ({ commission }) => commission },
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
  const reset = { [`${prefix}page`]: null };
  const explained = isServed('get_coupons_id_orders_order_id_explanation') ? Number(getQuery('explained')) : null;
  const columns = explained === null ? orderColumns : [...orderColumns, explainColumn(explained)];
  return (
    <>
      <div class="filters">
        {children}
        <Select
          label="Order status"
          value={status ?? ''}
          options={statusOptions(orderStatuses)}
          onChange={(value) => setQuery({ status: value, ...reset })}
        />
        <Select
          label="Commission is"
          value={commissionStatus ?? ''}
          options={statusOptions(commissionStatuses)}
          onChange={(value) => setQuery({ commission_status: value, ...reset })}
        />
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
  { title: 'Invoice', isFileOnly: true, cell: ({ invoice_id }) => invoice_id, csv: ({ invoice_id }) => invoice_id },
  { title: 'Requested', cell: ({ date }) => formatDateTime(date), csv: ({ date }) => date, orderby: 'date' },
  { title: 'Coupon', cell: ({ coupon_code }) => <Name>{coupon_code}</Name>, csv: ({ coupon_code }) => coupon_code },
  { title: 'Method', cell: ({ method }) => <Name>{method}</Name>, csv: ({ method }) => method },
  {
    title: 'Status',
    cell: ({ status }) => <Badge of={payoutStatuses[status]} />,
    csv: ({ status }) => status,
  },
  { title: 'Paid on', cell: ({ date_paid }) => formatDateTime(date_paid), csv: ({ date_paid }) => date_paid, orderby: 'date_paid' },
  { title: 'Amount', isNumber: true, cell: ({ amount }) => <b>{formatMoney(amount)}</b>, csv: ({ amount }) => amount, orderby: 'amount' },
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
        <Select
          label="Payout status"
          value={status ?? ''}
          options={statusOptions(payoutStatuses)}
          onChange={(value) => setQuery({ [`${prefix}status`]: value, [`${prefix}page`]: null })}
        />
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
