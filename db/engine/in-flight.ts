/** Tracks running work, so that closing can wait for it. */
export class InFlight {
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  async track<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new Error('The database is closed.');
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Refuses further work and resolves when the running work has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
  }
}
