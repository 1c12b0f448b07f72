import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../domain/clock.ts';
import type { SendMail } from '../../domain/mail/mail.ts';
import type { SendWebhook } from '../../domain/webhooks/delivery.ts';
import type { Configuration } from '../../server/configuration.ts';
import { createLogger } from '../../server/http/request-log.ts';
import { createOutbox, type Leases, type Outbox } from '../../server/jobs/outbox.ts';
import { openSettings } from '../../server/site.ts';
import { masterKey } from './service.ts';

interface OutboxOptions {
  clock?: Clock;
  log?: Logger;
  sendMail?: SendMail;
  sendWebhook?: SendWebhook;
  leases?: Leases;
  /** For a process that is configured differently from the others. */
  masterKey?: string;
  environment?: Configuration['environment'];
}

const rejectSending = async (): Promise<never> => {
  throw new Error('This test must not send anything.');
};

const silentLogger = createLogger('silent');

/** An outbox without a service around it. */
export const outboxOn = (database: Database, { log = silentLogger, environment = 'local', ...options }: OutboxOptions): Outbox =>
  createOutbox({
    configuration: { environment, dataDir: '/nowhere', smtp: null },
    database,
    settings: openSettings(database),
    log,
    masterKey,
    sendWebhook: rejectSending,
    sendMail: rejectSending,
    ...options,
  });
