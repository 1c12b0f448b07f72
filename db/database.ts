import { type Clock, systemClock } from '../domain/clock.ts';
import type { NewEvent } from '../domain/events/event.ts';
import type { ReadManner, Stores, Transaction, UnitOfWork, WindowCounters, WriteManner } from '../domain/ports.ts';
import { notifyOfAllEvents, type WebhookNotifier } from '../domain/webhooks/event-notifier.ts';
import { locate } from './database-url.ts';
import { withoutValues } from './engine/database-error.ts';
import { EventNews } from './engine/event-bus.ts';
import { Soundness } from './engine/health-probe.ts';
import { InFlight } from './engine/in-flight.ts';
import { SharedViews } from './engine/shared-snapshot.ts';
import type { Storage, StorageLoad } from './engine/storage.ts';
import { Nesting } from './engine/transaction-scope.ts';
import { migrations as allMigrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { pendingOf, runMigrations } from './migrations/run.ts';
import { openTransaction, readOnlyStores } from './transaction.ts';

export interface DatabaseOptions {
  /** `sqlite:<path>` or `postgres://…`. */
  url: string;
  /** For the counters. Without one, those on PostgreSQL go by the database's clock. */
  clock?: Clock;
  /** Work after a commit has no caller left who could be told of its failure. */
  onAfterCommitError?: (error: unknown) => void;
  /** Sees every statement, without its values. */
  onStatement?: (sql: string) => void;
  migrations?: readonly Migration[];
  /** How long anything may wait for the database. For those who serve others: better an error in time than an answer nobody waits for. */
  patienceMs?: number;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const location = locate(options.url);
  // Each engine's driver is loaded only where it is used.
  if (location.engine === 'sqlite') {
    const { openSqlite } = await import('./engine/sqlite/storage.ts');
    return new Database(await openSqlite(location.path, options), options);
  }
  const { openPostgres } = await import('./engine/postgres/storage.ts');
  return new Database(await openPostgres(location.url, options), options);
}

export class Database implements UnitOfWork {
  readonly engine: 'sqlite' | 'postgres';
  readonly counters: WindowCounters;
  readonly #storage: Storage;
  readonly #migrations: readonly Migration[];
  readonly #clock: Clock;
  readonly #onAfterCommitError: (error: unknown) => void;
  readonly #inFlight = new InFlight();
  readonly #nesting = new Nesting();
  readonly #sharedViews = new SharedViews((work) => this.#view(work));
  readonly #soundness: Soundness;
  readonly #outgoingListeners = new Set<() => void>();
  readonly #eventNews: EventNews;
  #tellWebhooks: WebhookNotifier = notifyOfAllEvents;
  #commits = 0;
  #closing: Promise<void> | undefined;

  constructor(storage: Storage, { migrations = allMigrations, clock = systemClock, onAfterCommitError = console.error }: DatabaseOptions) {
    this.engine = storage.dialect.engine;
    this.counters = storage.counters;
    this.#storage = storage;
    this.#soundness = new Soundness(storage);
    this.#migrations = migrations;
    this.#clock = clock;
    this.#onAfterCommitError = onAfterCommitError;
    this.#eventNews = new EventNews(onAfterCommitError);
  }

  async read<Result>(work: (stores: Stores) => Promise<Result>, manner: ReadManner = 'alone'): Promise<Result> {
    const outer = this.#nesting.enclosingRead;
    if (outer) return work(outer);
    const inside = (stores: Stores): Promise<Result> => this.#nesting.run('read', stores, () => work(stores));
    const reading = () => (manner === 'brief' ? this.#sharedViews.join(inside) : this.#view(inside));
    // What a unit under way still needs is part of it: closing waits for it.
    return this.#nesting.isInside ? reading() : this.#tracked(reading);
  }

  write<Result>(work: (transaction: Transaction) => Promise<Result>, manner: WriteManner = 'in turn'): Promise<Result> {
    return this.#tracked(async () => {
      const { result, afterCommit, hasOutgoing } = await this.#committed(work, manner);
      this.#commits += 1;
      this.#soundness.noteWritten();
      if (hasOutgoing()) for (const listener of this.#outgoingListeners) listener();
      for (const step of afterCommit) await this.#mayFail(step);
      return result;
    });
  }

  /** @throws inside a unit. For those who have their write done by somebody else, whom that unit would keep waiting. */
  refuseInside(): void {
    this.#nesting.refuseInside('write');
  }

  /** Tells of every commit in this process that left something for a worker to send. The answer ends it. */
  onOutgoing(listener: () => void): () => void {
    this.#outgoingListeners.add(listener);
    return () => void this.#outgoingListeners.delete(listener);
  }

  /** Tells of the events of every commit in this process, in the order of the feed. Nobody waits for it. The answer ends it. */
  onEvents(listener: (events: readonly NewEvent[]) => void): () => void {
    return this.#eventNews.listen(listener);
  }

  /** What webhooks tell of events depends on the site, which is known only after its settings could be read from here. */
  setWebhookNotifier(tell: WebhookNotifier): void {
    this.#tellWebhooks = tell;
  }

  /** The same text as long as nobody, in whichever process, has committed anything. Null where only the database itself can tell. */
  version(): string | null {
    return this.#storage.version();
  }

  /** How often this process has committed. */
  get commits(): number {
    return this.#commits;
  }

  /** What the database's own machine takes for the time; null where that is this one. */
  time(): Promise<number | null> {
    return this.#tracked(() => this.#storage.time());
  }

  /** How busy this process keeps the database. */
  load(): StorageLoad {
    return this.#storage.load();
  }

  /** Brings the tables up to date. Several processes may do so at once. */
  migrate(onStep: (name: string) => void = () => {}): Promise<void> {
    return this.#tracked(() => runMigrations(this.#storage, this.#migrations, this.#clock, onStep));
  }

  pendingMigrations(): Promise<string[]> {
    return this.#tracked(() => pendingOf(this.#storage, this.#migrations));
  }

  /** Rejects when it does not answer, could not be written to the last time, or was found damaged. */
  ping(): Promise<void> {
    return this.#tracked(() => this.#soundness.check());
  }

  /** Writes a consistent copy to a new file, while others go on reading and writing. */
  backup(file: string): Promise<void> {
    return this.#tracked(() => this.#storage.backup(file));
  }

  /** Waits for what is under way and refuses what comes later. */
  async close(): Promise<void> {
    this.#nesting.refuseInside('close');
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    await this.#inFlight.finish();
    await this.#sharedViews.finish();
    await this.#storage.close();
  }

  #view<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result> {
    return this.#storage.reading((manager) => work(readOnlyStores(manager)));
  }

  async #committed<Result>(work: (transaction: Transaction) => Promise<Result>, manner: WriteManner) {
    const place = this.#eventNews.place();
    let events: readonly NewEvent[] = [];
    try {
      const commit = await this.#nesting.run('write', null, () => this.#commit(work, manner, () => place.take()));
      ({ events } = commit);
      return commit;
    } finally {
      place.leave(events);
    }
  }

  #commit<Result>(work: (transaction: Transaction) => Promise<Result>, manner: WriteManner, onAppended: () => void) {
    return this.#storage.writing(async (manager) => {
      const transaction = openTransaction(manager, this.#storage, this.#tellWebhooks);
      const result = await work(transaction.stores);
      await transaction.appendEvents();
      const { events, afterCommit, hasOutgoing } = transaction;
      if (events.length > 0) onAppended();
      return { result, events, afterCommit, hasOutgoing };
    }, manner);
  }

  async #mayFail(step: () => void | Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#onAfterCommitError(error);
    }
  }

  async #tracked<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#inFlight.track(work);
    } catch (error) {
      this.#soundness.noteFailure(error);
      throw withoutValues(error);
    }
  }
}
