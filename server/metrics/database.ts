import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { readBacklog } from '../../domain/backlog/read.ts';
import type { Backlog, Waiting } from '../../domain/backlog/store.ts';
import { counter, type Family, gauge, gauges, type Sample } from './family.ts';

/** How busy this process keeps the database. */
export function loadFamilies(database: Pick<Database, 'load' | 'commits'>): Family[] {
  const { writers, readers, retries } = database.load();
  const ofBoth = (pick: (queue: typeof writers) => number): Sample[] => [
    { labels: { queue: 'writers' }, value: pick(writers) },
    { labels: { queue: 'readers' }, value: pick(readers) },
  ];
  return [
    gauges(
      { name: 'affiliate_database_queue_length', help: 'Units of work that wait for a connection, to write or to read.' },
      ofBoth(({ waiting }) => waiting),
    ),
    counter(
      { name: 'affiliate_database_waits_total', help: 'How often a unit of work had to wait for a connection.' },
      ofBoth(({ waits }) => waits),
    ),
    counter(
      { name: 'affiliate_database_wait_seconds_total', help: 'How long they waited, all together.' },
      ofBoth(({ seconds }) => seconds),
    ),
    one('affiliate_database_retries_total', 'Writes that were tried again because another one had got in their way.', retries),
    one('affiliate_database_commits_total', 'Writes that were committed.', database.commits),
  ];
}

const one = (name: string, help: string, value: number): Family => counter({ name, help }, [{ labels: {}, value }]);

/** A scrape waits no longer: what does not answer is told as away. */
const patienceMilliseconds = 2000;

/** What stands in the database. One that does not answer takes nothing else from whoever asks. */
export async function backlogFamilies(database: Pick<Database, 'read'>, now: number): Promise<Family[]> {
  const reading = database.read((stores) => readBacklog(stores, now)).catch(() => null);
  const backlog = await Promise.race([reading, wait(patienceMilliseconds, null, { ref: false })]);
  const up = gauge({ name: 'affiliate_database_up', help: 'Whether the database answers.' }, backlog ? 1 : 0);
  return backlog ? [up, ...outboxFamilies(backlog, now), ...programFamilies(backlog)] : [up];
}

function outboxFamilies({ deliveries, mails, deliveriesGivenUp, mailsGivenUp }: Backlog, now: number): Family[] {
  const late = ({ lateSince }: Waiting): number => (lateSince === null ? 0 : (now - lateSince) / 1000);
  const ofBoth = (ofWebhooks: number, ofMails: number): Sample[] => [
    { labels: { kind: 'webhooks' }, value: ofWebhooks },
    { labels: { kind: 'mails' }, value: ofMails },
  ];
  return [
    gauges(
      { name: 'affiliate_outbox_pending', help: 'What waits to be sent, or to be tried again.' },
      ofBoth(deliveries.count, mails.count),
    ),
    gauges({ name: 'affiliate_outbox_late_seconds', help: 'How long the oldest one is overdue.' }, ofBoth(late(deliveries), late(mails))),
    gauges(
      { name: 'affiliate_outbox_given_up', help: 'What is no longer tried: deliveries of the last day, mails of all time.' },
      ofBoth(deliveriesGivenUp, mailsGivenUp),
    ),
  ];
}

const programFamilies = ({ webhooks, payouts, lastEvent }: Backlog): Family[] => [
  gauges(
    { name: 'affiliate_webhooks', help: 'Webhooks by status; failing are active ones whose last attempt failed.' },
    Object.entries(webhooks).map(([status, value]) => ({ labels: { status }, value })),
  ),
  gauge({ name: 'affiliate_payouts_processing', help: 'Payouts that a gateway is working on.' }, payouts.processing),
  gauge(
    { name: 'affiliate_payouts_stuck', help: 'Payouts left processing that nobody works on any more: see affiliate doctor.' },
    payouts.stuck,
  ),
  gauge({ name: 'affiliate_feed_last_event_id', help: 'The number of the newest event.' }, lastEvent),
];
