import type { Command } from 'commander';
import { localDateTime } from '../../domain/dates.ts';
import { systemRandom } from '../../domain/random.ts';
import { type DeliveryOutcome, deliveryName } from '../../domain/webhooks/delivery.ts';
import { formatBody } from '../../domain/webhooks/message.ts';
import { createSignedHeaders, createSigningSecret, verifySignature } from '../../domain/webhooks/signature.ts';
import { sendUnguarded } from '../../server/webhooks/send.ts';
import { guardSiteModule } from '../../site/extension.ts';
import { warnOfSiteFailure, withExistingDatabase } from '../context.ts';
import { readFromApi } from '../listen/api-source.ts';
import { type EventSource, type FeedItem, readFromDatabase } from '../listen/event-source.ts';
import { CommandError, type OutputOptions } from '../terminal/output.ts';
import { colorize, printable } from '../terminal/text.ts';

const help = `
For testing a receiver that the service cannot reach: on your own machine, without a tunnel. The command follows the events of the program
from now on and creates the delivery that a webhook would receive, with the same headers and body, signed with a secret of its own. It
verifies both signatures, prints the delivery, and with --forward sends it to your receiver and prints the response. There are no retries.
It creates no webhook and does not affect other deliveries. Its deliveries have ids of their own.

Run it where the database can be reached, or anywhere with --url and the key of an administrator or a manager, which needs the scope read.
With --url it reads the stream of events, where the site has the add-on agents; elsewhere it asks once a second.
Over the API there are no events of a site module, and "site" in the bodies is the address of the API unless --site names the store's. Other
users of your machine can see the arguments of a command: AFFILIATE_TOKEN can have the token instead. The receiver can be at any address.
With --json it prints one JSON document on each line: { "ready", "secret", "forward" } first, then each delivery with "forwarded".
SIGINT (Ctrl-C) and SIGTERM end it with exit code 0.

Examples
  affiliate listen --forward http://localhost:3000/hooks
  affiliate listen --events payout.requested,payout.paid
  AFFILIATE_TOKEN=svc_… affiliate listen --url https://api.shop.example --forward http://localhost:3000/hooks`;

export function addListen(program: Command): void {
  program
    .command('listen')
    .description('print deliveries as they happen, and forward them to your own receiver')
    .option('--forward <url>', 'send each delivery to this http or https address', parseAddress('--forward'))
    .option('--events <names>', 'only these, separated by commas (default: all)')
    .option('--secret <secret>', 'the signing secret, as whsec_… (default: a new one, which is printed)', parseSecret)
    .option('--url <url>', 'follow the change feed of the API at this address, without the database', parseAddress('--url'))
    .option('--token <token>', 'with --url: the API key')
    .option('--site <url>', "with --url: the store's address in the bodies", (site) => parseAddress('--site')(site) && site)
    .addHelpText('after', help)
    .action(listen);
}

const parseAddress =
  (option: string) =>
  (address: string): string => {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url.href;
    throw new CommandError(
      `${option} is "${address}". It must be an http or https address, as http://localhost:3000/hooks, without user name or password.`,
    );
  };

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
  url?: string;
  token?: string;
  site?: string;
}

async function listen(options: ListenOptions): Promise<void> {
  // Before the first line is printed: its reader may stop the command at once.
  const signal = stopSignal();
  const { url, site, token = process.env['AFFILIATE_TOKEN'] } = options;
  if (url === undefined) {
    if (options.token !== undefined || site !== undefined)
      throw new CommandError('--token and --site belong to --url, the address of the API.');
    return withExistingDatabase(async ({ database, settings, siteModule }) =>
      followSource(readFromDatabase(database, settings, guardSiteModule(await siteModule(), warnOfSiteFailure)), options, signal),
    );
  }
  if (!token)
    throw new CommandError('--url needs a key: --token <token>, or the variable AFFILIATE_TOKEN. affiliate key create creates one.');
  try {
    return await followSource(await readFromApi({ url, token, site, signal }), options, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function followSource(source: EventSource, options: ListenOptions, signal: AbortSignal): Promise<void> {
  const { secret = createSigningSecret(systemRandom), forward = null } = options;
  const events = parseEvents(options.events, source.offered);
  const cursor = await source.newest();
  if (options.json) writeLine(JSON.stringify({ ready: true, secret, forward }));
  else {
    writeLine(`Listening to the events of ${printable(source.storeName)}. Ctrl-C ends it.\nSigning secret: ${secret}`);
    writeLine(forward === null ? 'Deliveries are not forwarded: use --forward <url>.' : `Forwarding to ${forward}`);
  }
  for await (const delivery of deliveriesAfter(cursor, { source, events, secret, signal })) {
    const { id, event, headers, body } = delivery;
    const verified = verifySignature(headers, { secret, body, now: Date.now() });
    const outcome = forward === null ? null : await sendUnguarded({ url: forward, headers, body });
    if (!options.json) printDelivery(delivery, verified, outcome, source.zone);
    else writeLine(JSON.stringify({ id, event, verified, headers, body, forwarded: outcome && outcomeRecord(outcome) }));
  }
}

/** Aborted by Ctrl-C, SIGTERM, or when standard output is closed. A second signal ends the process at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  process.stdout.once('error', () => stop.abort());
  return stop.signal;
}

interface DeliveryFeed {
  source: EventSource;
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

/** Delivery ids are derived from event ids. One event can have several deliveries: the contract's and those of the site module. */
const deliveriesPerEvent = 1000;

/** The deliveries of the events after the cursor, until the signal is aborted. */
async function* deliveriesAfter(start: number, { source, events, secret, signal }: DeliveryFeed): AsyncGenerator<SignedDelivery> {
  const wanted = new Set(events);
  for await (const item of source.follow(start, wanted, signal)) {
    if (signal.aborted) return;
    yield* createDeliveries(item, wanted, secret);
  }
}

const createDeliveries = ({ id: eventId, site, notifications }: FeedItem, wanted: ReadonlySet<string>, secret: string): SignedDelivery[] =>
  notifications
    .filter(({ event }) => wanted.has('*') || wanted.has(event))
    .map(({ event, data, at }, index) => {
      const id = deliveryName(eventId * deliveriesPerEvent + index);
      const body = formatBody({ id, event, createdAt: at, data }, site);
      return { id, event, body, headers: createSignedHeaders({ secret, deliveryId: id, event, body, now: Date.now() }) };
    });

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
