import { databaseErrorKind } from '../../db/engine/database-error.ts';
import { MicroBatcher } from '../../domain/micro-batcher.ts';
import type { Repositories } from '../../domain/repositories.ts';
import { withTimeout } from '../../domain/timeout.ts';
import type { Transaction, UnitOfWork } from '../../domain/unit-of-work.ts';

/** `last_used` is for people: five minutes are exact enough, and save a write for every request. */
const recordEveryMs = 5 * 60 * 1000;
/** How long a request waits for the write, and how long nothing is recorded after one that failed or took longer. */
const timeoutMs = 1000;
const pauseMs = 10_000;
const maxBatchSize = 1000;

interface Use<Id> {
  id: Id;
  at: number;
}

export const isLastUseStale = ({ lastUsedAt }: { lastUsedAt: number | null }, now: number): boolean =>
  lastUsedAt === null || lastUsedAt <= now - recordEveryMs;

type Touch<Id> = (transaction: Transaction<Repositories>, ids: readonly Id[], at: number, unlessSince: number) => Promise<void>;

/**
 * Records when keys, application passwords or sessions were last used, in batches: each commit makes every cached response stale, and a thousand
 * clients that wake up at the same time must not cause a thousand commits.
 */
export class LastUsed<Id = number> {
  readonly #storage: UnitOfWork<Repositories>;
  readonly #touch: Touch<Id>;
  readonly #batcher: MicroBatcher<Use<Id>, void>;
  /** Writes in progress, by id. */
  readonly #pending = new Map<Id, Promise<void>>();
  /** By `performance.now()`. */
  #pausedUntil = 0;

  constructor(storage: UnitOfWork<Repositories>, touch: Touch<Id>) {
    this.#storage = storage;
    this.#touch = touch;
    this.#batcher = new MicroBatcher({ runBatch: (uses) => this.#write(uses), maxBatchSize, failsWholeBatch: () => false });
  }

  /** A database that cannot be written to can still be read, so a write that fails or is slow does not fail the request. */
  async record(id: Id, now: number): Promise<void> {
    if (performance.now() < this.#pausedUntil) return;
    await withTimeout(this.#pending.get(id) ?? this.#start({ id, at: now }), timeoutMs, () => this.#pause());
  }

  #start(use: Use<Id>): Promise<void> {
    const written = this.#batcher.add(use).finally(() => this.#pending.delete(use.id));
    this.#pending.set(use.id, written);
    return written;
  }

  async #write(uses: readonly Use<Id>[]): Promise<void[]> {
    const ids = uses.map(({ id }) => id);
    const at = Math.max(...uses.map((use) => use.at));
    try {
      await this.#storage.write((transaction) => this.#touch(transaction, ids, at, at - recordEveryMs), 'read-committed');
    } catch (error) {
      if (databaseErrorKind(error) === null) throw error;
      this.#pause();
    }
    return uses.map(() => {});
  }

  #pause(): void {
    this.#pausedUntil = performance.now() + pauseMs;
  }
}
