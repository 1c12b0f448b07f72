import type { EntityManager, EntitySchema, EntitySchemaColumnOptions, ObjectLiteral, SelectQueryBuilder, ValueTransformer } from 'typeorm';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import { prepareOnce } from '../engine/postgres/prepared-names.ts';
import type { Column } from '../entities/columns.ts';

/** A column of a statement and the property that it is in an object, which may be nested: `['balances', 'unpaid']`. */
export interface ColumnSource {
  column: string;
  type: 'bigint' | 'text';
  path: readonly [property: string, nested?: string];
  transformer: ValueTransformer | undefined;
}

type RawRow = Record<string, unknown>;
type Extra = Record<string, Column<unknown>>;
type ExtraValues<Own extends Extra> = { [Property in keyof Own]: Own[Property] extends Column<infer Value> ? Value : never };

/** Columns of an entity as hand-written SQL selects them, and the objects that such rows are. */
export class Projection<Row> {
  readonly sources: readonly ColumnSource[];
  readonly columns: readonly string[];
  #toObject: ((row: RawRow) => Row) | undefined;
  #fromValues: ((values: readonly unknown[]) => Row) | undefined;

  constructor(sources: readonly ColumnSource[]) {
    this.sources = sources;
    this.columns = sources.map(({ column }) => column);
  }

  get toObject(): (row: RawRow) => Row {
    this.#toObject ??= compileReader(this.sources, ({ column }) => `row.${column}`);
    return this.#toObject;
  }

  /** Of values in the order of the columns. */
  get fromValues(): (values: readonly unknown[]) => Row {
    this.#fromValues ??= compileReader(this.sources, (_source, place) => `row[${place}]`);
    return this.#fromValues;
  }

  /** For a select: `id, code`, or `coupons.id, coupons.code` where several tables are joined. */
  list(table?: string): string {
    return this.columns.map((column) => (table === undefined ? column : `${table}.${column}`)).join(', ');
  }

  /** For a select of sums: `coalesce(sum(clicks), 0) as clicks`. */
  sums(): string {
    return this.columns.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ');
  }

  /** With further columns that the statement selects under these names. */
  plus<Own extends Extra>(columns: Own): Projection<Row & ExtraValues<Own>> {
    const more = Object.entries(columns).map(([property, options]) => sourceOf([property], options));
    return new Projection([...this.sources, ...more]);
  }
}

/**
 * Compiles `row => ({ id: from[0](row.id), balances: { unpaid: … } })`. A loop over the columns instead takes seven times as long: 50 µs
 * more for a page of 100 orders (benchmark row `orders`).
 */
function compileReader<Row, Raw>(
  sources: readonly ColumnSource[],
  input: (source: ColumnSource, place: number) => string,
): (row: Raw) => Row {
  const groups = new Map<string, string[]>();
  const properties: string[] = [];
  for (const [place, source] of sources.entries()) {
    const [property, nested] = source.path;
    const value = source.transformer ? `from[${place}](${input(source, place)})` : input(source, place);
    if (nested === undefined) properties.push(`${JSON.stringify(property)}: ${value}`);
    else groups.set(property, [...(groups.get(property) ?? []), `${JSON.stringify(nested)}: ${value}`]);
  }
  for (const [group, nested] of groups) properties.push(`${JSON.stringify(group)}: { ${nested.join(', ')} }`);
  const make = new Function('from', `return (row) => ({ ${properties.join(', ')} })`);
  return make(sources.map(({ transformer }) => transformer?.from));
}

/** All columns of an entity, or those of the named properties. A group, as `balances`, is named as a whole. */
export function projectionOf<Row extends object, Property extends keyof Row & string = keyof Row & string>(
  entity: EntitySchema<Row>,
  properties?: readonly Property[],
): Projection<Pick<Row, Property>> {
  const sources = columnSources(entity);
  return new Projection(properties ? sources.filter(({ path }) => (properties as readonly string[]).includes(path[0])) : sources);
}

const sourcesOf = new WeakMap<object, ColumnSource[]>();

/** All columns of an entity. */
export function columnSources<Row extends object>(entity: EntitySchema<Row>): ColumnSource[] {
  const cached = sourcesOf.get(entity);
  if (cached) return cached;
  const own = Object.entries(entity.options.columns) as [string, EntitySchemaColumnOptions][];
  const groups = Object.entries(entity.options.embeddeds ?? {}) as [string, { schema: EntitySchema<RawRow> }][];
  const sources = [
    ...own.map(([property, column]) => sourceOf([property], column)),
    ...groups.flatMap(([group, { schema }]) =>
      Object.entries(schema.options.columns).map(([property, column]) => sourceOf([group, property], column as EntitySchemaColumnOptions)),
    ),
  ];
  sourcesOf.set(entity, sources);
  return sources;
}

/** Columns that a statement computes or joins, which are no entity's. */
export const resultColumns = <Own extends Extra>(columns: Own): Projection<ExtraValues<Own>> => new Projection<unknown>([]).plus(columns);

const sourceOf = (path: ColumnSource['path'], { name, type, transformer }: EntitySchemaColumnOptions): ColumnSource => ({
  column: String(name),
  type: type as ColumnSource['type'],
  path,
  transformer: transformer as ValueTransformer | undefined,
});

export const isPostgres = (manager: EntityManager): boolean => manager.connection.options.type === 'postgres';

/** Runs an update or a delete that has `returning`. On PostgreSQL, TypeORM returns the rows together with their number. */
export async function queryReturning<Row = Record<string, unknown>>(
  manager: EntityManager,
  sql: string,
  values: unknown[],
): Promise<Row[]> {
  const result: Row[] | [Row[], number] = await manager.query(sql, values);
  return Array.isArray(result[0]) ? result[0] : (result as Row[]);
}

/** Takes a PostgreSQL advisory lock until the transaction ends; false while another process holds it. SQLite has one writer anyway. */
export async function tryAdvisoryLock(manager: EntityManager, lock: number): Promise<boolean> {
  if (!isPostgres(manager)) return true;
  const [row]: { free: boolean }[] = await manager.query(`select pg_try_advisory_xact_lock(${lock}) as free`);
  return row?.free === true;
}

/** One page of what a query finds. The rows are not queried when the page lies past the end. */
export async function findPage<Row extends ObjectLiteral>(query: SelectQueryBuilder<Row>, page: Page): Promise<Paged<Row>> {
  // The first page is wanted in any case, so both statements are sent together.
  if (page.page === 1) {
    const [total, items] = await Promise.all([query.clone().getCount(), query.limit(page.perPage).getMany()]);
    return { items, total };
  }
  const total = await query.getCount();
  if (isPastTheEnd(page, total)) return { items: [], total };
  return { items: await query.offset(offsetOf(page)).limit(page.perPage).getMany(), total };
}

// SQLite's driver converts values one by one, which takes three times as long as to write and parse JSON: rows are transferred as JSON arrays.

/** Rows of a statement that selects the columns of the projection, in any order. */
export async function selectRows<Row>(
  manager: EntityManager,
  projection: Projection<Row>,
  select: string,
  values: unknown[],
): Promise<Row[]> {
  if (isPostgres(manager)) return (await manager.query(select, values)).map(projection.toObject);
  const packed = `select json_group_array(json_array(${projection.list()})) as packed from (${select})`;
  const [row]: { packed: string }[] = await manager.query(packed, values);
  return (JSON.parse(row?.packed ?? '[]') as unknown[][]).map(projection.fromValues);
}

type Tables = Record<string, Projection<unknown>>;
/** The object of each table, or null where a left join found no row. */
type Joined<Own extends Tables> = { [Table in keyof Own]: Own[Table] extends Projection<infer Row> ? Row | null : never };

interface JoinedSelect<Own extends Tables> {
  /** The columns to read of each joined table. The first one is its key. */
  tables: Own;
  /** Expressions by name, returned as `computed`. */
  computed?: Record<string, string>;
  /** What precedes SELECT: `with recursive …`. */
  with?: string;
  /** From the FROM clause on. */
  from: string;
}

/** Reads rows of a join as one object per table. The text of the statement is built once: it is longer than what it returns. */
export function compileJoin<Own extends Tables>({ tables, computed = {}, with: prefix = '', from }: JoinedSelect<Own>) {
  const list = [...Object.entries(tables).map(([table, projection]) => projection.list(table)), ...Object.values(computed)];
  const statement = (array: string): string => `${prefix} select ${array}(${list.join(', ')}) as packed ${from}`;
  const [onPostgres, onSqlite] = [prepareOnce(statement('json_build_array')), statement('json_array')];
  const unpack = compileUnpack(tables, Object.keys(computed));
  return async (manager: EntityManager, values: unknown[]): Promise<(Joined<Own> & { computed: Record<string, unknown> })[]> => {
    const rows: { packed: unknown }[] = await manager.query(isPostgres(manager) ? onPostgres : onSqlite, values);
    return rows.map(({ packed }) => unpack(typeof packed === 'string' ? JSON.parse(packed) : packed));
  };
}

function compileUnpack<Own extends Tables>(tables: Own, computed: readonly string[]) {
  let place = 0;
  const parts = Object.entries(tables).map(([table, { columns, fromValues }]) => {
    const [first, end] = [place, (place += columns.length)];
    return { table, read: (values: readonly unknown[]) => (values[first] === null ? null : fromValues(values.slice(first, end))) };
  });
  const firstComputed = place;
  return (values: readonly unknown[]): Joined<Own> & { computed: Record<string, unknown> } => {
    const row: Record<string, unknown> = {};
    for (const { table, read } of parts) row[table] = read(values);
    row['computed'] = Object.fromEntries(computed.map((name, index) => [name, values[firstComputed + index]]));
    return row as Joined<Own> & { computed: Record<string, unknown> };
  };
}
