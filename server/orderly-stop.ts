import type { Logger } from 'pino';
import { maxRunMilliseconds } from '../domain/payouts/run.ts';
import { withTimeout } from '../domain/timeout.ts';
import { gatewayTimeoutMs } from '../site/extension/gateways.ts';

/** How long a stop waits for each of its steps, which follow one another. What is sent by then is bounded in server/jobs/outbox.ts. */
export const stopTimeouts = {
  /** The last request of a payout run may begin at its end, and take as long as its gateway. */
  requests: maxRunMilliseconds + gatewayTimeoutMs + 10_000,
  background: 10_000,
  database: 10_000,
};

/** Of all steps and the outbox. After it a worker is killed; supervisors must wait longer. */
export const longestStopMs = 145_000;

/** Waits for every part of a stop for a bounded time. */
export class OrderlyStop {
  readonly #log: Logger;
  readonly #open: string[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  async wait(name: string, ended: Promise<unknown>, timeoutMs: number): Promise<void> {
    await withTimeout(ended, timeoutMs, () => this.addOpen(name));
  }

  addOpen(...names: readonly string[]): void {
    this.#open.push(...names);
  }

  /** Returns whether everything has ended, and logs what has not. */
  report(): boolean {
    if (this.#open.length > 0) this.#log.error({ open: this.#open }, 'the stop did not wait any longer for what is still open');
    return this.#open.length === 0;
  }
}
