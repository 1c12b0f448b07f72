import { ApiError } from './errors.ts';

/** What one request of this process at a time may do. Nobody waits: whoever comes second is told that the first is at it. */
export class Locks {
  readonly #held = new Set<string>();

  async hold<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#held.has(name)) throw new ApiError('svc_api_in_progress');
    this.#held.add(name);
    try {
      return await work();
    } finally {
      this.#held.delete(name);
    }
  }
}
