// pg with a pool and named prepared statements. Requests are counted in the database by rate-limiter-flexible, for all processes together.
import pg from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { databaseUrl, limit, rateOf } from './job.mjs';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

let statements = 0;

/** Takes `?` as SQLite does. */
export function prepare(sql) {
  let values = 0;
  const text = sql.replaceAll('?', () => `$${++values}`);
  const name = `peer-${++statements}`;
  const all = async (...values) => (await pool.query({ name, text, values })).rows;
  return { all, get: async (...values) => (await all(...values))[0] };
}

/** As long as the service caches the holder of a key. */
const cacheMs = 500;

/** A caller that was looked up stays valid for a moment, which saves a round trip. */
export function cacheBriefly(find) {
  const found = new Map();
  return async (key) => {
    const cached = found.get(key);
    if (cached && performance.now() - cached.at < cacheMs) return cached.value;
    const value = await find(key);
    if (value) found.set(key, { value, at: performance.now() });
    return value;
  };
}

// Unlogged, as the table in which the service counts.
await pool.query(
  'create unlogged table if not exists bench_rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)',
);
const limiter = new RateLimiterPostgres({
  ...{ storeClient: pool, tableName: 'bench_rate_limits', tableCreated: true },
  ...{ points: limit.ceiling, duration: limit.windowSeconds },
});

export async function countRequest(keyId) {
  // Rejects with the same where there are too many.
  const { consumedPoints, msBeforeNext } = await limiter.consume(keyId).catch((refusal) => {
    if (refusal instanceof Error) throw refusal;
    return refusal;
  });
  return rateOf(consumedPoints, msBeforeNext);
}

const columns = prepare(`
  select column_name as name, data_type = 'text' as "isText", column_name in (
    select column_name from information_schema.key_column_usage natural join information_schema.table_constraints
    where table_name = ? and constraint_type = 'PRIMARY KEY') as "isPrimary"
  from information_schema.columns where table_schema = 'public' and table_name = ?`);

/** Of a table, for entities. */
export const columnsOf = async (table) => (await columns.all(table, table)).map((column) => ({ ...column, fallback: null }));
