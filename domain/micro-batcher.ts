import { AsyncResource } from 'node:async_hooks';

interface Waiting<Piece, Result> {
  piece: Piece;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Way<Piece, Result> {
  /** Does many pieces at once. Gives a result for each, in the same place. */
  doAll(pieces: readonly Piece[]): Promise<readonly Result[]>;
  mostAtOnce: number;
  /** Whether a failure would be the same for every piece, so that it makes no sense to try them one by one. */
  isForAll(error: unknown): boolean;
}

/**
 * Work that comes piece by piece and costs hardly more for many than for one. A piece that finds nobody at work is done at once; what comes
 * meanwhile is done together next, in the order in which it came.
 */
export class Together<Piece, Result> {
  readonly #way: Way<Piece, Result>;
  /** Whoever brings the first piece does the work of others as well, and must not do so inside a transaction of their own. */
  readonly #outside = new AsyncResource('Together');
  #waiting: Waiting<Piece, Result>[] = [];
  #isAtWork = false;

  constructor(way: Way<Piece, Result>) {
    this.#way = way;
  }

  add(piece: Piece): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ piece, resolve, reject });
      if (!this.#isAtWork) void this.#outside.runInAsyncScope(() => this.#work());
    });
  }

  async #work(): Promise<void> {
    this.#isAtWork = true;
    while (this.#waiting.length > 0) {
      const turn = this.#waiting.splice(0, this.#way.mostAtOnce);
      // One piece may have spoiled it for all. Still one after the other: two of them may be about the same thing.
      if (!(await this.#done(turn))) for (const one of turn) await this.#done([one]);
    }
    this.#isAtWork = false;
  }

  /** False when it failed and it is not clear yet whose fault that is. */
  async #done(turn: readonly Waiting<Piece, Result>[]): Promise<boolean> {
    try {
      const results = await this.#way.doAll(turn.map(({ piece }) => piece));
      for (const [place, { resolve }] of turn.entries()) resolve(results[place] as Result);
    } catch (error) {
      const isForAll = this.#way.isForAll(error);
      if (turn.length > 1 && !isForAll) return false;
      // Those who wait have waited long enough by now, and would learn the same.
      const told = isForAll ? [...turn, ...this.#waiting.splice(0)] : turn;
      for (const { reject } of told) reject(error);
    }
    return true;
  }
}
