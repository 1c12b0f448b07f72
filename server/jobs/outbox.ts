import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { type Clock, systemClock } from '../../domain/clock.ts';
import type { SendMail } from '../../domain/mail/mail.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import type { SendWebhook } from '../../domain/webhooks/delivery.ts';
import { deleteOldDeliveries } from '../../domain/webhooks/delivery-queue.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';
import type { Configuration } from '../configuration.ts';
import { createMailFileSender } from '../mail/mail-files.ts';
import { createSmtpSender } from '../mail/smtp-sender.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { JobRunner } from './job-runner.ts';
import { createMailJobs } from './mail-jobs.ts';
import { createWebhookDeliveryJobs } from './webhook-delivery-jobs.ts';

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

/**
 * Sends mails and webhook deliveries. How a delivery is retried:
 * 1. `queueDeliveries` (db/repositories/deliveries.ts) inserts a row for each subscribed webhook in the transaction of the event.
 * 2. The outbox wakes after each commit of this process, and once a second for commits of others and expired leases.
 * 3. A `JobRunner` claims due rows with a lease, so that several workers share one queue, and sends them (server/webhooks/send.ts).
 * 4. The outcome is recorded with the next claim (domain/webhooks/delivery-queue.ts): delivered, due again after the delay of
 *    domain/webhooks/schedule.ts, or failed after the last attempt. A worker that dies loses its lease, and another one sends again.
 * 5. domain/webhooks/health.ts disables a webhook that keeps failing.
 */
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

/** A slower job is not lost: its lease expires, and another worker takes over. */
async function soonEnough(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMilliseconds);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}

interface OutboxOptions {
  configuration: Pick<Configuration, 'environment' | 'dataDir' | 'smtp'>;
  database: Database;
  settings: SiteSettings;
  log: Logger;
  masterKey: string;
  sendWebhook: SendWebhook;
  sendMail?: SendMail;
  clock?: Clock;
  leases?: Leases;
  metrics?: Metrics | undefined;
}

/** The lease of a job: longer than sending can take, so that no other worker sends it meanwhile. */
export interface Leases {
  delivery: number;
  mail: number;
}

const safeLeases: Leases = { delivery: 30_000, mail: 120_000 };

/** The outbox as a site has it: mails and webhooks. */
export function createOutbox({ clock = systemClock, leases = safeLeases, ...parts }: OutboxOptions): Outbox {
  const { configuration, database, settings, log, masterKey, metrics, sendWebhook: send, sendMail = mailsOf(configuration) } = parts;
  const secrets = createSecrets('webhook_secret', masterKey, systemRandom);
  const shared = { storage: database, clock, log };
  const mails = createMailJobs({ ...shared, sendMail, leaseMilliseconds: leases.mail });
  const deliveries = createWebhookDeliveryJobs({
    ...shared,
    settings,
    random: systemRandom,
    secrets,
    send,
    configuration,
    leaseMilliseconds: leases.delivery,
  });
  return new Outbox({
    database,
    lanes: [
      new JobRunner(metrics?.countAttempts(mails, 'mails') ?? mails, log),
      new JobRunner(metrics?.countAttempts(deliveries, 'webhooks') ?? deliveries, log),
    ],
    tidyUp: () => forgetOld(database, clock, log),
  });
}

const mailsOf = ({ smtp, dataDir }: Pick<Configuration, 'dataDir' | 'smtp'>): SendMail =>
  smtp ? createSmtpSender(smtp) : createMailFileSender(dataDir);

/** Bounds the length of one write transaction. */
const forgottenAtOnce = 500;

async function forgetOld(database: Database, clock: Clock, log: Logger): Promise<void> {
  try {
    for (let forgotten = forgottenAtOnce; forgotten === forgottenAtOnce; )
      forgotten = await database.write((transaction) => deleteOldDeliveries(transaction, clock.now(), forgottenAtOnce));
  } catch (error) {
    log.error({ err: error }, 'old deliveries could not be removed; the next turn tries again');
  }
}
