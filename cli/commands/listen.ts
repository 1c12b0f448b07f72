import type { Command } from 'commander';
import { systemRandom } from '../../domain/random.ts';
import { createSigningSecret, verifySignature } from '../../domain/webhooks/signature.ts';
import { sendUnguarded } from '../../server/webhooks/forward.ts';
import { guardSiteModule } from '../../site/extension.ts';
import { isAddOnActive } from '../../site/served.ts';
import { createWebhookNotifier, listOfferedEvents } from '../../site/webhook-events.ts';
import { warnOfSiteFailure, withContext } from '../context.ts';
import { CommandError } from '../terminal/errors.ts';
import { type OutputOptions } from '../terminal/output.ts';
import { deliveriesAfter, endOfFeed, type HeardDelivery } from './listen-feed.ts';
import { type Teller, tellPeople, tellScripts } from './listen-output.ts';

const help = `
For trying out a receiver that the service cannot reach: on your own machine, without a tunnel. It follows the events of the program from
now on and makes of each what a webhook would be sent, with the same headers and body, signed with a secret of its own. It checks both
signatures, prints the delivery, and with --forward sends it on and prints the receiver's answer. Nothing is repeated.
No webhook is made, and what others are sent does not change. Deliveries have numbers of their own.

Run it where the database can be reached. The receiver may be anywhere, because you name it.
With --json it prints one JSON document on each line: { "ready", "secret", "forward" } first, then each delivery with "forwarded".
SIGINT (Ctrl-C) and SIGTERM end it, with 0.

Examples
  affiliate listen --forward http://localhost:3000/hooks
  affiliate listen --events payout.requested,payout.paid`;

export function addListen(program: Command): void {
  program
    .command('listen')
    .description('print deliveries as they happen, and forward them to your own receiver')
    .option('--forward <url>', 'send each on to this address, http or https')
    .option('--events <names>', 'only these, separated by commas (default: all)')
    .option('--secret <secret>', 'sign with this one, as whsec_… (default: a new one, which is printed)')
    .addHelpText('after', help)
    .action(listen);
}

interface ListenOptions extends OutputOptions {
  forward?: string;
  events?: string;
  secret?: string;
}

async function listen(options: ListenOptions): Promise<void> {
  const forward = options.forward === undefined ? null : addressOf(options.forward);
  const secret = options.secret === undefined ? createSigningSecret(systemRandom) : secretOf(options.secret);
  await withContext(async (session) => {
    const { database: storage, settings } = session;
    if (!isAddOnActive('webhooks', settings)) throw new CommandError('The add-on webhooks is not active here, so no deliveries happen.');
    const site = guardSiteModule(await session.siteModule(), warnOfSiteFailure);
    const events = eventNames(options.events, [...listOfferedEvents(settings), ...site.webhookEvents.keys()]);
    const place = await endOfFeed(storage);
    const teller = options.json ? tellScripts : tellPeople(session.zone);
    teller.ready({ store: settings.store.name, secret, forward });
    const following = { storage, tell: createWebhookNotifier(async () => site), events, secret, signal: untilTold() };
    for await (const delivery of deliveriesAfter(place, following)) await pass(delivery, { secret, forward, teller });
  });
}

interface Passing {
  secret: string;
  forward: string | null;
  teller: Teller;
}

async function pass(delivery: HeardDelivery, { secret, forward, teller }: Passing): Promise<void> {
  const { headers, body } = delivery;
  const isVerified = verifySignature(headers, { secret, body, now: Date.now() });
  teller.heard(delivery, isVerified, forward === null ? null : await sendUnguarded({ url: forward, headers, body }));
}

/** Ctrl-C, a signal of the system, or nobody left who reads. A second signal ends it at once. */
function untilTold(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  process.stdout.once('error', () => stop.abort());
  return stop.signal;
}

function addressOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url.href;
  throw new CommandError(
    `--forward is "${given}". It must be an http or https address, as http://localhost:3000/hooks, without user name or password.`,
  );
}

function secretOf(given: string): string {
  if (/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(given)) return given;
  throw new CommandError('--secret must be whsec_ and the base64 of at least 24 bytes.');
}

function eventNames(given: string | undefined, offered: readonly string[]): string[] {
  if (given === undefined) return ['*'];
  const names = given.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== '*' && !offered.includes(name));
  if (unknown === undefined) return names;
  throw new CommandError(`There is no event "${unknown}". There are ${offered.join(', ')}.`);
}
