import { isIP } from 'node:net';
import type { CheckUrl, SendWebhook, UrlRules, WebhookMessage } from '../../domain/webhooks/sending.ts';
import { addressesProblem, hostOf, urlProblem } from '../../domain/webhooks/url-rules.ts';
import { openConnection } from './connect.ts';
import { exchange } from './exchange.ts';
import { dnsFailure, exchangeFailure, SendingFailed } from './failure.ts';
import { type ResolveHost, resolveHost } from './resolve.ts';

export interface SenderOptions {
  resolve?: ResolveHost;
  deadlineMilliseconds?: number;
  /** Certificates to trust instead of the machine's own, for tests. Elsewhere NODE_EXTRA_CA_CERTS adds to them. */
  authorities?: string[];
}

export interface WebhookSender {
  send: SendWebhook;
  checkUrl: CheckUrl;
}

/** Decision 10: the answer counts when it is there in whole, or as much of it as is read, within this time. */
const wholeExchangeMilliseconds = 8000;

/** Sends deliveries to addresses that strangers chose: nothing about the receiver is trusted, and no failure of it is thrown. */
export function webhookSender(options: SenderOptions = {}): WebhookSender {
  const deadline = options.deadlineMilliseconds ?? wholeExchangeMilliseconds;
  return {
    async send(message, rules) {
      const start = performance.now();
      const taken = () => Math.round(performance.now() - start);
      try {
        const answer = await within(deadline, (signal) => deliver(message, rules, options, signal));
        return { kind: 'answered', ...answer, milliseconds: taken() };
      } catch (error) {
        const { failure, message: sentence } = exchangeFailure(error);
        return { kind: 'failed', failure, message: sentence, milliseconds: taken() };
      }
    },
    async checkUrl(url, rules) {
      try {
        await within(deadline, (signal) => allowedAddresses(url, rules, options, signal));
        return null;
      } catch (error) {
        return exchangeFailure(error).message;
      }
    },
  };
}

async function deliver(message: WebhookMessage, rules: UrlRules, options: SenderOptions, signal: AbortSignal) {
  const addresses = await allowedAddresses(message.url, rules, options, signal);
  const { authorities } = options;
  const destination = { url: new URL(message.url), addresses, rules, ...(authorities === undefined ? {} : { authorities }) };
  const socket = await openConnection(destination, signal);
  try {
    return await exchange(socket, message);
  } finally {
    socket.destroy();
  }
}

/** Every address the URL leads to. @throws when one of them, or the URL itself, is not allowed */
async function allowedAddresses(url: string, rules: UrlRules, options: SenderOptions, signal: AbortSignal): Promise<string[]> {
  refuse(urlProblem(url, rules));
  const host = hostOf(new URL(url));
  if (isIP(host) !== 0) return [host];
  const addresses = await (options.resolve ?? resolveHost)(host, rules, signal).catch((error: unknown) => {
    throw dnsFailure(error);
  });
  // The machine's own lookup cannot be stopped: one that comes back too late must not open anything.
  signal.throwIfAborted();
  if (addresses.length === 0) throw dnsFailure(null);
  refuse(addressesProblem(addresses, rules));
  return addresses;
}

function refuse(problem: string | null): void {
  if (problem !== null) throw new SendingFailed('blocked', problem);
}

/** One time for everything: each step gets what the steps before have left, and what is under way when it ends is destroyed. */
function within<Result>(milliseconds: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new SendingFailed('timeout', `The receiver did not answer within ${milliseconds / 1000} seconds.`));
      stop.abort();
    }, milliseconds);
    const done = () => clearTimeout(timer);
    work(stop.signal).then(resolve, reject).finally(done);
  });
}
