import { troubleOf } from './database-error-kind.ts';
import type { Storage } from './storage.ts';

/** Writes what is there already: it takes room and permission, and changes nothing. */
const rewrite = 'update migrations set run_at = run_at';

/** What is tried here is small, and may find room where the next request finds none. */
const fullForMs = 5000;

/**
 * What the last failures say about the database. Reading may go on for days where nothing can be written any more, or where a part that
 * is seldom looked at is damaged: whoever asks whether all is well must not be told so.
 */
export class Soundness {
  readonly #storage: Storage;
  #damage: unknown;
  #isDoubtful = false;
  #fullAt = Number.NEGATIVE_INFINITY;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  noteFailure(error: unknown): void {
    const trouble = troubleOf(error);
    if (trouble === 'damaged') this.#damage = error;
    if (trouble === 'full') this.#fullAt = performance.now();
    if (trouble === 'full' || trouble === 'read-only' || trouble === 'away') this.#isDoubtful = true;
  }

  noteWritten(): void {
    this.#isDoubtful = false;
  }

  /** Rejects while it is not sound. Damage is for somebody to mend, who has to stop the process for it. */
  async check(): Promise<void> {
    await this.#storage.ping();
    if (this.#damage !== undefined) throw this.#damage;
    if (performance.now() < this.#fullAt + fullForMs) throw new Error('A moment ago there was no room for a write.');
    if (!this.#isDoubtful) return;
    await this.#storage.writing((manager) => manager.query(rewrite));
    this.noteWritten();
  }
}
