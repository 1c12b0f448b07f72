import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { localDateTime } from '../../domain/dates.ts';
import type { RecordedEvent } from '../../domain/events/event.ts';
import type { UnitOfWork } from '../../domain/ports.ts';
import { systemRandom } from '../../domain/random.ts';
import { type DeliveryOutcome, deliveryName, type WebhookNotifier } from '../../domain/webhooks/delivery.ts';
import { formatBody } from '../../domain/webhooks/message.ts';
import { createSignedHeaders, createSigningSecret, verifySignature } from '../../domain/webhooks/signature.ts';
import { sendUnguarded } from '../../server/webhooks/send.ts';
import { guardSiteModule } from '../../site/extension.ts';
import { isAddOnActive } from '../../site/served.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { createWebhookNotifier, listOfferedEvents } from '../../site/webhook-events.ts';
import { warnOfSiteFailure, withContext } from '../context.ts';
import { CommandError, type OutputOptions } from '../terminal/output.ts';
import { colorize, printable } from '../terminal/text.ts';

const help = `
For testing a receiver that the service cannot reach: on your own machine, without a tunnel. The command follows the events of the program
from now on and creates the delivery that a webhook would receive, with the same headers and body, signed with a secret of its own. It
verifies both signatures, prints the delivery, and with --forward sends it to your receiver and prints the response. There are no retries.
It creates no webhook and does not affect other deliveries. Its deliveries have ids of their own.

Run it where the database can be reached. The receiver can be at any address.
With --json it prints one JSON document on each line: { "ready", "secret", "forward" } first, then each delivery with "forwarded".
SIGINT (Ctrl-C) and SIGTERM end it with exit code 0.

Examples
  affiliate listen --forward http://localhost:3000/hooks
  affiliate listen --events payout.requested,payout.paid`;

export function addListen(program: Command): void {
  program
    .command('listen')
    .description('print deliveries as they happen, and forward them to your own receiver')
    .option('--forward <url>', 'send each delivery to this http or https address', parseAddress)
    .option('--events <names>', 'only these, separated by commas (default: all)')
    .option('--secret <secret>', 'the signing secret, as whsec_… (default: a new one, which is printed)', parseSecret)
    .addHelpText('after', help)
    .action(listen);
}

function parseAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url.href;
  throw new CommandError(
    `--forward is "${address}". It must be an http or https address, as http://localhost:3000/hooks, without user name or password.`,
  );
}

function parseSecret(secret: string): string {
  if (/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) return secret;
  throw new CommandError('--secret must be whsec_ and the base64 of at least 24 bytes.');
}

function parseEvents(list: string | undefined, offered: readonly string[]): string[] {
  if (list === undefined) return ['*'];
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== '*' && !offered.includes(name));
  if (unknown === undefined) return names;
  throw new CommandError(`There is no event "${unknown}". There are ${offered.join(', ')}.`);
}

interface ListenOptions extends OutputOptions {
  forward?: string;
  events?: string;
  secret?: string;
}

async function listen({ secret = createSigningSecret(systemRandom), ...options }: ListenOptions): Promise<void> {
  const forward = options.forward ?? null;
  await withContext(async ({ database: storage, settings, zone, siteModule }) => {
    if (!isAddOnActive('webhooks', settings)) throw new CommandError('The add-on webhooks is not active here, so there are no deliveries.');
    const site = guardSiteModule(await siteModule(), warnOfSiteFailure);
    const events = parseEvents(options.events, [...listOfferedEvents(settings), ...site.webhookEvents.keys()]);
    const cursor = await endOfFeed(storage);
    // Before the first line is printed: its reader may stop the command at once.
    const signal = stopSignal();
    if (options.json) writeLine(JSON.stringify({ ready: true, secret, forward }));
    else {
      writeLine(`Listening to the events of ${printable(settings.store.name)}. Ctrl-C ends it.\nSigning secret: ${secret}`);
      writeLine(forward === null ? 'Deliveries are not forwarded: use --forward <url>.' : `Forwarding to ${forward}`);
    }
    const feed = { storage, createMessages: createWebhookNotifier(async () => site), events, secret, signal };
    for await (const delivery of deliveriesAfter(cursor, feed)) {
      const { id, event, headers, body } = delivery;
      const verified = verifySignature(headers, { secret, body, now: Date.now() });
      const outcome = forward === null ? null : await sendUnguarded({ url: forward, headers, body });
      if (!options.json) printDelivery(delivery, verified, outcome, zone);
      else writeLine(JSON.stringify({ id, event, verified, headers, body, forwarded: outcome && outcomeRecord(outcome) }));
    }
  });
}

/** Aborted by Ctrl-C, SIGTERM, or when standard output is closed. A second signal ends the process at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  process.stdout.once('error', () => stop.abort());
  return stop.signal;
}

interface DeliveryFeed {
  storage: UnitOfWork;
  createMessages: WebhookNotifier;
  /** Names of events, or `*` alone. */
  events: readonly string[];
  secret: string;
  signal: AbortSignal;
}

/** The headers and the body that a webhook would receive, byte for byte. */
interface SignedDelivery {
  id: string;
  event: string;
  headers: Record<string, string>;
  body: string;
}

const allEvents = { kinds: [], userId: null };
const pollIntervalMs = 300;
const pageSize = 100;

/** Delivery ids are derived from event ids. One event can have several deliveries: the contract's and those of the site module. */
const deliveriesPerEvent = 1000;

async function endOfFeed(storage: UnitOfWork): Promise<number> {
  const { items } = await storage.read(({ events }) => events.newest(allEvents, { page: 1, perPage: 1 }));
  return items[0]?.id ?? 0;
}

/** Polls the feed for events after the cursor until the signal is aborted. */
async function* deliveriesAfter(start: number, feed: DeliveryFeed): AsyncGenerator<SignedDelivery> {
  let cursor = start;
  while (!feed.signal.aborted) {
    const { items, storedSettings } = await feed.storage.read(async ({ events, settings }) => {
      const page = await events.after(cursor, allEvents, pageSize);
      return { items: page.items, storedSettings: page.items.length === 0 ? {} : (await settings.all()).values };
    });
    for (const event of items) {
      if (feed.signal.aborted) return;
      yield* await createDeliveries(event, storedSettings, feed);
    }
    cursor = items.at(-1)?.id ?? cursor;
    if (items.length < pageSize) await sleep(pollIntervalMs, null, { signal: feed.signal }).catch(() => null);
  }
}

async function createDeliveries(
  source: RecordedEvent,
  storedSettings: Record<string, unknown>,
  { createMessages, events, secret }: DeliveryFeed,
): Promise<SignedDelivery[]> {
  const messages = await createMessages([source], { subscribed: new Set(events), storedSettings });
  const { store } = buildSettings(storedSettings).settings;
  return messages
    .filter(({ event }) => events.includes('*') || events.includes(event))
    .map(({ event, data, at }, index) => {
      const id = deliveryName(source.id * deliveriesPerEvent + index);
      const body = formatBody({ id, event, createdAt: at, data }, store.url);
      return { id, event, body, headers: createSignedHeaders({ secret, deliveryId: id, event, body, now: Date.now() }) };
    });
}

const writeLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** `outcome` is null when nothing is forwarded. */
function printDelivery(delivery: SignedDelivery, isVerified: boolean, outcome: DeliveryOutcome | null, zone: string): void {
  const time = localDateTime(Date.now(), zone).slice(11);
  const verdict = isVerified ? colorize('green', 'verified') : colorize('red', 'NOT VERIFIED');
  const forwarded = outcome === null ? '' : `  ${formatOutcome(outcome)}`;
  writeLine(`\n${time}  ${delivery.event}  ${delivery.id}  ${verdict}${forwarded}\n${printable(delivery.body)}`);
}

const outcomeRecord = (outcome: DeliveryOutcome) =>
  outcome.kind === 'answered'
    ? { code: outcome.code, milliseconds: outcome.milliseconds }
    : { failure: outcome.failure, message: outcome.message, milliseconds: outcome.milliseconds };

function formatOutcome(outcome: DeliveryOutcome): string {
  if (outcome.kind === 'failed') return colorize('red', `→ ${outcome.message}`);
  const color = outcome.code >= 200 && outcome.code <= 299 ? 'green' : 'yellow';
  return colorize(color, `→ ${outcome.code} (${outcome.milliseconds} ms)`);
}
