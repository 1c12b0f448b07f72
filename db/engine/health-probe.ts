import { databaseErrorKind } from './database-error.ts';
import type { Storage } from './storage.ts';

/** Writes an unchanged value: needs space and permission, and changes nothing. */
const probeWrite = 'update migrations set name = name';

/** The probe writes little and may succeed where the next request fails, so a full disk is reported for this long. */
const fullForMs = 5000;

/**
 * Remembers failures that concern the whole database. Reads may succeed for days on a database that cannot be written to, or whose damaged
 * part is seldom read: a health check must not report such a database as healthy.
 */
export class HealthProbe {
  readonly #storage: Storage;
  #damage: unknown;
  #needsProbe = false;
  #fullAt = Number.NEGATIVE_INFINITY;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  recordFailure(error: unknown): void {
    const kind = databaseErrorKind(error);
    if (kind === 'damaged') this.#damage = error;
    if (kind === 'full') this.#fullAt = performance.now();
    if (kind === 'full' || kind === 'read-only' || kind === 'unreachable') this.#needsProbe = true;
  }

  recordWrite(): void {
    this.#needsProbe = false;
  }

  /** Rejects while the database is unhealthy. Damage is reported until the process restarts. */
  async check(): Promise<void> {
    await this.#storage.ping();
    if (this.#damage !== undefined) throw this.#damage;
    if (performance.now() < this.#fullAt + fullForMs) throw new Error('The disk was full a moment ago.');
    if (!this.#needsProbe) return;
    await this.#storage.write((manager) => manager.query(probeWrite));
    this.recordWrite();
  }
}
