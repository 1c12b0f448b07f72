import { LRUCache } from 'lru-cache';

/** What a cache needs to see of the database to notice commits. */
export interface VersionSource {
  /** Changes with every commit of any process. Null where that cannot be seen without a query, as on PostgreSQL. */
  version(): string | null;
  /** Number of commits of this process. */
  readonly commits: number;
}

/** State of the data at one moment. Capture it before reading: a commit in between then makes the result stale. */
export interface DataVersion {
  readonly version: string | null;
  readonly commits: number;
  /** By `performance.now()`. */
  readonly at: number;
}

export const captureVersion = (source: VersionSource): DataVersion => ({
  version: source.version(),
  commits: source.commits,
  at: performance.now(),
});

interface CacheBounds {
  /** Sum of the entries' sizes, in the unit of `set`. */
  readonly maxSize: number;
  /** How long an entry may be used where commits of other processes cannot be seen. */
  readonly graceMs: number;
}

interface Entry<Value> {
  readonly readAt: DataVersion;
  readonly value: Value;
}

/** LRU cache of values derived from the data. An entry is valid only while nothing was committed since it was read. */
export class VersionedLru<Value> {
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #graceMs: number;

  constructor({ maxSize, graceMs }: CacheBounds) {
    this.#entries = new LRUCache({ maxSize });
    this.#graceMs = graceMs;
  }

  /** `current` is captured when the request arrives, so that an entry is never older than the last commit before it. */
  get(key: string, current: DataVersion): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (this.#isCurrent(entry.readAt, current)) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, readAt: DataVersion, value: Value, size = 1): void {
    this.#entries.set(key, { readAt, value }, { size });
  }

  #isCurrent(readAt: DataVersion, current: DataVersion): boolean {
    if (current.version !== null) return current.version === readAt.version;
    return current.commits === readAt.commits && current.at - readAt.at < this.#graceMs;
  }
}
