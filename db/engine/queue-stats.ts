/** How it goes with those who have to wait for their turn. */
export interface Queue {
  /** Who waits at this moment. */
  waiting: number;
  /** How many had to, so far, and how long all of them together. */
  waits: number;
  seconds: number;
}

/** Looks at the clock only for those who wait: most do not. */
export class Waits {
  #waiting = 0;
  #waits = 0;
  #milliseconds = 0;

  async timed<Result>(turn: Promise<Result>): Promise<Result> {
    const since = performance.now();
    this.#waiting += 1;
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
      this.#waits += 1;
      this.#milliseconds += performance.now() - since;
    }
  }

  now(): Queue {
    return { waiting: this.#waiting, waits: this.#waits, seconds: this.#milliseconds / 1000 };
  }
}
