import type { Database } from '../../db/database.ts';
import type { JobRunner } from './job-runner.ts';

export interface OutboxParts {
  database: Pick<Database, 'onOutgoing'>;
  lanes: readonly Pick<JobRunner<unknown, unknown>, 'wake' | 'idle' | 'stop' | 'abort' | 'sent'>[];
  /** What is to be done now and then, beside sending. Never rejects. */
  tidyUp(): Promise<void>;
}

export interface RunningOutbox {
  /** Takes nothing more, and waits for what is on its way. */
  stop(): Promise<void>;
}

/** Other processes leave work too, and leases run out. */
const pollMilliseconds = 1000;
const tidyUpMilliseconds = 3_600_000;
const drainMilliseconds = 10_000;

/** Everything that leaves the service by itself. Several may work on one database, in this process or in others. */
export class Outbox {
  readonly #parts: OutboxParts;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Sends until it is stopped: at once after a commit of this process, and now and again for those of others. */
  start(): RunningOutbox {
    const { database, lanes, tidyUp } = this.#parts;
    let tidying = tidyUp();
    const forgetUs = database.onOutgoing(() => this.#wake());
    const timers = [
      setInterval(() => this.#wake(), pollMilliseconds),
      setInterval(() => {
        tidying = tidyUp();
      }, tidyUpMilliseconds),
    ];
    this.#wake();
    return {
      async stop() {
        forgetUs();
        for (const timer of timers) clearInterval(timer);
        for (const lane of lanes) lane.stop();
        const isIdle = Promise.all([tidying, ...lanes.map((lane) => lane.idle())]);
        await soonEnough(isIdle);
        for (const lane of lanes) lane.abort();
        await soonEnough(isIdle);
      },
    };
  }

  /** Sends what is due now, and what that makes due, until nothing is. */
  async sendAllDue(): Promise<void> {
    const { lanes } = this.#parts;
    for (let before = -1; before !== this.#sent; ) {
      before = this.#sent;
      this.#wake();
      await Promise.all(lanes.map((lane) => lane.idle()));
    }
  }

  #wake(): void {
    for (const lane of this.#parts.lanes) lane.wake();
  }

  get #sent(): number {
    return this.#parts.lanes.reduce((sum, lane) => sum + lane.sent, 0);
  }
}

/** Whoever is slower than this loses nothing: its lease runs out, and another worker takes over. */
async function soonEnough(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMilliseconds);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
