import type { Logger } from 'pino';
import type { RequestContext } from '../http/request-context.ts';
import { onResponseEnd } from '../http/response-end.ts';

/** Work that starts when the response has ended, sent or not, so that the time of the response tells nothing about it. */
export class BackgroundWork {
  readonly #log: Logger;
  readonly #running = new Set<Promise<void>>();

  constructor(log: Logger) {
    this.#log = log;
  }

  runAfter(ctx: RequestContext, work: () => Promise<void>): void {
    const { id: request } = ctx.state;
    const done = new Promise<void>((resolve) => onResponseEnd(ctx, resolve))
      .then(work)
      .catch((error) => this.#log.error({ request, err: error }, 'the work after a response failed'))
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  /** Resolves when all work has ended. */
  async flush(): Promise<void> {
    await Promise.all(this.#running);
  }
}
