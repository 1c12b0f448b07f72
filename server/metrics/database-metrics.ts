import { Counter, Gauge, Registry } from 'prom-client';
import type { Database } from '../../db/database.ts';
import { type Backlog, type QueueBacklog, readBacklog } from '../../domain/reports/backlog.ts';
import { withTimeout } from '../../domain/timeout.ts';
import { apiVersion } from '../../generated/operations.ts';

/** One number, or by label and its values: `{ queue: { writers: 1, readers: 0 } }`. */
type Values = number | Readonly<Record<string, Readonly<Record<string, number>>>>;
type Row = readonly [Type: typeof Gauge | typeof Counter, name: string, help: string, values: Values];

/** Made for each scrape, so that no value is left over from before once the database stops answering. */
function createRegistry(rows: readonly Row[]): Registry {
  const registry = new Registry();
  for (const [Type, name, help, values] of rows) {
    const byLabel = typeof values === 'number' ? {} : values;
    const metric = new Type({ name, help, labelNames: Object.keys(byLabel), registers: [registry] });
    if (typeof values === 'number') metric.inc(values);
    for (const [label, counts] of Object.entries(byLabel))
      for (const [value, count] of Object.entries(counts)) metric.inc({ [label]: value }, count);
  }
  return registry;
}

/** How busy this process keeps the database. */
export function readLoadMetrics(database: Pick<Database, 'load' | 'commits'>): Registry {
  const { writers, readers, retries } = database.load();
  const byQueue = (pick: (queue: typeof writers) => number): Values => ({ queue: { writers: pick(writers), readers: pick(readers) } });
  return createRegistry([
    [
      Gauge,
      'affiliate_database_queue_length',
      'Units of work that wait for a connection, to write or to read.',
      byQueue(({ waiting }) => waiting),
    ],
    [Counter, 'affiliate_database_waits_total', 'How often a unit of work had to wait for a connection.', byQueue(({ waits }) => waits)],
    [Counter, 'affiliate_database_wait_seconds_total', 'How long they waited, all together.', byQueue(({ seconds }) => seconds)],
    [Counter, 'affiliate_database_retries_total', 'Writes that were tried again because another one had got in their way.', retries],
    [Counter, 'affiliate_database_commits_total', 'Writes that were committed.', database.commits],
  ]);
}

/** A database that takes longer counts as down. */
const timeoutMs = 2000;

/** What is stored in the database. */
export async function readBacklogMetrics(database: Pick<Database, 'read' | 'engine'>, now: number): Promise<Registry> {
  const reading = database.read((db) => readBacklog(db, now)).catch(() => null);
  const backlog = await withTimeout(reading, timeoutMs, () => null);
  const registry = createRegistry([
    [Gauge, 'affiliate_database_up', 'Whether the database answers.', backlog ? 1 : 0],
    ...(backlog ? [...outboxRows(backlog, now), ...programRows(backlog)] : []),
  ]);
  new Gauge({
    name: 'affiliate_build_info',
    help: 'What runs here; always 1.',
    labelNames: ['version', 'node', 'engine'],
    registers: [registry],
  }).set({ version: apiVersion, node: process.version, engine: database.engine }, 1);
  return registry;
}

function outboxRows({ deliveries, mails, deliveriesGivenUp, mailsGivenUp }: Backlog, now: number): Row[] {
  const lateSeconds = ({ lateSince }: QueueBacklog): number => (lateSince === null ? 0 : (now - lateSince) / 1000);
  const byKind = (webhooks: number, ofMails: number): Values => ({ kind: { webhooks, mails: ofMails } });
  return [
    [Gauge, 'affiliate_outbox_pending', 'What waits to be sent, or to be tried again.', byKind(deliveries.count, mails.count)],
    [Gauge, 'affiliate_outbox_late_seconds', 'How long the oldest one is overdue.', byKind(lateSeconds(deliveries), lateSeconds(mails))],
    [
      Gauge,
      'affiliate_outbox_given_up',
      'What is no longer tried: deliveries of the last day, mails of all time.',
      byKind(deliveriesGivenUp, mailsGivenUp),
    ],
  ];
}

const programRows = ({ webhooks, payouts, lastEvent }: Backlog): Row[] => [
  [Gauge, 'affiliate_webhooks', 'Webhooks by status; failing are active ones whose last attempt failed.', { status: webhooks }],
  [Gauge, 'affiliate_payouts_processing', 'Payouts that a gateway is working on.', payouts.processing],
  [Gauge, 'affiliate_payouts_stuck', 'Payouts left processing that no process works on any more: see affiliate doctor.', payouts.stuck],
  [Gauge, 'affiliate_feed_last_event_id', 'The number of the newest event.', lastEvent],
];
