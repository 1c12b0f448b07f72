/** Notices a clock that was set back. While this process did not run it may have been, so the first look counts as one. */
export class ClockRollback {
  #last = Number.POSITIVE_INFINITY;

  /** Mends what lies too far ahead by now. Tried again with the next look when it fails. */
  async mend(now: number, bringForward: () => Promise<void>): Promise<void> {
    if (now < this.#last) await bringForward();
    this.#last = now;
  }
}
