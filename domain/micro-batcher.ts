interface Waiter<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface BatchOptions<Item, Result> {
  /** Processes many items at once and returns a result for each, in the same order. */
  runBatch(items: readonly Item[]): Promise<readonly Result[]>;
  maxBatchSize: number;
  /** Whether the error would be the same for every item, so that running them one by one makes no sense. */
  failsWholeBatch(error: unknown): boolean;
  /** Awaited before each batch, which then contains what has arrived meanwhile. */
  gather?(): Promise<unknown>;
}

/** Resolves after what has arrived in this turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Batches items whose cost is mostly per batch. An item that finds no batch running starts one at once; items that arrive meanwhile form the
 * next batch, in their order.
 */
export class MicroBatcher<Item, Result> {
  readonly #options: BatchOptions<Item, Result>;
  #queue: Waiter<Item, Result>[] = [];
  #isRunning = false;
  #current: Promise<void> = Promise.resolve();

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#drain();
    });
  }

  /** Resolves when the batch that is running now has ended. */
  current(): Promise<void> {
    return this.#current;
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    while (this.#queue.length > 0) {
      this.#current = this.#runNext();
      await this.#current;
    }
    this.#isRunning = false;
  }

  async #runNext(): Promise<void> {
    if (this.#options.gather) await this.#options.gather();
    const batch = this.#queue.splice(0, this.#options.maxBatchSize);
    // One item may have failed the batch. Sequentially, because two items may concern the same row.
    if (!(await this.#run(batch))) for (const waiter of batch) await this.#run([waiter]);
  }

  /** Returns false when the batch failed and its items must run one by one. */
  async #run(batch: readonly Waiter<Item, Result>[]): Promise<boolean> {
    try {
      const results = await this.#options.runBatch(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      const failsAll = this.#options.failsWholeBatch(error);
      if (batch.length > 1 && !failsAll) return false;
      // Waiting items would fail with the same error.
      for (const { reject } of failsAll ? [...batch, ...this.#queue.splice(0)] : batch) reject(error);
    }
    return true;
  }
}
