import type { EntityManager } from 'typeorm';
import type { SealRepository } from '../../domain/ledger/seal.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { ledger, ledgerSeals } from '../entities/ledger.ts';
import { isPostgres, projectionOf, selectRows } from '../sql/projection.ts';

// By hand: pages of the whole ledger, for the benchmark row `ledger-verify`.

export const sealRepository = (manager: EntityManager): SealRepository => ({
  last: async () => (await selectRows(manager, seal, `${selectSeals} order by number desc limit 1`, []))[0] ?? null,
  after: (number, limit) => selectRows(manager, seal, `${selectSeals} where number > $1 order by number limit ${limit}`, [number]),
  insert: async (inserted) => {
    const { columns } = seal;
    const places = columns.map((_column, index) => `$${index + 1}`).join(', ');
    const sql = `insert into ledger_seals (${seal.list()}) values (${places}) on conflict do nothing returning number`;
    const { number, lastId, rows, sealedAt, publicKey, hash, signature } = inserted;
    return (await manager.query(sql, [number, lastId, rows, sealedAt, publicKey, hash, signature])).length > 0;
  },
  rows: async (after, upTo, limit) => {
    const sql = `select ${row.list()} from ledger where id > $1 and id <= $2 order by id limit ${limit}`;
    const found: Record<string, unknown>[] = await manager.query(sql, [after, upTo]);
    return found.map((columns) => ({ id: toSafeInteger(columns['id']), values: row.columns.map((name) => asText(columns[name])) }));
  },
  unsealed: async (after) => {
    const [found] = await manager.query('select count(*) as rows, min(created_at) as oldest from ledger where id > $1', [after]);
    return { rows: toSafeInteger(found.rows), oldestAt: found.oldest === null ? null : toSafeInteger(found.oldest) };
  },
  horizon: () => (isPostgres(manager) ? postgresHorizon(manager) : sqliteHorizon(manager)),
  stillWriting: async (writers) => {
    const open = await listWriters(manager);
    return writers.filter((writer) => open.includes(writer));
  },
});

const seal = projectionOf(ledgerSeals);
const row = projectionOf(ledger);
const selectSeals = `select ${seal.list()} from ledger_seals`;

/** As it is stored: a value that the service never writes is a changed one, not an error. */
const asText = (value: unknown): string | null => (value === null ? null : String(value));

/** There is one writer: whatever it commits next has higher ids. */
async function sqliteHorizon(manager: EntityManager): Promise<{ lastId: number; writers: string[] }> {
  const [found] = await manager.query('select coalesce(max(id), 0) as last_id from ledger');
  return { lastId: toSafeInteger(found.last_id), writers: [] };
}

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
