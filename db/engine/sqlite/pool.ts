import { InTurn } from '../fifo-queue.ts';
import { Waits } from '../queue-stats.ts';

/** A fixed number of connections and, in front of them, a queue: who comes first is served first. A pool of one is a writer's queue. */
export class Pool<Connection> {
  readonly #idle: Connection[];
  readonly #waiting: InTurn<(connection: Connection) => void>;
  readonly waits = new Waits();

  constructor(connections: Connection[], patienceMs?: number) {
    this.#idle = [...connections];
    this.#waiting = new InTurn(patienceMs);
  }

  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#take();
    try {
      return await work(connection);
    } finally {
      this.#give(connection);
    }
  }

  async #take(): Promise<Connection> {
    return this.#idle.pop() ?? this.waits.timed(this.#waiting.wait((goOn) => goOn));
  }

  #give(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#idle.push(connection);
  }
}
