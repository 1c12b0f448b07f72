import type { Pool } from 'pg';
import type { Clock } from '../../../domain/clock.ts';
import { Together } from '../../../domain/micro-batcher.ts';
import type { WindowCount, WindowCounters } from '../../../domain/ports.ts';
import { toSafeInteger } from '../../entities/columns.ts';
import { counted, noWindow } from '../window-count.ts';

interface CounterRow {
  name: string;
  count: string;
  started_at: string;
  now: string;
}

const sweepEvery = 60_000;

// The given clock, else the database's, which all processes share.
const now = 'coalesce($1::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint)';

const length = '(excluded.ends_at - excluded.started_at)';

// A window that begins later than now is one from before the clock was set back: it begins anew, with what it has counted.
const isRunning = `kept.started_at + ${length} > excluded.started_at and kept.started_at <= excluded.started_at`;

// In the order of their names, so that two processes wait for each other instead of in a circle.
const hitAll = `
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

const beginAnew = `
  with clock as materialized (select ${now} as now)
  update window_counters set started_at = clock.now, ends_at = clock.now + $3::bigint from clock
  where name = $2 and started_at > clock.now returning count, started_at, clock.now`;

const takeBack = `
  update window_counters set count = count - 1 where name = $2 and count > 0 and started_at + $3 > ${now}`;

// Skipping what another process is counting or sweeping: nobody waits, so nobody waits in a circle.
const sweep = `
  delete from window_counters where name in
  (select name from window_counters where ends_at <= ${now} for update skip locked)`;

interface Hit {
  name: string;
  seconds: number;
}

const mostHitsAtOnce = 1000;

/** When counting takes longer, a connection may have fallen silent: whoever comes then goes a way of their own. */
const longestWaitMs = 50;

/**
 * Counts that all processes on one database share. The table is unlogged: fast, and empty again after a crash of the server. Hits that
 * come together are counted by one statement, and each learns its own number.
 */
export class TableCounters implements WindowCounters {
  readonly #pool: Pool;
  readonly #clock: Clock | undefined;
  readonly #hits: Together<Hit, WindowCount>;
  /** Since when hits that came together are being counted. */
  #countingSince: number | null = null;
  #sweptAt: number;

  constructor(pool: Pool, clock: Clock | undefined) {
    this.#pool = pool;
    this.#clock = clock;
    this.#hits = new Together({ doAll: (hits) => this.#hitTogether(hits), mostAtOnce: mostHitsAtOnce, isForAll: () => true });
    this.#sweptAt = this.#now;
  }

  async hit(name: string, seconds: number): Promise<WindowCount> {
    await this.#sweep();
    const isHeldUp = this.#countingSince !== null && performance.now() - this.#countingSince > longestWaitMs;
    if (!isHeldUp) return this.#hits.add({ name, seconds });
    const [window] = await this.#hitAll([{ name, seconds }]);
    return window as WindowCount;
  }

  async #hitTogether(hits: readonly Hit[]): Promise<WindowCount[]> {
    this.#countingSince = performance.now();
    try {
      return await this.#hitAll(hits);
    } finally {
      this.#countingSince = null;
    }
  }

  async #hitAll(hits: readonly Hit[]): Promise<WindowCount[]> {
    const given = new Map<string, [name: string, count: number, milliseconds: number]>();
    for (const { name, seconds } of hits) given.set(name, [name, (given.get(name)?.[1] ?? 0) + 1, seconds * 1000]);
    const values = [this.#clock?.now() ?? null, JSON.stringify([...given.values()])];
    const { rows } = await this.#pool.query<CounterRow>(hitAll, values);
    const windows = new Map(rows.map((row) => [row.name, { ...row, before: toSafeInteger(row.count) - (given.get(row.name)?.[1] ?? 0) }]));
    return hits.map(({ name, seconds }) => {
      const window = windows.get(name);
      if (!window) throw new Error(`A hit of ${name} was not counted.`);
      window.before += 1;
      return counted(window.before, toSafeInteger(window.started_at), toSafeInteger(window.now), seconds);
    });
  }

  async takeBack(name: string, seconds: number): Promise<void> {
    await this.#pool.query(takeBack, [this.#clock?.now() ?? null, name, seconds * 1000]);
  }

  async peek(name: string, seconds: number): Promise<WindowCount> {
    const window = await this.#ask(peek, name, seconds);
    return window.startsLater ? this.#ask(beginAnew, name, seconds) : window;
  }

  async #ask(statement: string, name: string, seconds: number): Promise<WindowCount & { startsLater?: boolean }> {
    const values = [this.#clock?.now() ?? null, name, seconds * 1000];
    const { rows } = await this.#pool.query<CounterRow>(statement, values);
    const row = rows[0];
    if (!row) return noWindow;
    const [startedAt, at] = [toSafeInteger(row.started_at), toSafeInteger(row.now)];
    const window = counted(toSafeInteger(row.count), startedAt, at, seconds);
    return startedAt > at ? { ...window, startsLater: true } : window;
  }

  async #sweep(): Promise<void> {
    if (Math.abs(this.#now - this.#sweptAt) < sweepEvery) return;
    this.#sweptAt = this.#now;
    await this.#pool.query(sweep, [this.#clock?.now() ?? null]);
  }

  get #now(): number {
    return this.#clock?.now() ?? Date.now();
  }
}
