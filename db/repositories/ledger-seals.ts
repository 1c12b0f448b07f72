import { type EntityManager, MoreThan } from 'typeorm';
import type { SealRepository } from '../../domain/ledger/seal.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { ledger, ledgerSeals } from '../entities/ledger.ts';
import { insertRows } from '../sql/insert.ts';
import { isPostgres, projectionOf } from '../sql/projection.ts';

// By hand: pages of the whole ledger, for the benchmark row `ledger-verify`, and what PostgreSQL alone knows of its writers.

export const sealRepository = (manager: EntityManager): SealRepository => ({
  last: async () => (await manager.find(ledgerSeals, { order: { number: 'DESC' }, take: 1 }))[0] ?? null,
  after: (number, limit) => manager.find(ledgerSeals, { where: { number: MoreThan(number) }, order: { number: 'ASC' }, take: limit }),
  insert: async (seal) => (await insertRows(manager, ledgerSeals, [seal], 'on conflict do nothing returning number')).length > 0,
  rows: async (after, upTo, limit) => {
    const sql = `select ${row.list()} from ledger where id > $1 and id <= $2 order by id limit ${limit}`;
    const found: Record<string, unknown>[] = await manager.query(sql, [after, upTo]);
    return found.map((columns) => ({ id: toSafeInteger(columns['id']), values: row.columns.map((name) => asText(columns[name])) }));
  },
  unsealed: async (after) => ({
    rows: await manager.countBy(ledger, { id: MoreThan(after) }),
    oldestAt: await manager.minimum(ledger, 'at', { id: MoreThan(after) }),
  }),
  horizon: () => (isPostgres(manager) ? postgresHorizon(manager) : sqliteHorizon(manager)),
  stillWriting: async (writers) => {
    const open = await listWriters(manager);
    return writers.filter((writer) => open.includes(writer));
  },
});

const row = projectionOf(ledger);

/** As it is stored: a value that the service never writes is a changed one, not an error. */
const asText = (value: unknown): string | null => (value === null ? null : String(value));

/** There is one writer: whatever it commits next has higher ids. */
const sqliteHorizon = async (manager: EntityManager): Promise<{ lastId: number; writers: string[] }> => ({
  lastId: (await manager.maximum(ledger, 'id')) ?? 0,
  writers: [],
});

/** The sequence is read first: a writer takes its lock before it takes an id. */
async function postgresHorizon(manager: EntityManager): Promise<{ lastId: number; writers: string[] }> {
  const [found] = await manager.query('select case when is_called then last_value else 0 end as last_id from ledger_id_seq');
  return { lastId: toSafeInteger(found.last_id), writers: await listWriters(manager) };
}

/** The transactions that hold the lock of an insert. */
async function listWriters(manager: EntityManager): Promise<string[]> {
  const rows: { writer: string }[] = await manager.query(
    `select distinct virtualtransaction as writer from pg_locks
     where locktype = 'relation' and mode = 'RowExclusiveLock' and granted and relation = 'ledger'::regclass
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.map(({ writer }) => writer);
}
