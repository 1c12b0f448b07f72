/** What tells whether anything was committed since. */
export interface Source {
  version(): string | null;
  readonly commits: number;
}

/** The state of the data that something was read from. Taken before reading: what is committed meanwhile makes it old. */
export interface Mark {
  readonly version: string | null;
  readonly commits: number;
  readonly at: number;
}

interface Entry<Value> {
  readonly mark: Mark;
  readonly value: Value;
  readonly size: number;
}

interface Bounds {
  /** In whatever `sizeOf` counts. */
  readonly most: number;
  /** How long something may be used although another process could have changed it, where that cannot be told without asking. */
  readonly graceMilliseconds: number;
}

/** Keeps what was made from the data as long as nobody has committed anything, and as long as there is room: the least used goes first. */
export class Remembered<Value> {
  readonly #source: Source;
  readonly #bounds: Bounds;
  readonly #entries = new Map<string, Entry<Value>>();
  #size = 0;

  constructor(source: Source, bounds: Bounds) {
    this.#source = source;
    this.#bounds = bounds;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  mark(): Mark {
    return { version: this.#source.version(), commits: this.#source.commits, at: performance.now() };
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    if (!this.#isTrue(entry.mark)) {
      this.#size -= entry.size;
      return undefined;
    }
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, mark: Mark, value: Value, size = 1): void {
    this.#drop(key);
    this.#entries.set(key, { mark, value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#bounds.most) break;
      this.#drop(oldest);
    }
  }

  #isTrue(mark: Mark): boolean {
    const version = this.#source.version();
    if (version !== null) return version === mark.version;
    return mark.commits === this.#source.commits && performance.now() - mark.at < this.#bounds.graceMilliseconds;
  }

  #drop(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
