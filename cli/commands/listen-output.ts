import { localDateTime } from '../../domain/dates.ts';
import type { DeliveryOutcome } from '../../domain/webhooks/sending.ts';
import { colorize, printable } from '../terminal/text.ts';
import type { HeardDelivery } from './listen-feed.ts';

/** How the listener tells what it does. */
export interface Teller {
  ready(circumstances: { store: string; secret: string; forward: string | null }): void;
  /** The outcome is null where nothing is forwarded. */
  heard(delivery: HeardDelivery, isVerified: boolean, outcome: DeliveryOutcome | null): void;
}

const writeLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** One JSON document on each line. */
export const tellScripts: Teller = {
  ready: ({ secret, forward }) => writeLine(JSON.stringify({ ready: true, secret, forward })),
  heard: ({ id, event, headers, body }, verified, outcome) =>
    writeLine(JSON.stringify({ id, event, verified, headers, body, forwarded: outcome && forwardedRecord(outcome) })),
};

const forwardedRecord = (outcome: DeliveryOutcome) =>
  outcome.kind === 'answered'
    ? { code: outcome.code, milliseconds: outcome.milliseconds }
    : { failure: outcome.failure, message: outcome.message, milliseconds: outcome.milliseconds };

/** With times of the store. */
export const tellPeople = (zone: string): Teller => ({
  ready({ store, secret, forward }) {
    writeLine(`Listening to the events of ${printable(store)}. Ctrl-C ends it.`);
    writeLine(`Signing secret: ${secret}`);
    writeLine(forward === null ? 'Nothing is forwarded: --forward <url> does it.' : `Forwarding to ${forward}`);
  },
  heard({ id, event, body }, isVerified, outcome) {
    const time = localDateTime(Date.now(), zone).slice(11);
    const verdict = isVerified ? colorize('green', 'verified') : colorize('red', 'NOT VERIFIED');
    writeLine(`\n${time}  ${event}  ${id}  ${verdict}${outcome === null ? '' : `  ${arrow(outcome)}`}`);
    writeLine(printable(body));
  },
});

function arrow(outcome: DeliveryOutcome): string {
  if (outcome.kind === 'failed') return colorize('red', `→ ${outcome.message}`);
  const color = outcome.code >= 200 && outcome.code <= 299 ? 'green' : 'yellow';
  return colorize(color, `→ ${outcome.code} (${outcome.milliseconds} ms)`);
}
