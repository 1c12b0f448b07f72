import type { Database } from '../../db/database.ts';
import { readBacklog } from '../../domain/backlog/read.ts';
import type { QueueBacklog } from '../../domain/backlog/store.ts';
import { listAllWebhooks } from '../../domain/webhooks/manage.ts';
import { formatLabel, type Webhook } from '../../domain/webhooks/webhook.ts';
import { type Check, ok, warning } from './check.ts';

/** A running service is never this late. */
const lateMs = 10 * 60_000;

/** Failed and late deliveries and mails. */
export async function checkOutbox(database: Database, now: number): Promise<Check[]> {
  const { backlog, webhooks, lastMail } = await database.read(async (stores) => ({
    backlog: await readBacklog(stores, now),
    webhooks: await listAllWebhooks(stores.webhooks),
    lastMail: await stores.mails.lastGivenUp(),
  }));
  const found = webhooks.flatMap(checkWebhook);
  if (backlog.deliveriesGivenUp > 0) {
    const remedy = 'See affiliate webhook list, and send them again with affiliate webhook replay.';
    found.push(warning('outbox', `Deliveries that failed for good within the last day: ${backlog.deliveriesGivenUp}. ${remedy}`));
  }
  if (lastMail) {
    const reason = lastMail.error === '' ? '' : ` The last one (${lastMail.id}): ${lastMail.error}`;
    const remedy = 'They are not sent again; check SMTP_URL and their addresses.';
    found.push(warning('mails', `Mails that failed for good: ${backlog.mailsGivenUp}.${reason} ${remedy}`));
  }
  found.push(...checkLate('Deliveries to webhooks', backlog.deliveries, now), ...checkLate('Mails', backlog.mails, now));
  return found.length > 0 ? found : [ok('outbox', 'No delivery or mail is late or has failed.')];
}

function checkWebhook(webhook: Webhook): Check[] {
  const { id, status, failures, lastError } = webhook;
  const reason = lastError === '' ? '' : ` The last error: ${lastError}`;
  if (status === 'disabled') {
    const remedy = 'Set its status to active when its receiver works, or delete it.';
    return [warning('webhook', `Webhook ${formatLabel(webhook)} is disabled and gets nothing.${reason} ${remedy}`)];
  }
  if (failures === 0) return [];
  const times = `${failures} times in a row`;
  return [warning('webhook', `Webhook ${formatLabel(webhook)} failed ${times}.${reason} See affiliate webhook deliveries ${id}.`)];
}

function checkLate(what: string, { count, lateSince }: QueueBacklog, now: number): Check[] {
  if (lateSince === null || now - lateSince < lateMs) return [];
  const since = new Date(lateSince).toISOString();
  const question = 'Is a service or an affiliate worker running on this database?';
  return [warning('outbox', `${what} have been waiting since ${since} (${count} in all). ${question}`)];
}
