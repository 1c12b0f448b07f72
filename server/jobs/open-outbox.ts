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
import { Outbox } from './outbox.ts';
import { createWebhookDeliveryJobs } from './webhook-delivery-jobs.ts';

export interface OutboxOptions {
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
