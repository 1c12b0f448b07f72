import { FifoQueue, QueueStats } from '../fifo-queue.ts';

interface Waiter {
  count: number;
  grant: () => void;
}

/** Counting semaphore with FIFO order. Acquiring all permits means exclusive use. */
export class Semaphore {
  readonly total: number;
  readonly stats = new QueueStats();
  readonly #queue: FifoQueue<Waiter>;
  #free: number;

  constructor(total: number, timeoutMs?: number) {
    this.total = total;
    this.#queue = new FifoQueue(timeoutMs);
    this.#free = total;
  }

  async use<Result>(count: number, work: () => Promise<Result>): Promise<Result> {
    await this.#acquire(count);
    try {
      return await work();
    } finally {
      this.#free += count;
      this.#grantWaiters();
    }
  }

  #acquire(count: number): Promise<void> {
    const isFree = this.#queue.first === undefined && count <= this.#free;
    const granted = this.#queue.wait<void>(
      (grant) => ({ count, grant }),
      () => this.#grantWaiters(),
    );
    this.#grantWaiters();
    return isFree ? granted : this.stats.time(granted);
  }

  #grantWaiters(): void {
    for (let next = this.#queue.first; next && next.count <= this.#free; next = this.#queue.first) {
      this.#queue.shift();
      this.#free -= next.count;
      next.grant();
    }
  }
}
