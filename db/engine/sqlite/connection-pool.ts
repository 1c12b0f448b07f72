import { FifoQueue, QueueStats } from '../fifo-queue.ts';

/** A fixed number of connections with a FIFO queue. A pool of one connection is a write queue. */
export class ConnectionPool<Connection extends object> {
  readonly #idle: Connection[];
  readonly #queue: FifoQueue<(connection: Connection) => void>;
  readonly stats = new QueueStats();

  constructor(connections: Connection[], timeoutMs?: number) {
    this.#idle = [...connections];
    this.#queue = new FifoQueue(timeoutMs);
  }

  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = this.#idle.pop() ?? (await this.stats.time(this.#queue.wait<Connection>((resolve) => resolve)));
    try {
      return await work(connection);
    } finally {
      const next = this.#queue.shift();
      if (next) next(connection);
      else this.#idle.push(connection);
    }
  }
}
