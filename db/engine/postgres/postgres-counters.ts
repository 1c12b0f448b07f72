import type { Pool } from 'pg';
import type { Clock } from '../../../domain/clock.ts';
import { MicroBatcher, nextTurn } from '../../../domain/micro-batcher.ts';
import type { WindowCount, WindowCounters } from '../../../domain/window-counters.ts';
import { toSafeInteger } from '../../entities/columns.ts';
import { emptyWindow, windowCount } from '../window-count.ts';
import { preparedName, prepareOnce } from './prepared-names.ts';

interface CounterRow {
  is_hit: boolean;
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
const count = prepareOnce(`
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
  select true as is_hit, name, count, started_at, clock.now from counted, clock
  union all
  select false, name, count, started_at, clock.now from window_counters, clock
  where name = any (array(select jsonb_array_elements_text(cast($3 as jsonb))))`);

const restart = `
  with clock as materialized (select ${now} as now)
  update window_counters set started_at = clock.now, ends_at = clock.now + $3::bigint from clock
  where name = $2 and started_at > clock.now returning false as is_hit, name, count, started_at, clock.now`;

const undo = `
  update window_counters set count = count - 1 where name = $2 and count > 0 and started_at + $3 > ${now}`;

// Skips rows that another process has locked, so that sweeps cannot deadlock.
const sweep = `
  delete from window_counters where name in
  (select name from window_counters where ends_at <= ${now} for update skip locked)`;

interface Look {
  kind: 'hit' | 'peek';
  name: string;
  seconds: number;
}

const maxBatchSize = 1000;

/** A batch that runs for longer may hang on a dead connection: further hits bypass it. */
const batchTimeoutMs = 50;

/**
 * Counters shared by all processes on one database. The table is unlogged: fast, and empty after a crash of the server. All hits and looks of
 * one turn of the event loop, and those that arrive while a statement runs, are one statement; each hit receives its own count.
 */
export class PostgresWindowCounters implements WindowCounters {
  readonly #pool: Pool;
  readonly #clock: Clock | undefined;
  readonly #looks: MicroBatcher<Look, WindowCount>;
  #batchStartedAt: number | null = null;
  #sweptAt: number;

  constructor(pool: Pool, clock: Clock | undefined) {
    this.#pool = pool;
    this.#clock = clock;
    this.#looks = new MicroBatcher({
      runBatch: (looks) => this.#runBatch(looks),
      maxBatchSize,
      failsWholeBatch: () => true,
      gather: nextTurn,
    });
    this.#sweptAt = this.#now;
  }

  async hit(name: string, seconds: number): Promise<WindowCount> {
    await this.#sweep();
    return this.#look({ kind: 'hit', name, seconds });
  }

  peek(name: string, seconds: number): Promise<WindowCount> {
    return this.#look({ kind: 'peek', name, seconds });
  }

  async #look(look: Look): Promise<WindowCount> {
    const isBlocked = this.#batchStartedAt !== null && performance.now() - this.#batchStartedAt > batchTimeoutMs;
    if (!isBlocked) return this.#looks.add(look);
    const [window] = await this.#lookAll([look]);
    return window as WindowCount;
  }

  async #runBatch(looks: readonly Look[]): Promise<WindowCount[]> {
    this.#batchStartedAt = performance.now();
    try {
      return await this.#lookAll(looks);
    } finally {
      this.#batchStartedAt = null;
    }
  }

  async #lookAll(looks: readonly Look[]): Promise<WindowCount[]> {
    const hits = new Map<string, [name: string, count: number, milliseconds: number]>();
    const peeks = new Set<string>();
    for (const { kind, name, seconds } of looks)
      if (kind === 'peek') peeks.add(name);
      else hits.set(name, [name, (hits.get(name)?.[1] ?? 0) + 1, seconds * 1000]);
    const values = [this.#clock?.now() ?? null, JSON.stringify([...hits.values()]), JSON.stringify([...peeks])];
    const { rows } = await this.#pool.query<CounterRow>({ name: preparedName(count), text: count, values });
    const peeked = new Map(rows.filter((row) => !row.is_hit).map((row) => [row.name, row]));
    const counted = new Map(
      rows
        .filter((row) => row.is_hit)
        .map((row) => [row.name, { ...row, before: toSafeInteger(row.count) - (hits.get(row.name)?.[1] ?? 0) }]),
    );
    return Promise.all(
      looks.map(({ kind, name, seconds }) => {
        if (kind === 'peek') return this.#peeked(peeked.get(name), seconds);
        const window = counted.get(name);
        if (!window) throw new Error(`A hit of ${name} was not counted.`);
        window.before += 1;
        return windowCount(window.before, toSafeInteger(window.started_at), toSafeInteger(window.now), seconds);
      }),
    );
  }

  /** A window that starts in the future is from before the clock was set back: it restarts, with its count. */
  async #peeked(row: CounterRow | undefined, seconds: number): Promise<WindowCount> {
    if (!row) return emptyWindow;
    const [startedAt, at] = [toSafeInteger(row.started_at), toSafeInteger(row.now)];
    if (startedAt + seconds * 1000 <= at) return emptyWindow;
    if (startedAt <= at) return windowCount(toSafeInteger(row.count), startedAt, at, seconds);
    const { rows } = await this.#pool.query<CounterRow>(restart, [this.#clock?.now() ?? null, row.name, seconds * 1000]);
    return this.#peeked(rows[0], seconds);
  }

  async undoHit(name: string, seconds: number): Promise<void> {
    await this.#pool.query(undo, [this.#clock?.now() ?? null, name, seconds * 1000]);
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
