import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Page, pages } from '../../client/src/index.ts';
import { Icon } from './components.tsx';
import { type Cell, downloadCsv } from './csv.ts';
import { countOf, formatMoney, formatNumber } from './format.ts';
import { ErrorBox, Skeleton, useLoad } from './load.tsx';
import { getQuery, hrefWith, setQuery } from './router.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** The value in the CSV file. A column without it is on the page only. */
  readonly csv?: (row: Row) => Cell;
  /** Its name as a value of `orderby`, where the list can be sorted by it. */
  readonly orderby?: string;
  readonly isNumber?: boolean;
  /**
   * Where it stands on a phone, which has two lines for each record: name and value, then details and at the end a state. Other columns are
   * not shown there. A link or a button in the name is what a click anywhere in the row opens.
   */
  readonly place?: 'name' | 'value' | 'detail' | 'state';
  /** In the CSV file, and not on the page. */
  readonly isFileOnly?: boolean;
  /** Not on a page whose rows have nothing in it. */
  readonly isOptional?: boolean;
}

/** Makes columns of one field each, which the CSV file has as the API returns it. */
export const columnsOf =
  <Row,>() =>
  <Field extends keyof Row>(
    title: string,
    field: Field,
    show: (value: Row[Field]) => ComponentChildren,
    more: Partial<Column<Row>> = {},
  ): Column<Row> => ({ title, cell: (row) => show(row[field]), csv: (row) => row[field] as Cell, ...more });

/** Nothing is quiet, so that amounts stand out. */
export const money = (amount: number) => (amount === 0 ? <span class="quiet">{formatMoney(0)}</span> : formatMoney(amount));
export const boldMoney = (amount: number) => (amount === 0 ? money(0) : <b>{formatMoney(amount)}</b>);

interface PageQuery {
  page: number;
  per_page: number;
  orderby?: string;
  order?: 'asc' | 'desc';
}

interface TableProps<Row> {
  /** Names the table, and its CSV file. */
  name: string;
  columns: readonly Column<Row>[];
  load: (query: PageQuery) => Promise<Page<Row>>;
  /** Everything beside the page and the order that changes the list. */
  keys?: readonly unknown[];
  keyOf: (row: Row) => string | number;
  empty: ComponentChildren;
  /** The order that a page begins with, from the highest value. Else it is that of the API. */
  sortedBy?: string;
  /** Before the names of query parameters, where a page has several tables. */
  prefix?: string;
  perPage?: number;
  /** Called with the rows of every page that is shown. */
  onRows?: (rows: readonly Row[]) => void;
  /** Shown below a row, over its whole width. */
  noteOf?: (row: Row) => ComponentChildren;
  actions?: ComponentChildren;
  /** In place of everything else above the table, as long as rows are selected. */
  selection?: ComponentChildren;
  /** What the rows sum up to, shown where they are all. */
  sumOf?: (rows: readonly Row[]) => string;
}

/** For a list that is loaded as a whole. It is shown page by page like any other. */
export const loadWhole =
  <Row,>(items: readonly Row[]) =>
  async ({ page, per_page: perPage }: PageQuery): Promise<Page<Row>> => ({
    items: items.slice((page - 1) * perPage, page * perPage),
    total: items.length,
    totalPages: Math.ceil(items.length / perPage),
  });

/** A collection of the API: page by page, sorted, and as a CSV file. Page and order are in the address. */
export function Table<Row>(props: TableProps<Row>) {
  const {
    name,
    columns: allColumns,
    load,
    keys = [],
    keyOf,
    empty,
    sortedBy = '',
    prefix = '',
    perPage = 20,
    onRows,
    noteOf,
    actions,
    selection,
    sumOf,
  } = props;
  const page = /^[1-9]\d{0,8}$/.test(getQuery(`${prefix}page`)) ? Number(getQuery(`${prefix}page`)) : 1;
  const [orderby, order] = [getQuery(`${prefix}orderby`) || sortedBy, getQuery(`${prefix}order`)];
  const isSortable = allColumns.some((column) => column.orderby === orderby);
  const sorting = { ...(isSortable && { orderby, order: order === 'asc' ? ('asc' as const) : ('desc' as const) }) };
  const list = useLoad(() => load({ page, per_page: perPage, ...sorting }), [page, perPage, orderby, order, ...keys]);
  useEffect(() => void (list.value && onRows?.(list.value.items)), [list.value]);
  if (list.error !== undefined) return <ErrorBox error={list.error} onRetry={list.reload} />;
  if (!list.value) return <Skeleton lines={8} />;
  const { items, total, totalPages } = list.value;
  const hasValues = ({ isOptional, csv }: Column<Row>): boolean => !isOptional || items.some((row) => Boolean(csv?.(row)));
  const columns = allColumns.filter((column) => !column.isFileOnly && hasValues(column));
  return (
    <div class={list.current ? 'table-box' : 'table-box former'} aria-busy={list.isLoading}>
      <div class="table-tools">
        <p class="quiet" role="status">
          {!selection && total > 0 && countOf(total, nounOf(name))}
          {!selection && total > 0 && totalPages === 1 && sumOf && ` · ${sumOf(items)}`}
        </p>
        {selection || (
          <>
            {actions}
            {total > 1 && <SortChoice columns={columns} orderby={orderby} order={order} prefix={prefix} />}
            {total > 0 && <CsvButton name={name} columns={allColumns} load={load} {...sorting} />}
          </>
        )}
      </div>
      {total === 0 && <p class="empty">{empty}</p>}
      {items.length > 0 && (
        <table aria-label={name}>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeadCell key={column.title} column={column} orderby={orderby} order={order} prefix={prefix} />
              ))}
            </tr>
          </thead>
          <tbody onClick={openRow}>
            {items.map((row) => (
              <BodyRow key={keyOf(row)} row={row} columns={columns} note={noteOf?.(row)} />
            ))}
          </tbody>
        </table>
      )}
      <Paging page={page} totalPages={totalPages} prefix={prefix} />
    </div>
  );
}

/** What a table has: `payouts` for `Payouts of the file`. */
function nounOf(name: string): string {
  const [, noun = name] = /^(.*?)(?: to | of |$)/.exec(name) ?? [];
  return noun.startsWith('API') ? noun : noun.charAt(0).toLowerCase() + noun.slice(1);
}

/** For the pointer alone: the keyboard reaches the link or the button itself. */
function openRow({ target }: MouseEvent): void {
  const place = target as Element;
  const isOwn = place.closest('a, button, input, label, [data-title="Select"], .row-note');
  if (isOwn || getSelection()?.type === 'Range') return;
  place.closest('tr')?.querySelector<HTMLElement>('[data-place="name"] :is(a, button)')?.click();
}

/** Descending and ascending, in words. */
function nameOrders<Row>({ orderby = '', isNumber }: Column<Row>): { desc: string; asc: string } {
  if (/date|id/.test(orderby)) return { desc: 'newest first', asc: 'oldest first' };
  return isNumber ? { desc: 'highest first', asc: 'lowest first' } : { desc: 'Z to A', asc: 'A to Z' };
}

/** Sorts on a phone, where the head of the table is not shown. */
function SortChoice<Row>({ columns, orderby, order, prefix }: Omit<HeadCellProps<Row>, 'column'> & { columns: readonly Column<Row>[] }) {
  const options = columns
    .filter((column) => column.orderby)
    .flatMap((column) =>
      Object.entries(nameOrders(column)).map(([way, text]) => [`${column.orderby} ${way}`, `${column.title}: ${text}`] as const),
    );
  if (options.length === 0) return null;
  const sort = (value: string): void => {
    const [name = '', way = ''] = value.split(' ');
    setQuery({ [`${prefix}orderby`]: name, [`${prefix}order`]: way, [`${prefix}page`]: null });
  };
  return (
    <select
      class="sort-choice"
      aria-label="Sort by"
      value={orderby && `${orderby} ${order || 'desc'}`}
      onChange={(event) => sort(event.currentTarget.value)}
    >
      <option value="">Sort by</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface HeadCellProps<Row> {
  column: Column<Row>;
  orderby: string;
  order: string;
  prefix: string;
}

function HeadCell<Row>({ column: { title, orderby: name, isNumber }, orderby, order, prefix }: HeadCellProps<Row>) {
  const className = isNumber ? 'number' : undefined;
  if (!name)
    return (
      <th scope="col" class={className}>
        {title}
      </th>
    );
  const isCurrent = orderby === name;
  const isDescending = isCurrent && order !== 'asc';
  const href = hrefWith({ [`${prefix}orderby`]: name, [`${prefix}order`]: isDescending ? 'asc' : 'desc', [`${prefix}page`]: null });
  return (
    <th scope="col" class={className} aria-sort={isCurrent ? (isDescending ? 'descending' : 'ascending') : undefined}>
      <a class="sort" href={href}>
        {title}
        <span aria-hidden="true">{isCurrent ? (isDescending ? ' ↓' : ' ↑') : ' ↕'}</span>
      </a>
    </th>
  );
}

function BodyRow<Row>({ row, columns, note }: { row: Row; columns: readonly Column<Row>[]; note: ComponentChildren }) {
  return (
    <>
      <tr class={note ? 'has-note' : undefined}>
        {columns.map(({ title, cell, isNumber, place }) => (
          <td key={title} data-place={place} data-title={title} class={isNumber ? 'number' : undefined}>
            {cell(row)}
          </td>
        ))}
      </tr>
      {note && (
        <tr class="row-note">
          <td colSpan={columns.length}>{note}</td>
        </tr>
      )}
    </>
  );
}

export function Paging({ page, totalPages, prefix }: { page: number; totalPages: number; prefix: string }) {
  const hrefOf = (target: number): string => hrefWith({ [`${prefix}page`]: target === 1 ? null : target });
  if (totalPages === 0 || (totalPages === 1 && page === 1)) return null;
  // The entries of the last page may be gone since: paid, or deleted.
  if (page > totalPages)
    return (
      <p class="empty paging-end" role="status">
        There is no page {formatNumber(page)}. <a href={hrefOf(totalPages)}>Show the last page, {formatNumber(totalPages)}</a>
      </p>
    );
  const link = (target: number, text: string) =>
    target >= 1 && target <= totalPages ? (
      <a key={text} class="plain" href={hrefOf(target)}>
        {text}
      </a>
    ) : (
      <span key={`no ${text}`} class="plain off" aria-hidden="true">
        {text}
      </span>
    );
  return (
    <nav class="paging" aria-label="Pages">
      {link(page - 1, 'Previous')}
      <span>
        Page {formatNumber(page)} of {formatNumber(totalPages)}
      </span>
      {link(page + 1, 'Next')}
    </nav>
  );
}

interface CsvButtonProps<Row> {
  name: string;
  columns: readonly Column<Row>[];
  load: (query: { page: number; per_page: number }) => Promise<Page<Row>>;
  orderby?: string;
  order?: 'asc' | 'desc';
}

/** The rows as they are sorted on the page, from the values that the file has. */
function sortRows<Row>(rows: Row[], { columns, orderby, order }: Omit<CsvButtonProps<Row>, 'name' | 'load'>): Row[] {
  const value = columns.find((column) => orderby && column.orderby === orderby)?.csv;
  const compare = (one: Cell, other: Cell): number =>
    typeof one === 'number' && typeof other === 'number' ? one - other : String(one ?? '').localeCompare(String(other ?? ''));
  return value ? rows.toSorted((one, other) => compare(value(one), value(other)) * (order === 'asc' ? 1 : -1)) : rows;
}

/**
 * Reads all pages of the list with its filters, in the order of the API, in which no order of the shop moves a row to another page: sorted by a
 * balance, a row could be on two pages or on none.
 */
export function CsvButton<Row>({ name, columns, load, orderby, order }: CsvButtonProps<Row>) {
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<unknown>();
  const save = async (): Promise<void> => {
    setError(undefined);
    setDone(0);
    try {
      const all: Row[] = [];
      const read = async (query: { page: number; per_page: number }): Promise<Page<Row>> => {
        const answer = await load(query);
        setDone(query.page / Math.max(1, answer.totalPages));
        return answer;
      };
      for await (const row of pages(read, { page: 1, per_page: 100 }).items()) all.push(row);
      const rows = sortRows(all, { columns, ...(orderby && { orderby }), ...(order && { order }) });
      const saved = columns.flatMap(({ title, csv }) => (csv ? [{ title, csv }] : []));
      downloadCsv(name, [saved.map(({ title }) => title), ...rows.map((row) => saved.map(({ csv }) => csv(row)))]);
    } catch (failure) {
      setError(failure);
    }
    setDone(null);
  };
  return (
    <>
      <button type="button" class="plain" onClick={save} disabled={done !== null} aria-label={`Download ${name} as CSV`}>
        <Icon name="download" />
        {done === null ? 'CSV' : `${Math.round(done * 100)} %`}
      </button>
      {error !== undefined && <ErrorBox error={error} />}
    </>
  );
}
