import type { EntityManager } from 'typeorm';
import type { Repositories } from '../domain/repositories.ts';
import type { HeavyReads, Transaction, UnitOfWork } from '../domain/unit-of-work.ts';
import type { WebhookNotifier } from '../domain/webhooks/delivery.ts';
import type { Storage } from './engine/storage.ts';
import { openTransaction, readOnlyRepositories } from './transaction.ts';

export type DryRunStorage = UnitOfWork<Repositories> & HeavyReads<Repositories>;

interface DryRunParts {
  storage: Storage;
  /** For reads before the first write. */
  committed: DryRunStorage;
  notify: WebhookNotifier;
}

class RolledBack extends Error {}

/**
 * A unit of work whose writes share one transaction, which is rolled back. It begins with the first write, so that nothing waits for checks
 * before it; reads after that see what was written. Events are not appended: that would hold the lock of the feed until the end.
 */
export class DryRun implements DryRunStorage {
  readonly #parts: DryRunParts;
  #manager: Promise<EntityManager> | undefined;
  #ended: Promise<void> = Promise.resolve();
  #last: Promise<unknown> = Promise.resolve();
  #end: () => void = () => {};

  constructor(parts: DryRunParts) {
    this.#parts = parts;
  }

  query<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result> {
    return this.#manager ? this.#readUncommitted(work) : this.#parts.committed.query(work);
  }

  read<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result> {
    return this.#manager ? this.#readUncommitted(work) : this.#parts.committed.read(work);
  }

  readHeavy<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result> {
    return this.#manager ? this.#readUncommitted(work) : this.#parts.committed.readHeavy(work);
  }

  /** As in `Database`, all or nothing: one that fails leaves nothing to those that follow. */
  write<Result>(work: (transaction: Transaction<Repositories>) => Promise<Result>): Promise<Result> {
    this.#manager ??= this.#begin();
    const written = this.#last.then(async () => {
      const manager = (await this.#manager) as EntityManager;
      const { storage, notify } = this.#parts;
      await manager.query('SAVEPOINT dry_run');
      try {
        const result = await work(openTransaction(manager, { storage, notify }).db);
        await manager.query('RELEASE SAVEPOINT dry_run');
        return result;
      } catch (error) {
        await manager.query('ROLLBACK TO SAVEPOINT dry_run');
        throw error;
      }
    });
    this.#last = written.catch(() => {});
    return written;
  }

  /** Resolves when the transaction has ended. */
  async rollBack(): Promise<void> {
    this.#end();
    await this.#ended;
  }

  async #readUncommitted<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result> {
    return work(readOnlyRepositories((await this.#manager) as EntityManager));
  }

  /** Read-committed, so that it never fails other transactions, and is never to be repeated. */
  #begin(): Promise<EntityManager> {
    const held = new Promise<never>((_resolve, reject) => {
      this.#end = () => reject(new RolledBack());
    });
    held.catch(() => {});
    return new Promise((resolve, reject) => {
      const hold = (manager: EntityManager): Promise<never> => {
        resolve(manager);
        return held;
      };
      this.#ended = this.#parts.storage.write(hold, 'read-committed').catch((error: unknown) => {
        if (!(error instanceof RolledBack)) reject(error);
      });
    });
  }
}
