import { setTimeout as pause } from 'node:timers/promises';
import { databaseErrorKind } from '../../db/engine/database-error.ts';
import type { ApiKey } from '../../domain/keys/key.ts';
import { MicroBatcher } from '../../domain/micro-batcher.ts';
import type { UnitOfWork } from '../../domain/ports.ts';

/** `last_used` is for people: to five minutes is good enough, and spares a write for every request. */
const noteEveryMilliseconds = 5 * 60 * 1000;
/** How long a request waits for its use of the key to be noted, and how long nothing is noted where that took longer. */
const patienceMilliseconds = 1000;
const restMilliseconds = 10_000;
const mostAtOnce = 1000;

interface Use {
  id: number;
  at: number;
}

export const isToBeNoted = ({ lastUsedAt }: ApiKey, now: number): boolean =>
  lastUsedAt === null || lastUsedAt <= now - noteEveryMilliseconds;

/**
 * Notes when keys were used last. Keys that are used while a note is being written wait for the next and are written down together: each
 * commit makes all that is remembered old, and a thousand clients that wake up at once must not make it so a thousand times.
 */
export class KeyUses {
  readonly #storage: UnitOfWork;
  readonly #turns: MicroBatcher<Use, void>;
  /** Those that are not written yet, by the id of the key. */
  readonly #noting = new Map<number, Promise<void>>();
  /** By a clock that nobody sets. */
  #notBefore = 0;

  constructor(storage: UnitOfWork) {
    this.#storage = storage;
    this.#turns = new MicroBatcher({ runBatch: (uses) => this.#write(uses), maxBatchSize: mostAtOnce, failsWholeBatch: () => false });
  }

  /** Where nothing can be written for a while, one can still read: nobody waits for it then, and nobody tries again at once. */
  async note(id: number, now: number): Promise<void> {
    if (performance.now() < this.#notBefore) return;
    const noted = this.#noting.get(id) ?? this.#begin({ id, at: now });
    const inTime = await Promise.race([noted.then(() => true), pause(patienceMilliseconds, false, { ref: false })]);
    if (!inTime) this.#rest();
  }

  /** Those who use the key at the same moment wait for the same note. */
  #begin(use: Use): Promise<void> {
    const noted = this.#turns.add(use).finally(() => this.#noting.delete(use.id));
    this.#noting.set(use.id, noted);
    return noted;
  }

  async #write(uses: readonly Use[]): Promise<void[]> {
    const ids = uses.map(({ id }) => id);
    const at = Math.max(...uses.map((use) => use.at));
    try {
      await this.#storage.write(({ keys }) => keys.touch(ids, at, at - noteEveryMilliseconds));
    } catch (error) {
      if (databaseErrorKind(error) === null) throw error;
      this.#rest();
    }
    return uses.map(() => {});
  }

  #rest(): void {
    this.#notBefore = performance.now() + restMilliseconds;
  }
}
