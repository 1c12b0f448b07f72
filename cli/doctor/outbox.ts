import type { Database } from '../../db/database.ts';
import { readBacklog } from '../../domain/backlog/read.ts';
import type { Backlog, Waiting } from '../../domain/backlog/store.ts';
import { listAllWebhooks } from '../../domain/webhooks/all.ts';
import { formatLabel, type Webhook } from '../../domain/webhooks/webhook.ts';
import { type Check, ok, warning } from './check.ts';

/** A service that runs is never so late by itself. */
const lateMs = 10 * 60_000;

/** What should have left, and did not. */
export async function checkOutbox(database: Database, now: number): Promise<Check[]> {
  const { backlog, webhooks, lastMail } = await database.read(async (stores) => ({
    backlog: await readBacklog(stores, now),
    webhooks: await listAllWebhooks(stores.webhooks),
    lastMail: await stores.mails.lastGivenUp(),
  }));
  const found = [
    ...webhooks.flatMap(checkWebhook),
    ...checkGivenUp(backlog),
    ...checkMails(backlog, lastMail),
    ...checkLate('Deliveries to webhooks', backlog.deliveries, now),
    ...checkLate('Mails', backlog.mails, now),
  ];
  return found.length > 0 ? found : [ok('outbox', 'Nothing is late, and nothing was given up.')];
}

function checkWebhook(webhook: Webhook): Check[] {
  const { id, status, failures, lastError } = webhook;
  const why = lastError === '' ? '' : ` The last error: ${lastError}`;
  if (status === 'disabled')
    return [
      warning(
        'webhook',
        `Webhook ${formatLabel(webhook)} is disabled and gets nothing.${why} Set its status to active when its receiver works, or delete it.`,
      ),
    ];
  if (failures === 0) return [];
  return [
    warning('webhook', `Webhook ${formatLabel(webhook)} failed ${failures} times in a row.${why} See affiliate webhook deliveries ${id}.`),
  ];
}

const checkGivenUp = ({ deliveriesGivenUp }: Backlog): Check[] =>
  deliveriesGivenUp === 0
    ? []
    : [
        warning(
          'outbox',
          `Deliveries that were given up within the last day: ${deliveriesGivenUp}. See affiliate webhook list, and send them again with affiliate webhook replay.`,
        ),
      ];

function checkMails({ mailsGivenUp }: Backlog, last: { id: number; error: string } | null): Check[] {
  if (!last) return [];
  const why = last.error === '' ? '' : ` The last one (${last.id}) because of: ${last.error}`;
  return [
    warning('mails', `Mails that were given up: ${mailsGivenUp}.${why} They are not sent again; look at SMTP_URL and at their addresses.`),
  ];
}

function checkLate(what: string, { count, lateSince }: Waiting, now: number): Check[] {
  if (lateSince === null || now - lateSince < lateMs) return [];
  const since = new Date(lateSince).toISOString();
  return [
    warning('outbox', `${what} wait since ${since} (${count} in all). Is a service or an affiliate worker running on this database?`),
  ];
}
