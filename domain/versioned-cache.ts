interface Entry<Value> {
  version: string;
  value: Value;
  weight: number;
}

/**
 * LRU cache, bounded by the sum of the weights. Callers pass the version that they read in their own snapshot, so that an entry is never older
 * than the last commit of any process. By hand, because the domain imports no library.
 */
export class VersionedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #maxWeight: number;
  #weight = 0;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  get(key: string, version: string): Value | undefined {
    const entry = this.#entries.get(key);
    this.#delete(key);
    if (entry?.version !== version) return undefined;
    // A map iterates in insertion order: the first entry is the least recently used.
    this.#put(key, entry);
    return entry.value;
  }

  set(key: string, version: string, value: Value, weight = 1): void {
    this.#delete(key);
    this.#put(key, { version, value, weight });
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) return;
      this.#delete(oldest);
    }
  }

  #put(key: string, entry: Entry<Value>): void {
    this.#entries.set(key, entry);
    this.#weight += entry.weight;
  }

  #delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
