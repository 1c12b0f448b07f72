interface Waiting {
  count: number;
  grant: () => void;
}

/** Lets so many through at once; who comes first goes first. Whoever takes all of them is alone. */
export class Permits {
  readonly total: number;
  readonly #waiting: Waiting[] = [];
  #free: number;

  constructor(total: number) {
    this.total = total;
    this.#free = total;
  }

  async use<Result>(count: number, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((grant) => {
      this.#waiting.push({ count, grant });
      this.#grant();
    });
    try {
      return await work();
    } finally {
      this.#free += count;
      this.#grant();
    }
  }

  #grant(): void {
    for (let next = this.#waiting[0]; next && next.count <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= next.count;
      next.grant();
    }
  }
}
