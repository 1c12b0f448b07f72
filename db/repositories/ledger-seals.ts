import type { EntityManager, EntitySchema } from 'typeorm';
import { groupBy } from '../../domain/group-by.ts';
import { beginningId, type DigestedRecords, type DigestKind } from '../../domain/ledger/digest.ts';
import type { SealHorizon, SealPosition, SealStore } from '../../domain/ledger/seal.ts';
import { advisoryLocks } from '../engine/dialect.ts';
import { bigint, toSafeInteger } from '../entities/columns.ts';
import { storeConnections } from '../entities/connections.ts';
import { coupons } from '../entities/coupons.ts';
import { ledger, ledgerDigests, ledgerSeals } from '../entities/ledger.ts';
import { orderShares, orders } from '../entities/orders.ts';
import { payoutDetails, payouts } from '../entities/payouts.ts';
import { users } from '../entities/users.ts';
import { webhooks } from '../entities/webhooks.ts';
import { isAmong } from '../sql/insert.ts';
import { columnSources, isPostgres, type Projection, projectionOf, resultColumns, selectRows, tryAdvisoryLock } from '../sql/projection.ts';
import { connectionProjection } from './connections.ts';
import { digestedCoupon } from './coupons.ts';
import type { Digests } from './ledger-digests.ts';
import { parentProjection } from './users.ts';
import { webhookProjection } from './webhooks.ts';

// By hand: pages of whole tables, for the benchmark rows `ledger-head` and `ledger-verify`.

export const sealStore = (manager: EntityManager, digests: Digests): SealStore => ({
  last: async () => (await selectRows(manager, seal, `${selectSeals} order by number desc limit 1`, []))[0] ?? null,
  after: (number, limit) => selectRows(manager, seal, `${selectSeals} where number > $1 order by number limit ${limit}`, [number]),
  claim: () => tryAdvisoryLock(manager, advisoryLocks.sealing),
  insert: async (inserted) => void (await manager.insert(ledgerSeals, inserted)),
  horizon: () => (isPostgres(manager) ? postgresHorizon(manager) : sqliteHorizon(manager)),
  stillWriting: async (writers) => {
    const open = await listWriters(manager);
    return writers.filter((writer) => open.includes(writer));
  },
  lastIds: () => lastIds(manager),
  newestAt: async (after) => {
    const [row] = await manager.query('select coalesce(max(created_at), 0) as newest from ledger where id > $1', [after]);
    return toSafeInteger(row.newest);
  },
  ledgerRows: (...range) => rowsWithin(manager, ledgerRow, 'ledger', range),
  digestRows: (...range) => rowsWithin(manager, digestRow, 'ledger_digests', range),
  records: (kind, after, limit) => sources[kind].read(manager, after, limit, false),
  lockedRecords: (kind, after, limit) => sources[kind].read(manager, after, limit, isPostgres(manager)),
  digestsOf: (kind, objectIds) =>
    selectRows(
      manager,
      digestRow,
      `select ${digestRow.list()} from ledger_digests
       where kind = '${kind}' and object_id ${isAmong(manager, 'bigint')} order by object_id, id`,
      [JSON.stringify(objectIds)],
    ),
  impossibleRows: () => impossibleRows(manager),
  missing: (kind, after, limit) => missing(manager, kind, after, limit),
  beginDigests: (kind, records) => digests.begin(kind, records),
});

const seal = projectionOf(ledgerSeals);
const ledgerRow = projectionOf(ledger);
const digestRow = projectionOf(ledgerDigests);
const selectSeals = `select ${seal.list()} from ledger_seals`;

const rowsWithin = <Row>(
  manager: EntityManager,
  projection: Projection<Row>,
  table: string,
  [after, upTo, limit]: [number, number, number],
): Promise<Row[]> =>
  selectRows(manager, projection, `select ${projection.list()} from ${table} where id > $1 and id <= $2 order by id limit ${limit}`, [
    after,
    upTo,
  ]);

const position = resultColumns({ ledgerId: bigint('ledger_id'), digestId: bigint('digest_id') });

async function lastIds(manager: EntityManager): Promise<SealPosition> {
  const [row]: Record<string, unknown>[] = await manager.query(
    `select coalesce((select max(id) from ledger), 0) as ledger_id, coalesce((select max(id) from ledger_digests), 0) as digest_id`,
  );
  return position.toObject(row ?? {});
}

/** There is one writer: whatever it commits next has higher ids. */
const sqliteHorizon = async (manager: EntityManager): Promise<SealHorizon> => ({ ...(await lastIds(manager)), writers: [] });

const lastOf = (sequence: string): string => `(select case when is_called then last_value else 0 end from ${sequence})`;

/**
 * The last ids that were given out, and the transactions that hold the lock of an insert: one of them may have such an id and not be
 * committed. The lock is taken before an id is, so the ids are read first.
 */
async function postgresHorizon(manager: EntityManager): Promise<SealHorizon> {
  const [row]: Record<string, unknown>[] = await manager.query(
    `select ${lastOf('ledger_id_seq')} as ledger_id, ${lastOf('ledger_digests_id_seq')} as digest_id`,
  );
  return { ...position.toObject(row ?? {}), writers: await listWriters(manager) };
}

async function listWriters(manager: EntityManager): Promise<string[]> {
  if (!isPostgres(manager)) return [];
  const rows: { writer: string }[] = await manager.query(
    `select distinct virtualtransaction as writer from pg_locks
     where locktype = 'relation' and mode = 'RowExclusiveLock' and granted
       and database = (select oid from pg_database where datname = current_database())
       and relation in ('ledger'::regclass, 'ledger_digests'::regclass)`,
  );
  return rows.map(({ writer }) => writer);
}

interface RecordSource<Row> {
  table: string;
  key: string;
  /** Which rows are such records. */
  where: string;
  read(manager: EntityManager, after: number, limit: number, isLocked: boolean): Promise<Row[]>;
}

const pageOf =
  <Row>(projection: Projection<Row>, table: string, key: string, where: string) =>
  async (manager: EntityManager, after: number, limit: number, isLocked: boolean): Promise<Row[]> => {
    const sql = `select ${projection.list()} from ${table} where ${key} > $1 and ${where} order by ${key} limit ${limit}${isLocked ? ' for update' : ''}`;
    return selectRows(manager, projection, sql, [after]);
  };

const source = <Row>(projection: Projection<Row>, table: string, key: string, where = 'true'): RecordSource<Row> => ({
  ...{ table, key, where, read: pageOf(projection, table, key, where) },
});

const share = projectionOf(orderShares);

/** Whole orders: a page ends before an order of which it has only a part. */
async function pageOfShares(manager: EntityManager, after: number, limit: number, isLocked: boolean): Promise<DigestedRecords['shares'][]> {
  const sql = `select ${share.list()} from order_shares where order_id > $1 order by order_id, tier limit ${limit}${isLocked ? ' for update' : ''}`;
  const rows = await selectRows(manager, share, sql, [after]);
  const groups = [...groupBy(rows, ({ orderId }) => orderId)].map(([orderId, shares]) => ({ orderId, shares }));
  return rows.length === limit && groups.length > 1 ? groups.slice(0, -1) : groups;
}

const sources: { [Kind in DigestKind]: RecordSource<DigestedRecords[Kind]> } = {
  order: source(projectionOf(orders), 'orders', 'order_id'),
  shares: { table: 'order_shares', key: 'order_id', where: 'true', read: pageOfShares },
  payout: source(projectionOf(payouts), 'payouts', 'id'),
  payee: source(projectionOf(payoutDetails), 'payout_details', 'user_id'),
  coupon: source(digestedCoupon, 'coupons', 'id'),
  parent: source(parentProjection, 'users', 'id', 'parent_id is not null'),
  webhook: source(webhookProjection, 'webhooks', 'id'),
  connection: source(connectionProjection, 'store_connections', 'created_at'),
};

async function missing(manager: EntityManager, kind: DigestKind, after: number, limit: number): Promise<number[]> {
  const { table, key, where } = sources[kind];
  const rows: { object_id: unknown }[] = await manager.query(
    `select distinct object_id from ledger_digests where kind = '${kind}' and object_id > $1 and object_id <> ${beginningId}
       and not exists (select 1 from ${table} where ${table}.${key} = ledger_digests.object_id and ${where})
     order by object_id limit ${limit}`,
    [after],
  );
  return rows.map((row) => toSafeInteger(row.object_id));
}

const provedTables = [
  ledger,
  ledgerDigests,
  ledgerSeals,
  orders,
  orderShares,
  payouts,
  payoutDetails,
  coupons,
  users,
  webhooks,
  storeConnections,
];

/**
 * Ids beyond those that JavaScript can count are in no page, and neither are rows without an id, which SQLite accepts. It also stores a value
 * of any type in any column, and its sums may read another number from a text than JavaScript does. A number that JavaScript cannot count
 * cannot be compared at all.
 */
async function impossibleRows(manager: EntityManager): Promise<{ table: string; rows: number }[]> {
  const counts = provedTables.map((table) => {
    const { name, columns } = table.options;
    const [primary] = Object.values(columns).flatMap((column) => (column?.primary ? [String(column.name)] : []));
    // By which its pages are read.
    const key = table === storeConnections ? sources.connection.key : primary;
    const beyond = `${primary} is null or ${key} < 1 or ${key} > ${Number.MAX_SAFE_INTEGER}`;
    const mistyped = columnSources(table as EntitySchema<object>).map(
      ({ column, type }) => `typeof(${column}) not in ('null', '${type === 'text' ? 'text' : 'integer'}')`,
    );
    const inexact = columnSources(table as EntitySchema<object>).flatMap(({ column, type }) =>
      type === 'bigint' ? [`${column} not between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`] : [],
    );
    const conditions = [beyond, ...inexact, ...(isPostgres(manager) ? [] : mistyped)];
    return `select '${name}' as name, count(*) as rows_found from ${name} where ${conditions.join(' or ')}`;
  });
  const rows: { name: string; rows_found: unknown }[] = await manager.query(counts.join(' union all '));
  return rows.map(({ name, rows_found }) => ({ table: name, rows: toSafeInteger(rows_found) })).filter((found) => found.rows > 0);
}
