import type { ComponentChildren } from 'preact';
import type { Page } from '../../client/src/index.ts';
import { Badge, Name, SearchField, Select } from './components.tsx';
import { ExplanationPanel } from './explanation.tsx';
import { formatDateTime, formatMoney } from './format.ts';
import { invoiceUrl } from './invoices.ts';
import { AffiliateLink, CouponLink, hrefOfPayout, NameLink } from './links.tsx';
import { nameOf } from './names.ts';
import { readRange } from './range.tsx';
import type { Order, Payout, ProgramOrder } from './records.ts';
import { getChoice, getQuery, setQuery, setSearch } from './router.ts';
import { api, getMe, isServed } from './session.ts';
import { boldMoney, type Column, columnsOf, Table } from './table.tsx';
import { commissionStatuses, creditedVia, type Explained, noCommission, orderStatuses, payoutStatuses } from './words.ts';

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
const figure = { isNumber: true };
const plainNumber = orderColumn('Order', 'order_id', (id) => `#${id}`, { place: 'name' });

const orderColumns: readonly Column<Order>[] = [
  orderColumn('Date', 'date', formatDateTime, { place: 'detail' }),
  orderColumn('Status', 'status', (status) => <Badge of={orderStatuses[status]} />, { place: 'detail' }),
  {
    title: 'Commission status',
    cell: ({ status, commission_status: of }) => <Badge of={status === 'pending' ? noCommission : commissionStatuses[of]} />,
    csv: ({ commission_status }) => commission_status,
    place: 'state',
  },
  {
    title: 'Referred by',
    cell: ({ credited_via, campaign }) => (
      <>
        {creditedVia[credited_via]}
        {campaign && (
          <p class="small quiet">
            <Name>{campaign}</Name>
          </p>
        )}
      </>
    ),
    csv: ({ credited_via }) => credited_via,
  },
  orderColumn('Campaign', 'campaign', () => null, { isFileOnly: true }),
  orderColumn('Before discount', 'total', formatMoney, figure),
  orderColumn('Discount', 'discount', formatMoney, { ...figure, isFileOnly: true }),
  orderColumn('Refunded', 'refunded_amount', formatMoney, { ...figure, isFileOnly: true }),
  orderColumn('Commission', 'commission', boldMoney, { ...figure, place: 'value' }),
];

/** The number of an order opens and closes its explanation. The open one is in the address. */
const numberColumn = (explained: number): Column<Order> =>
  orderColumn(
    'Order',
    'order_id',
    (id) => (
      <button
        type="button"
        class="link"
        aria-expanded={id === explained}
        aria-label={`Explain #${id}`}
        onClick={() => setQuery({ explained: id === explained ? null : id }, { isReplaced: true })}
      >
        #{id}
      </button>
    ),
    { place: 'name' },
  );

interface OrderFilter {
  from?: string;
  to?: string;
  status?: Order['status'];
  commission_status?: Order['commission_status'];
}

interface OrderListProps<Row extends Order> {
  load: (query: OrderFilter & { page: number; per_page: number }) => Promise<Page<Row>>;
  /** Changes with what `load` loads. */
  keys: readonly unknown[];
  couponOf: (row: Row) => number;
  /** Columns after the number of the order. */
  columns?: readonly Column<Row>[];
  /** An order is found by its number whenever it was placed. */
  isOfAllTime?: boolean;
  prefix?: string;
  /** More filters. */
  children?: ComponentChildren;
}

/** Orders in the range of the address, each with its explanation. */
function OrderList<Row extends Order>({ load, keys, couponOf, columns = [], isOfAllTime, prefix = '', children }: OrderListProps<Row>) {
  const { days, key } = readRange();
  const status = getChoice('status', orderStatuses);
  const commissionStatus = getChoice('commission_status', commissionStatuses);
  const filter = {
    ...(!isOfAllTime && days),
    ...(status && { status }),
    ...(commissionStatus && { commission_status: commissionStatus }),
  };
  const explained = isServed('get_coupons_id_orders_order_id_explanation') ? Number(getQuery('explained')) : null;
  const number = explained === null ? plainNumber : numberColumn(explained);
  const shown = [number, ...columns, ...orderColumns] as readonly Column<Row>[];
  return (
    <>
      <div class="filters">
        {children}
        <StatusFilter label="Order status" statuses={orderStatuses} page={`${prefix}page`} />
        <StatusFilter label="Commission status" statuses={commissionStatuses} name="commission_status" page={`${prefix}page`} />
      </div>
      <p class="small quiet">Includes unpaid, failed, cancelled and refunded orders, which Results leave out.</p>
      <Table
        name="Orders"
        columns={shown}
        load={({ page, per_page }) => load({ page, per_page, ...filter })}
        keys={[...keys, key, isOfAllTime, status, commissionStatus]}
        keyOf={(order) => `${couponOf(order)} ${order.order_id}`}
        noteOf={(order) => order.order_id === explained && <ExplanationPanel couponId={couponOf(order)} orderId={order.order_id} />}
        prefix={prefix}
        empty={
          status || commissionStatus || isOfAllTime || !days.from
            ? 'No order matches.'
            : 'There are no orders in this range. Choose a longer one, or “All”.'
        }
      />
    </>
  );
}

/** The orders of a coupon. */
export const CouponOrders = ({ couponId, children }: { couponId: number; children?: ComponentChildren }) => (
  <OrderList load={(query) => api.coupons.orders(couponId, query)} keys={[couponId]} couponOf={() => couponId}>
    {children}
  </OrderList>
);

const couponColumn: Column<ProgramOrder> = {
  title: 'Coupon',
  cell: ({ coupon_id, coupon }) => <CouponLink id={coupon_id} code={coupon} />,
  csv: ({ coupon }) => coupon,
  place: 'detail',
};

/** With the affiliate below the code. */
const affiliateColumns: readonly Column<ProgramOrder>[] = [
  {
    ...couponColumn,
    cell: ({ coupon_id, coupon, user_id }) => (
      <>
        <CouponLink id={coupon_id} code={coupon} />
        {user_id > 0 && (
          <p class="small quiet wide-only">
            <AffiliateLink id={user_id} name={nameOf(user_id)} />
          </p>
        )}
      </>
    ),
  },
  { title: 'Affiliate', isFileOnly: true, cell: () => null, csv: ({ user_id }) => user_id },
];

interface AllOrdersProps {
  userId?: number;
  couponId?: number;
  /** Shows whose orders they are. */
  hasAffiliates?: boolean;
  prefix?: string;
  children?: ComponentChildren;
}

/** Orders over all coupons: of the program, of an affiliate, or those of the reader. */
export function AllOrders({ userId, couponId, hasAffiliates = false, prefix = '', children }: AllOrdersProps) {
  const search = getQuery('search');
  const filter = {
    ...(search && { search }),
    ...(userId !== undefined && { user_id: userId }),
    ...(couponId !== undefined && { coupon_id: couponId }),
  };
  return (
    <OrderList
      load={(query) => api.orders.list({ ...query, ...filter })}
      keys={[JSON.stringify(filter)]}
      couponOf={({ coupon_id }) => coupon_id}
      columns={hasAffiliates ? affiliateColumns : [couponColumn]}
      isOfAllTime={search !== ''}
      prefix={prefix}
    >
      <SearchField label="Order number or coupon code" value={search} onChange={setSearch} />
      {children}
    </OrderList>
  );
}

const payoutColumn = columnsOf<Payout>();

const hrefOf = ({ id }: Payout): string | null => (getMe().is_admin ? hrefOfPayout(id) : `/console/payouts/${id}`);

/** The payee leads to the payout, whose page has the rest. */
export const payeeColumn: Column<Payout> = {
  title: 'Affiliate',
  cell: (payout) => <NameLink href={hrefOf(payout)} name={payout.user.display_name} />,
  csv: ({ user }) => user.display_name,
  place: 'name',
};

export const numberOfPayout: Column<Payout> = payoutColumn('Payout', 'id', (id) => `#${id}`, { orderby: 'id', place: 'detail' });

const linkedNumber: Column<Payout> = {
  ...numberOfPayout,
  cell: (payout) => <NameLink href={hrefOf(payout)} name={`#${payout.id}`} />,
  place: 'name',
};

export const payoutColumns: readonly Column<Payout>[] = [
  payoutColumn('Requested', 'date', formatDateTime, { orderby: 'date', place: 'detail' }),
  payoutColumn('Coupon', 'coupon_code', (code) => <Name>{code}</Name>),
  payoutColumn('Method', 'method', (method) => <Name>{method}</Name>, { place: 'detail' }),
  payoutColumn('Status', 'status', (status) => <Badge of={payoutStatuses[status]} />, { place: 'state' }),
  payoutColumn('Paid on', 'date_paid', formatDateTime, { orderby: 'date_paid' }),
  payoutColumn(
    'Invoice',
    'invoice_id',
    (id) =>
      id > 0 && (
        <a href={invoiceUrl(id)} target="_self">
          Invoice #{id}
        </a>
      ),
    { isOptional: true },
  ),
  payoutColumn('Amount', 'amount', boldMoney, { isNumber: true, orderby: 'amount', place: 'value' }),
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
        columns={[linkedNumber, ...payoutColumns]}
        load={({ orderby, ...query }) => api.payouts.list({ ...query, ...(orderby && { orderby: orderby as 'date' }), ...filter })}
        keys={[userId, couponId, status, version]}
        keyOf={({ id }) => id}
        prefix={prefix}
        empty={empty}
      />
    </>
  );
}
