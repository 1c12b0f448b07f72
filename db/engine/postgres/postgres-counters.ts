import type { Pool } from 'pg';
import { MicroBatcher } from '../../../domain/micro-batcher.ts';
import type { Clock, WindowCount, WindowCounters } from '../../../domain/ports.ts';
import { toSafeInteger } from '../../entities/columns.ts';
import { emptyWindow, windowCount } from '../window-count.ts';

interface CounterRow {
  name: string;
  count: string;
  started_at: string;
  now: string;
}

const sweepIntervalMs = 60_000;

// The clock of the options, by default the database's, which all processes share.
const now = 'coalesce($1::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint)';

const length = '(excluded.ends_at - excluded.started_at)';

// A window that starts in the future is from before the clock was set back: it restarts, with its count.
const isRunning = `kept.started_at + ${length} > excluded.started_at and kept.started_at <= excluded.started_at`;

// Ordered by name, so that two processes cannot deadlock.
const hitStatement = `
  with clock as materialized (select ${now} as now),
  counted as (
    insert into window_counters as kept (name, count, started_at, ends_at)
    select value->>0, (value->>1)::bigint, clock.now, clock.now + (value->>2)::bigint
    from jsonb_array_elements(cast($2 as jsonb)), clock order by 1
    on conflict (name) do update set
      count = case when kept.started_at + ${length} > excluded.started_at then kept.count + excluded.count else excluded.count end,
      started_at = case when ${isRunning} then kept.started_at else excluded.started_at end,
      ends_at = case when ${isRunning} then kept.started_at + ${length} else excluded.ends_at end
    returning name, count, started_at
  )
  select name, count, started_at, clock.now from counted, clock`;

const peek = `
  with clock as materialized (select ${now} as now)
  select count, started_at, clock.now from window_counters, clock where name = $2 and started_at + $3 > clock.now`;

const restart = `
  with clock as materialized (select ${now} as now)
  update window_counters set started_at = clock.now, ends_at = clock.now + $3::bigint from clock
  where name = $2 and started_at > clock.now returning count, started_at, clock.now`;

const undo = `
  update window_counters set count = count - 1 where name = $2 and count > 0 and started_at + $3 > ${now}`;

// Skips rows that another process has locked, so that sweeps cannot deadlock.
const sweep = `
  delete from window_counters where name in
  (select name from window_counters where ends_at <= ${now} for update skip locked)`;

interface Hit {
  name: string;
  seconds: number;
}

const maxBatchSize = 1000;

/** A batch that runs for longer may hang on a dead connection: further hits bypass it. */
const batchTimeoutMs = 50;

/**
 * Counters shared by all processes on one database. The table is unlogged: fast, and empty after a crash of the server. Concurrent hits are
 * batched into one statement, and each receives its own count.
 */
export class PostgresWindowCounters implements WindowCounters {
  readonly #pool: Pool;
  readonly #clock: Clock | undefined;
  readonly #hits: MicroBatcher<Hit, WindowCount>;
  #batchStartedAt: number | null = null;
  #sweptAt: number;

  constructor(pool: Pool, clock: Clock | undefined) {
    this.#pool = pool;
    this.#clock = clock;
    this.#hits = new MicroBatcher({ runBatch: (hits) => this.#runBatch(hits), maxBatchSize, failsWholeBatch: () => true });
    this.#sweptAt = this.#now;
  }

  async hit(name: string, seconds: number): Promise<WindowCount> {
    await this.#sweep();
    const isBlocked = this.#batchStartedAt !== null && performance.now() - this.#batchStartedAt > batchTimeoutMs;
    if (!isBlocked) return this.#hits.add({ name, seconds });
    const [window] = await this.#hitBatch([{ name, seconds }]);
    return window as WindowCount;
  }

  async #runBatch(hits: readonly Hit[]): Promise<WindowCount[]> {
    this.#batchStartedAt = performance.now();
    try {
      return await this.#hitBatch(hits);
    } finally {
      this.#batchStartedAt = null;
    }
  }

  async #hitBatch(hits: readonly Hit[]): Promise<WindowCount[]> {
    const counts = new Map<string, [name: string, count: number, milliseconds: number]>();
    for (const { name, seconds } of hits) counts.set(name, [name, (counts.get(name)?.[1] ?? 0) + 1, seconds * 1000]);
    const values = [this.#clock?.now() ?? null, JSON.stringify([...counts.values()])];
    const { rows } = await this.#pool.query<CounterRow>(hitStatement, values);
    const windows = new Map(rows.map((row) => [row.name, { ...row, before: toSafeInteger(row.count) - (counts.get(row.name)?.[1] ?? 0) }]));
    return hits.map(({ name, seconds }) => {
      const window = windows.get(name);
      if (!window) throw new Error(`A hit of ${name} was not counted.`);
      window.before += 1;
      return windowCount(window.before, toSafeInteger(window.started_at), toSafeInteger(window.now), seconds);
    });
  }

  async undoHit(name: string, seconds: number): Promise<void> {
    await this.#pool.query(undo, [this.#clock?.now() ?? null, name, seconds * 1000]);
  }

  async peek(name: string, seconds: number): Promise<WindowCount> {
    const window = await this.#query(peek, name, seconds);
    return window.startsLater ? this.#query(restart, name, seconds) : window;
  }

  async #query(statement: string, name: string, seconds: number): Promise<WindowCount & { startsLater?: boolean }> {
    const values = [this.#clock?.now() ?? null, name, seconds * 1000];
    const { rows } = await this.#pool.query<CounterRow>(statement, values);
    const row = rows[0];
    if (!row) return emptyWindow;
    const [startedAt, at] = [toSafeInteger(row.started_at), toSafeInteger(row.now)];
    const window = windowCount(toSafeInteger(row.count), startedAt, at, seconds);
    return startedAt > at ? { ...window, startsLater: true } : window;
  }

  async #sweep(): Promise<void> {
    if (Math.abs(this.#now - this.#sweptAt) < sweepIntervalMs) return;
    this.#sweptAt = this.#now;
    await this.#pool.query(sweep, [this.#clock?.now() ?? null]);
  }

  get #now(): number {
    return this.#clock?.now() ?? Date.now();
  }
}
