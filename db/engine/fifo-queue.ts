import { TooBusy } from './database-error.ts';

/** FIFO queue of waiters. With a timeout, a waiter that is not served in time is rejected with TooBusy. */
export class FifoQueue<Waiter> {
  readonly #timeoutMs: number | undefined;
  readonly #waiters: Waiter[] = [];

  constructor(timeoutMs?: number) {
    this.#timeoutMs = timeoutMs;
  }

  get first(): Waiter | undefined {
    return this.#waiters[0];
  }

  shift(): Waiter | undefined {
    return this.#waiters.shift();
  }

  /** Enqueues what `createWaiter` makes of the resolve function. `onTimeout` runs after a waiter has been removed unserved. */
  wait<Value>(createWaiter: (resolve: (value: Value) => void) => Waiter, onTimeout: () => void = () => {}): Promise<Value> {
    return new Promise((resolve, reject) => {
      const expire = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(new TooBusy('The database was busy with other requests for too long.'));
        onTimeout();
      };
      const timer = this.#timeoutMs === undefined ? undefined : setTimeout(expire, this.#timeoutMs);
      const waiter = createWaiter((value) => {
        clearTimeout(timer);
        resolve(value);
      });
      this.#waiters.push(waiter);
    });
  }
}

export interface QueueLoad {
  /** Waiters at this moment. */
  waiting: number;
  /** Waits since the start, and their total time. */
  waits: number;
  seconds: number;
}

/** Counts and times waits. Work that does not have to wait is not measured. */
export class QueueStats {
  #waiting = 0;
  #waits = 0;
  #milliseconds = 0;

  async time<Result>(wait: Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    this.#waiting += 1;
    try {
      return await wait;
    } finally {
      this.#waiting -= 1;
      this.#waits += 1;
      this.#milliseconds += performance.now() - startedAt;
    }
  }

  load(): QueueLoad {
    return { waiting: this.#waiting, waits: this.#waits, seconds: this.#milliseconds / 1000 };
  }
}
