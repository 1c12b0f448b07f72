import { ApiError } from '../errors.ts';

/** Named locks within this process. A second caller is refused with svc_api_in_progress instead of waiting. */
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
