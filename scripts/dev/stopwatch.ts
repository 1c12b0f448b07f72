/** Where the time of one run goes. */
export class Stopwatch {
  readonly #since: number;
  readonly #parts = new Map<string, number>();

  constructor(sinceMs: number) {
    this.#since = sinceMs;
  }

  async time<Result>(part: string, work: Promise<Result>): Promise<Result> {
    const began = performance.now();
    return work.finally(() => this.#parts.set(part, performance.now() - began));
  }

  get total(): string {
    return seconds(performance.now() - this.#since);
  }

  get parts(): string {
    return [...this.#parts].map(([part, milliseconds]) => `${part} ${seconds(milliseconds)}`).join(' · ');
  }
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(milliseconds < 100 ? 2 : 1)} s`;
