interface Waiting<Piece, Result> {
  piece: Piece;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Does many pieces of work at once. Gives a result for each, in the same place. */
type DoAll<Piece, Result> = (pieces: readonly Piece[]) => Promise<readonly Result[]>;

/**
 * Work that comes piece by piece and costs hardly more for many than for one. A piece that finds nobody at work is done at once; what comes
 * meanwhile is done together next.
 */
export class Together<Piece, Result> {
  readonly #doAll: DoAll<Piece, Result>;
  readonly #mostAtOnce: number;
  #waiting: Waiting<Piece, Result>[] = [];
  #isAtWork = false;

  constructor(doAll: DoAll<Piece, Result>, mostAtOnce: number) {
    this.#doAll = doAll;
    this.#mostAtOnce = mostAtOnce;
  }

  add(piece: Piece): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ piece, resolve, reject });
      if (!this.#isAtWork) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isAtWork = true;
    while (this.#waiting.length > 0) {
      const turn = this.#waiting.splice(0, this.#mostAtOnce);
      const isDone = await this.#settled(turn);
      // One piece may have spoiled it for all: each is tried by itself.
      if (!isDone) await Promise.all(turn.map((one) => this.#settled([one])));
    }
    this.#isAtWork = false;
  }

  /** False when it failed and that is nobody's fault yet. */
  async #settled(turn: readonly Waiting<Piece, Result>[]): Promise<boolean> {
    try {
      const results = await this.#doAll(turn.map(({ piece }) => piece));
      for (const [place, { resolve }] of turn.entries()) resolve(results[place] as Result);
    } catch (error) {
      if (turn.length > 1) return false;
      turn[0]?.reject(error);
    }
    return true;
  }
}
