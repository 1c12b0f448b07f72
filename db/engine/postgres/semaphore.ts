import { InTurn } from '../fifo-queue.ts';
import { Waits } from '../queue-stats.ts';

interface Waiting {
  count: number;
  grant: () => void;
}

/** Lets so many through at once; who comes first goes first. Whoever takes all of them is alone. */
export class Permits {
  readonly total: number;
  readonly #waiting: InTurn<Waiting>;
  readonly waits = new Waits();
  #free: number;

  constructor(total: number, patienceMs?: number) {
    this.total = total;
    this.#waiting = new InTurn(patienceMs);
    this.#free = total;
  }

  async use<Result>(count: number, work: () => Promise<Result>): Promise<Result> {
    await this.#granted(count);
    try {
      return await work();
    } finally {
      this.#free += count;
      this.#grant();
    }
  }

  #granted(count: number): Promise<void> {
    const isFree = this.#waiting.first === undefined && count <= this.#free;
    const granted = this.#waiting.wait<void>(
      (grant) => ({ count, grant }),
      () => this.#grant(),
    );
    this.#grant();
    return isFree ? granted : this.waits.timed(granted);
  }

  #grant(): void {
    for (let next = this.#waiting.first; next && next.count <= this.#free; next = this.#waiting.first) {
      this.#waiting.shift();
      this.#free -= next.count;
      next.grant();
    }
  }
}
