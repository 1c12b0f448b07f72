import type { Clock } from '../domain/clock.ts';
import type { NewEvent } from '../domain/events/event.ts';
import type { Repositories } from '../domain/repositories.ts';
import type { HeavyReads, IsolationLevel, Transaction, UnitOfWork } from '../domain/unit-of-work.ts';
import { notifyOfAllEvents, type WebhookNotifier } from '../domain/webhooks/delivery.ts';
import type { WindowCounters } from '../domain/window-counters.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { DryRun, type DryRunStorage } from './dry-run.ts';
import { redactValues } from './engine/database-error.ts';
import { EventBus } from './engine/event-bus.ts';
import { HealthProbe } from './engine/health-probe.ts';
import type { Storage, StorageLoad } from './engine/storage.ts';
import { migrations as allMigrations } from './migrations/index.ts';
import type { MigrationClass } from './migrations/migration.ts';
import { listPending, runMigrations } from './migrations/run.ts';
import { type OutgoingKind, openTransaction, readOnlyRepositories } from './transaction.ts';

export interface DatabaseOptions {
  /** `sqlite:<path>` or `postgres://…`. */
  url: string;
  /** For the counters. Default: on PostgreSQL the clock of the database. */
  clock?: Clock;
  /** Receives what a listener of `onEvents` throws. */
  onListenerError?: (error: unknown) => void;
  /** Receives the text of every statement, without its values. */
  onStatement?: (sql: string) => void;
  migrations?: readonly MigrationClass[];
  /** Limits every wait for the database. Servers set it; commands, which may take long, do not. */
  timeoutMs?: number;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const location = parseDatabaseUrl(options.url);
  // Loads the driver of the engine in use only.
  const storageOptions = { migrations: allMigrations, ...options };
  if (location.engine === 'sqlite') {
    const { openSqlite } = await import('./engine/sqlite/storage.ts');
    return new Database(await openSqlite(location.path, storageOptions), options);
  }
  const { openPostgres } = await import('./engine/postgres/storage.ts');
  return new Database(await openPostgres(location.url, storageOptions), options);
}

/**
 * All reads and writes of the service. Do not begin a unit of work inside another: it needs a connection of its own, and where all are held
 * by callers like itself it would wait for them until it times out.
 */
export class Database implements UnitOfWork<Repositories>, HeavyReads<Repositories> {
  readonly engine: 'sqlite' | 'postgres';
  readonly counters: WindowCounters;
  readonly #storage: Storage;
  readonly #inFlight = new InFlight();
  readonly #healthProbe: HealthProbe;
  readonly #eventBus: EventBus;
  readonly #outgoingListeners = new Set<(kind: OutgoingKind) => void>();
  #notifyWebhooks: WebhookNotifier = notifyOfAllEvents;
  #commits = 0;
  #closing: Promise<void> | undefined;

  constructor(storage: Storage, { onListenerError = console.error }: Pick<DatabaseOptions, 'onListenerError'>) {
    this.engine = storage.dialect.engine;
    this.counters = storage.counters;
    this.#storage = storage;
    this.#healthProbe = new HealthProbe(storage);
    this.#eventBus = new EventBus(onListenerError);
  }

  query<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result> {
    return this.#track(() => this.#storage.query((manager) => work(readOnlyRepositories(manager))));
  }

  read<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result> {
    return this.#track(() => this.#storage.read((manager) => work(readOnlyRepositories(manager))));
  }

  readHeavy<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result> {
    return this.#track(() => this.#storage.readHeavy((manager) => work(readOnlyRepositories(manager))));
  }

  write<Result>(
    work: (transaction: Transaction<Repositories>) => Promise<Result>,
    isolation: IsolationLevel = 'serializable',
  ): Promise<Result> {
    return this.#track(async () => {
      const { result, outgoing } = await this.#writeAndPublish(work, isolation);
      this.#commits += 1;
      this.#healthProbe.recordWrite();
      for (const kind of outgoing) for (const listener of this.#outgoingListeners) listener(kind);
      return result;
    });
  }

  /** Runs `work` with a storage whose writes are rolled back when it ends. Nothing is published or sent. */
  dryRun<Result>(work: (storage: DryRunStorage) => Promise<Result>): Promise<Result> {
    return this.#track(async () => {
      const run = new DryRun({ storage: this.#storage, committed: this, notify: this.#notifyWebhooks });
      try {
        return await work(run);
      } finally {
        await run.rollBack();
      }
    });
  }

  /** Calls the listener after every commit of this process that left a mail or a webhook delivery to send. Returns an unsubscribe function. */
  onOutgoing(listener: (kind: OutgoingKind) => void): () => void {
    this.#outgoingListeners.add(listener);
    return () => void this.#outgoingListeners.delete(listener);
  }

  /** Calls the listener with the events of every commit of this process, in feed order. Returns an unsubscribe function. */
  onEvents(listener: (events: readonly NewEvent[]) => void): () => void {
    return this.#eventBus.subscribe(listener);
  }

  /** Sets what webhooks receive for an event, which depends on the site: its settings are read from this database first. */
  setWebhookNotifier(notify: WebhookNotifier): void {
    this.#notifyWebhooks = notify;
  }

  /** Changes with every commit of any process. Null on PostgreSQL, where only a query could tell. */
  version(): string | null {
    return this.#storage.version();
  }

  /** The number of commits of this process. */
  get commits(): number {
    return this.#commits;
  }

  /** The clock of the database's machine; null where that is this machine. */
  time(): Promise<number | null> {
    return this.#track(() => this.#storage.time());
  }

  load(): StorageLoad {
    return this.#storage.load();
  }

  /** Runs pending migrations, all or none. Several processes may do so at the same time. Returns the names of those that it ran. */
  async migrate(): Promise<string[]> {
    // Without the lock first: a process that starts beside others has nothing to do.
    return (await this.pendingMigrations()).length === 0 ? [] : this.#track(() => this.#storage.migrate(runMigrations));
  }

  pendingMigrations(): Promise<string[]> {
    return this.#track(() => this.#storage.read(listPending));
  }

  /** Rejects when the database does not answer, could not be written to the last time, or was found damaged. */
  ping(): Promise<void> {
    return this.#track(() => this.#healthProbe.check());
  }

  /** Reads every page of a SQLite file. Null if none is damaged, and on PostgreSQL. */
  integrityProblem(): Promise<string | null> {
    return this.#track(() => this.#storage.integrityProblem());
  }

  /** Writes a consistent copy to a new file without blocking readers and writers. */
  backup(file: string): Promise<void> {
    return this.#track(() => this.#storage.backup(file));
  }

  /** Removes what deleted and replaced rows have left in the files of SQLite. Other writers wait meanwhile. */
  compact(): Promise<void> {
    return this.#track(() => this.#storage.compact());
  }

  /** After many rows were written at once: else PostgreSQL plans for empty tables until its autovacuum has been there. */
  analyze(): Promise<void> {
    return this.#track(() => this.#storage.analyze());
  }

  /** Waits for running work and refuses further work. */
  close(): Promise<void> {
    this.#closing ??= this.#inFlight.close().then(() => this.#storage.close());
    return this.#closing;
  }

  async #writeAndPublish<Result>(work: (transaction: Transaction<Repositories>) => Promise<Result>, isolation: IsolationLevel) {
    const slot = this.#eventBus.createSlot();
    let events: readonly NewEvent[] = [];
    try {
      const committed = await this.#storage.write(async (manager) => {
        const transaction = openTransaction(manager, { storage: this.#storage, notify: this.#notifyWebhooks });
        const result = await work(transaction.db);
        await transaction.appendEvents();
        if (transaction.events.length > 0) slot.reserve();
        return { result, events: transaction.events, outgoing: transaction.outgoing };
      }, isolation);
      ({ events } = committed);
      return committed;
    } finally {
      slot.release(events);
    }
  }

  async #track<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#inFlight.begin();
    try {
      return await work();
    } catch (error) {
      this.#healthProbe.recordFailure(error);
      throw redactValues(error);
    } finally {
      this.#inFlight.end();
    }
  }
}

/** Counts running work, so that closing can wait for it. */
class InFlight {
  #running = 0;
  #onIdle: (() => void) | undefined;

  begin(): void {
    if (this.#onIdle) throw new Error('The database is closed.');
    this.#running += 1;
  }

  end(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#onIdle?.();
  }

  /** Refuses further work and resolves when the running work has ended. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.#running === 0) resolve();
    });
  }
}
