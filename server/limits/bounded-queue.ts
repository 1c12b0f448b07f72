import { ApiError } from '../../domain/errors.ts';

export interface QueueBounds {
  running: number;
  waiting: number;
}

export const queueFull = (): ApiError => new ApiError('svc_api_overloaded', { data: { retry_after: 2 } });

/** Runs a few tasks at a time, lets a few more wait, and refuses the rest with 503. */
export class BoundedQueue {
  readonly #bounds: QueueBounds;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#bounds.running) await this.#wait();
    else this.#running += 1;
    try {
      return await task();
    } finally {
      // A waiting task takes over this one's place.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#bounds.waiting) throw queueFull();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

/** A queue for each key, which exists while it has tasks. */
export class QueuePerKey {
  readonly #bounds: QueueBounds;
  readonly #queues = new Map<string, BoundedQueue>();

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(key) ?? new BoundedQueue(this.#bounds);
    this.#queues.set(key, queue);
    try {
      return await queue.run(task);
    } finally {
      if (queue.isIdle) this.#queues.delete(key);
    }
  }
}
