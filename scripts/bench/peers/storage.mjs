// The database of the peer: better-sqlite3 or pg, with prepared statements and a rate limit that keeps the promises of the service.
const url = process.env.DATABASE_URL ?? '';

const limit = { ceiling: 1_000_000, windowSeconds: 60 };

async function openSqlite() {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(url.replace(/^sqlite:/, ''));
  // As the service commits.
  database.pragma('synchronous = full');
  const windows = new Map();
  return {
    prepare: (sql) => database.prepare(sql),
    execute: (sql) => database.exec(sql),
    /** A look-up in the file costs less than a cache would. */
    cacheBriefly: (find) => find,
    // One process serves a file, so that it counts in its memory.
    count(keyId, window) {
      const counted = windows.get(keyId);
      const count = counted?.window === window ? counted.count + 1 : 1;
      windows.set(keyId, { window, count });
      return count;
    },
  };
}

async function openPostgres() {
  const { default: pg } = await import('pg');
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  let statements = 0;
  const prepare = (sql) => {
    let values = 0;
    const text = sql.replaceAll('?', () => `$${++values}`);
    const name = `peer-${++statements}`;
    const all = async (...values) => (await pool.query({ name, text, values })).rows;
    return { all, get: async (...values) => (await all(...values))[0] };
  };
  // Unlogged, as the table in which the service counts for all of its processes.
  await pool.query('create unlogged table if not exists bench_rates (key integer primary key, period bigint, hits integer)');
  const countHit = prepare(`insert into bench_rates values (?, ?, 1) on conflict (key) do update set period = excluded.period,
    hits = case when bench_rates.period = excluded.period then bench_rates.hits + 1 else 1 end returning hits`);
  return {
    prepare,
    execute: (sql) => pool.query(sql),
    /** For half a second, as the service does. */
    cacheBriefly(find) {
      const found = new Map();
      return async (key) => {
        const cached = found.get(key);
        if (cached && performance.now() - cached.at < 500) return cached.value;
        const value = await find(key);
        if (value) found.set(key, { value, at: performance.now() });
        return value;
      };
    },
    count: async (keyId, window) => (await countHit.get(keyId, window)).hits,
  };
}

export const { prepare, execute, cacheBriefly, count } = await (url.startsWith('postgres:') ? openPostgres() : openSqlite());

/** Counts a request against its key, in a fixed window. */
export async function countRequest(keyId) {
  const seconds = Date.now() / 1000;
  const hits = await count(keyId, Math.floor(seconds / limit.windowSeconds));
  return {
    isTooMany: hits > limit.ceiling,
    policy: `"auth";q=${limit.ceiling};w=${limit.windowSeconds}`,
    state: `"auth";r=${Math.max(limit.ceiling - hits, 0)};t=${Math.ceil(limit.windowSeconds - (seconds % limit.windowSeconds))}`,
  };
}
