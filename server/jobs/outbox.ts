import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { type Clock, systemClock } from '../../domain/clock.ts';
import type { SendMail } from '../../domain/mail/mail.ts';
import type { MasterKey } from '../../domain/master-key/key-ring.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { deleteOldFiles } from '../../domain/payouts/settle-batch.ts';
import { systemRandom } from '../../domain/random.ts';
import { deleteOldStoreDeliveries } from '../../domain/store/manage-connections.ts';
import { withTimeout } from '../../domain/timeout.ts';
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
  runners: readonly Pick<JobRunner<unknown, unknown>, 'name' | 'wake' | 'wakeSoon' | 'idle' | 'stop' | 'abort' | 'sent'>[];
  /** Runs at the start and once an hour. Never rejects. */
  cleanUp(): Promise<void>;
}

export interface RunningOutbox {
  /** Sends the mails that are due, then claims no more jobs, and waits for those in flight. */
  stop(): Promise<void>;
}

/** Other processes queue jobs too, and leases expire. */
const pollMilliseconds = 1000;
const cleanUpMilliseconds = 3_600_000;
const drainMilliseconds = 10_000;

/**
 * Sends mails and webhook deliveries. How a delivery is retried:
 * 1. `prepareDeliveries` (db/repositories/deliveries.ts) inserts a row for each subscribed webhook in the transaction of the event.
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

  /** Sends until it is stopped: after each commit of this process, and once a second for commits of others. */
  start(): RunningOutbox {
    const { database, runners, cleanUp } = this.#parts;
    let cleaning = cleanUp();
    const unsubscribe = database.onOutgoing((kind) => runners.find(({ name }) => name === kind)?.wakeSoon());
    const timers = [
      setInterval(() => this.#wake(), pollMilliseconds),
      setInterval(() => {
        cleaning = cleanUp();
      }, cleanUpMilliseconds),
    ];
    this.#wake();
    return {
      async stop() {
        unsubscribe();
        for (const timer of timers) clearInterval(timer);
        // A person waits for a mail that was just queued, and the next start may be far. Deliveries have followers that catch up.
        await drain(sendDue(runners.filter(({ name }) => name === 'mails')));
        for (const runner of runners) runner.stop();
        const isIdle = Promise.all([cleaning, ...runners.map((runner) => runner.idle())]);
        await drain(isIdle);
        for (const runner of runners) runner.abort();
        await drain(isIdle);
      },
    };
  }

  sendAllDue(): Promise<void> {
    return sendDue(this.#parts.runners);
  }

  #wake(): void {
    for (const runner of this.#parts.runners) runner.wake();
  }
}

/** Sends due jobs until none is left. */
async function sendDue(runners: OutboxParts['runners']): Promise<void> {
  const countSent = (): number => runners.reduce((sum, { sent }) => sum + sent, 0);
  for (let before = -1; before !== countSent(); ) {
    before = countSent();
    for (const runner of runners) runner.wake();
    await Promise.all(runners.map((runner) => runner.idle()));
  }
}

/** A slower job is not lost: its lease expires, and another worker takes over. */
const drain = (work: Promise<unknown>): Promise<unknown> => withTimeout(work, drainMilliseconds, () => undefined);

interface OutboxOptions {
  configuration: Pick<Configuration, 'environment' | 'dataDir' | 'smtp'>;
  database: Database;
  settings: SiteSettings;
  log: Logger;
  masterKey: MasterKey;
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

/** The outbox of a site: mails and webhooks. */
export function createOutbox({ clock = systemClock, leases = safeLeases, ...parts }: OutboxOptions): Outbox {
  const {
    configuration,
    database,
    settings,
    log,
    masterKey,
    metrics,
    sendWebhook: send,
    sendMail = createMailSender(configuration),
  } = parts;
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
    runners: [
      new JobRunner(metrics?.countAttempts(mails, 'mails') ?? mails, log),
      new JobRunner(metrics?.countAttempts(deliveries, 'webhooks') ?? deliveries, log),
    ],
    cleanUp: () => deleteOld(database, clock, log),
  });
}

const createMailSender = ({ smtp, dataDir }: Pick<Configuration, 'dataDir' | 'smtp'>): SendMail =>
  smtp ? createSmtpSender(smtp) : createMailFileSender(dataDir);

/** Bounds the length of one write transaction. */
const deletedAtOnce = 500;

async function deleteOld(database: Database, clock: Clock, log: Logger): Promise<void> {
  try {
    await database.write(({ oneTimeTokens }) => oneTimeTokens.removeExpired(clock.now()));
    for (let deleted = deletedAtOnce; deleted === deletedAtOnce; )
      deleted = await database.write((transaction) => deleteOldDeliveries(transaction, clock.now(), deletedAtOnce));
    for (let deleted = deletedAtOnce; deleted === deletedAtOnce; )
      deleted = await database.write((transaction) => deleteOldStoreDeliveries(transaction, clock.now(), deletedAtOnce));
    await database.write((transaction) => deleteOldFiles(transaction, clock.now()));
  } catch (error) {
    log.error({ err: error }, 'old deliveries, links and payout files could not be deleted; the next clean-up tries again');
  }
}
