import type { Repositories } from '../../domain/repositories.ts';
import type { SettingRepository } from '../../domain/settings.ts';
import type { Transaction, UnitOfWork } from '../../domain/unit-of-work.ts';

/** A database that holds settings and nothing else, for as many nodes as a test wants. */
export class SettingsInMemory implements UnitOfWork<Repositories> {
  version = 0;
  values: Record<string, unknown> = {};
  /** What the nodes asked of it, in order. */
  readonly asked: ('version' | 'all')[] = [];
  /** Awaited by every read after it has read: a test can hold an answer back. */
  beforeAnswer: () => Promise<void> = async () => {};
  failing = false;

  query<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result> {
    return this.read(work);
  }

  async read<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result> {
    if (this.failing) throw new Error('the database is away');
    const result = await work({ settings: this.#store() } as Repositories);
    await this.beforeAnswer();
    return result;
  }

  async write<Result>(work: (transaction: Transaction<Repositories>) => Promise<Result>): Promise<Result> {
    const before = { version: this.version, values: { ...this.values } };
    try {
      return await work({ settings: this.#store() } as Transaction<Repositories>);
    } catch (error) {
      Object.assign(this, before);
      throw error;
    }
  }

  #store(): SettingRepository {
    return {
      version: async () => {
        this.asked.push('version');
        return this.version;
      },
      all: async () => {
        this.asked.push('all');
        return { version: this.version, values: { ...this.values } };
      },
      set: async (path, value) => {
        this.version += 1;
        if (value === null) delete this.values[path];
        else this.values[path] = value;
      },
    };
  }
}
