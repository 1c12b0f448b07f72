/** Jobs that this process cannot do, for a while: it does not claim them, so that other processes can. */
export class SkipList {
  readonly #milliseconds: number;
  readonly #until = new Map<number, number>();

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** False when it is known already. */
  add(id: number, now: number): boolean {
    const isNew = !this.at(now).includes(id);
    this.#until.set(id, now + this.#milliseconds);
    return isNew;
  }

  at(now: number): number[] {
    for (const [id, until] of this.#until) {
      // Longer than anything is ever left: the clock was set back.
      if (until <= now || until > now + this.#milliseconds) this.#until.delete(id);
    }
    return [...this.#until.keys()];
  }
}
