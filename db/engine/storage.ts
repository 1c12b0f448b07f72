import type { EntityManager } from 'typeorm';
import type { Clock } from '../../domain/clock.ts';
import type { WindowCounters, WriteManner } from '../../domain/ports.ts';
import type { Dialect } from './dialect.ts';
import type { Queue } from './queue-stats.ts';

export type Work<Result> = (manager: EntityManager) => Promise<Result>;

/** What differs between SQLite and PostgreSQL. */
export interface Storage {
  readonly dialect: Dialect;
  readonly counters: WindowCounters;
  /** One read-only transaction that sees one committed state. */
  reading<Result>(work: Work<Result>): Promise<Result>;
  /** One transaction, as if no other ran beside it, or in the manner told. `work` may run again. SQLite has one writer at a time anyway. */
  writing<Result>(work: Work<Result>, manner?: WriteManner): Promise<Result>;
  /** One transaction, while no other process is inside `migrating`. */
  migrating<Result>(work: Work<Result>): Promise<Result>;
  /**
   * Asks, from inside a write, for what is committed at this very moment; the write itself sees what was when it began. Only for those
   * who hold a lock: without one the answer is old as soon as it is given.
   */
  latest(manager: EntityManager): (sql: string, values: unknown[]) => Promise<unknown[]>;
  /**
   * The same text as long as nobody, in whichever process, has committed anything. Null where it takes a question to the database to know:
   * then one may as well ask for the data.
   */
  version(): string | null;
  ping(): Promise<void>;
  load(): StorageLoad;
  /** What the database's own machine takes for the time; null where that is this one. */
  time(): Promise<number | null>;
  /** Writes a copy to a file that must not exist yet. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** How busy this process keeps the database. */
export interface StorageLoad {
  writers: Queue;
  readers: Queue;
  /** Writes that were begun again because another had come between, so far. */
  retries: number;
}

export interface StorageOptions {
  /** Without one, counters that are shared between processes go by the database's clock. */
  clock?: Clock | undefined;
  onStatement?: ((sql: string) => void) | undefined;
  /** How long to wait for a turn, a connection or the answer to a statement. Without it, whoever has much to do takes their time. */
  patienceMs?: number | undefined;
}
