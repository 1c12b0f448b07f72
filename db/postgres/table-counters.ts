import type { Pool } from 'pg';
import type { Clock } from '../../domain/clock.ts';
import type { WindowCount, WindowCounters } from '../../domain/ports.ts';
import { wholeNumber } from '../columns.ts';
import { counted, noWindow } from '../counted.ts';

interface CounterRow {
  count: string;
  started_at: string;
  now: string;
}

const sweepEvery = 60_000;

// The given clock, else the database's, which all processes share.
const now = 'coalesce($1::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint)';

// A window that begins later than now is one from before the clock was set back: it begins anew, with what it has counted.
const isRunning = 'kept.started_at + $3 > excluded.started_at and kept.started_at <= excluded.started_at';

const hit = `
  with clock as materialized (select ${now} as now),
  counted as (
    insert into window_counters as kept (name, count, started_at, ends_at)
    select $2, 1, clock.now, clock.now + $3::bigint from clock
    on conflict (name) do update set
      count = case when kept.started_at + $3 > excluded.started_at then kept.count + 1 else 1 end,
      started_at = case when ${isRunning} then kept.started_at else excluded.started_at end,
      ends_at = case when ${isRunning} then kept.started_at + $3 else excluded.ends_at end
    returning count, started_at
  )
  select count, started_at, clock.now from counted, clock`;

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

/** Counts that all processes on one database share. The table is unlogged: fast, and empty again after a crash of the server. */
export class TableCounters implements WindowCounters {
  readonly #pool: Pool;
  readonly #clock: Clock | undefined;
  #sweptAt: number;

  constructor(pool: Pool, clock: Clock | undefined) {
    this.#pool = pool;
    this.#clock = clock;
    this.#sweptAt = this.#now;
  }

  async hit(name: string, seconds: number): Promise<WindowCount> {
    await this.#sweep();
    return this.#ask(hit, name, seconds);
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
    const [startedAt, at] = [wholeNumber(row.started_at), wholeNumber(row.now)];
    const window = counted(wholeNumber(row.count), startedAt, at, seconds);
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
