import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Page } from '../../client/src/index.ts';
import { Icon } from './components.tsx';
import { type Cell, downloadCsv } from './csv.ts';
import { formatMoney, formatNumber } from './format.ts';
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
  /** Where it stands on a phone, which has two lines for each record. Other columns are not shown there. */
  readonly place?: 'name' | 'value' | 'detail';
  /** In the CSV file, and not on the page. */
  readonly isFileOnly?: boolean;
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

export const boldMoney = (amount: number) => <b>{formatMoney(amount)}</b>;

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
  /** Before the names of query parameters, where a page has several tables. */
  prefix?: string;
  perPage?: number;
  /** Called with the rows of every page that is shown. */
  onRows?: (rows: readonly Row[]) => void;
  /** Shown below a row, over its whole width. */
  noteOf?: (row: Row) => ComponentChildren;
  actions?: ComponentChildren;
}

/** For a list that is part of a record. */
export const loadWhole =
  <Row,>(items: readonly Row[]) =>
  async (): Promise<Page<Row>> => ({ items: [...items], total: items.length, totalPages: 1 });

/** A collection of the API: page by page, sorted, and as a CSV file. Page and order are in the address. */
export function Table<Row>(props: TableProps<Row>) {
  const { name, columns: allColumns, load, keys = [], keyOf, empty, prefix = '', perPage = 20, onRows, noteOf, actions } = props;
  const columns = allColumns.filter(({ isFileOnly }) => !isFileOnly);
  const page = /^[1-9]\d{0,8}$/.test(getQuery(`${prefix}page`)) ? Number(getQuery(`${prefix}page`)) : 1;
  const [orderby, order] = [getQuery(`${prefix}orderby`), getQuery(`${prefix}order`)];
  const isSortable = columns.some((column) => column.orderby === orderby);
  const sorting = { ...(isSortable && { orderby, order: order === 'asc' ? ('asc' as const) : ('desc' as const) }) };
  const list = useLoad(() => load({ page, per_page: perPage, ...sorting }), [page, perPage, orderby, order, ...keys]);
  useEffect(() => void (list.value && onRows?.(list.value.items)), [list.value]);
  // The entries of the last page may be gone since: paid, or deleted.
  const lastPage = Math.max(1, list.value?.totalPages ?? page);
  useEffect(() => {
    if (page > lastPage && !list.isLoading) setQuery({ [`${prefix}page`]: lastPage === 1 ? null : lastPage }, { isReplaced: true });
  }, [page, lastPage, list.isLoading]);
  if (list.error !== undefined) return <ErrorBox error={list.error} onRetry={list.reload} />;
  if (!list.value) return <Skeleton lines={8} />;
  const { items, total, totalPages } = list.value;
  return (
    <div class="table-box" aria-busy={list.isLoading}>
      <div class="table-tools">
        <p class="quiet" role="status">
          {total === 0 ? '' : total === 1 ? '1 entry' : `${formatNumber(total)} entries`}
        </p>
        {actions}
        {total > 0 && <CsvButton name={name} columns={allColumns} load={(query) => load({ ...query, ...sorting })} />}
      </div>
      {items.length === 0 ? (
        <p class="empty">{empty}</p>
      ) : (
        <table aria-label={name}>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeadCell key={column.title} column={column} orderby={orderby} order={order} prefix={prefix} />
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((row) => (
              <BodyRow key={keyOf(row)} row={row} columns={columns} note={noteOf?.(row)} />
            ))}
          </tbody>
        </table>
      )}
      {totalPages > 1 && <Paging page={page} totalPages={totalPages} prefix={prefix} />}
    </div>
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

function Paging({ page, totalPages, prefix }: { page: number; totalPages: number; prefix: string }) {
  const link = (target: number, text: string) =>
    target >= 1 && target <= totalPages ? (
      <a key={text} class="plain" href={hrefWith({ [`${prefix}page`]: target === 1 ? null : target })}>
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
}

/** Reads all pages of the list, with its filters and its order. */
function CsvButton<Row>({ name, columns, load }: CsvButtonProps<Row>) {
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<unknown>();
  const save = async (): Promise<void> => {
    setError(undefined);
    setDone(0);
    try {
      const rows: Row[] = [];
      for (let page = 1, totalPages = 1; page <= totalPages; page += 1) {
        const answer = await load({ page, per_page: 100 });
        rows.push(...answer.items);
        totalPages = answer.totalPages;
        setDone(rows.length / Math.max(1, answer.total));
      }
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
