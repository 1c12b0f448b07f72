import { isIP, type Socket } from 'node:net';
import type { CheckUrl, DeliveryOutcome, SendWebhook, UrlRules, WebhookMessage } from '../../domain/webhooks/delivery.ts';
import { findAddressProblem, findUrlProblem, hostOf, isAddressAllowed } from '../../domain/webhooks/url-rules.ts';
import type { Settings } from '../../site/settings/settings.ts';
import type { Configuration } from '../configuration.ts';
import { captureOutcome, exchangeTimeoutMs, postMessage, type ReceiverAnswer, within } from './exchange.ts';
import { dnsFailure, exchangeFailure, SendingError } from './failure.ts';
import { openGuardedSocket } from './guarded-socket.ts';
import { lookupHost, type ResolveHost, resolveHost } from './resolve.ts';

export interface WebhookSenderOptions {
  resolve?: ResolveHost;
  timeoutMs?: number;
  /** Certificates to trust instead of the machine's own, for tests. Elsewhere NODE_EXTRA_CA_CERTS adds to them. */
  authorities?: string[];
}

export interface WebhookSender {
  send: SendWebhook;
  checkUrl: CheckUrl;
}

/** Sends deliveries to URLs that users chose: nothing about the receiver is trusted, and its failures are outcomes, not exceptions. */
export function createWebhookSender(options: WebhookSenderOptions = {}): WebhookSender {
  const deadline = options.timeoutMs ?? exchangeTimeoutMs;
  return {
    send: (message, rules) => captureOutcome(deadline, (signal) => deliver(message, rules, options, signal)),
    checkUrl: (url, rules) =>
      within(deadline, (signal) => allowedAddresses(url, rules, options, signal)).then(
        () => null,
        (error: unknown) => exchangeFailure(error).message,
      ),
  };
}

async function deliver(
  message: WebhookMessage,
  rules: UrlRules,
  options: WebhookSenderOptions,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
  return postMessage(await connectGuarded(message.url, rules, options, signal), message);
}

/** Connects to a URL that the rules allow. @throws SendingError for any other */
export async function connectGuarded(url: string, rules: UrlRules, options: WebhookSenderOptions, signal: AbortSignal): Promise<Socket> {
  const addresses = await allowedAddresses(url, rules, options, signal);
  const isAllowed = (address: string) => isAddressAllowed(address, rules);
  const { authorities } = options;
  return openGuardedSocket({ url: new URL(url), addresses, isAllowed, ...(authorities === undefined ? {} : { authorities }) }, signal);
}

/** All addresses of the URL's host. @throws if one of them, or the URL itself, is not allowed */
async function allowedAddresses(url: string, rules: UrlRules, options: WebhookSenderOptions, signal: AbortSignal): Promise<string[]> {
  refuse(findUrlProblem(url, rules));
  const host = hostOf(new URL(url));
  if (isIP(host) !== 0) return [host];
  const resolve = options.resolve ?? resolveHost;
  const addresses = await resolve(host, rules, signal).catch((error: unknown) => {
    throw dnsFailure(error);
  });
  if (addresses.length === 0) throw dnsFailure(null);
  refuse(findAddressProblem(addresses, rules));
  return addresses;
}

function refuse(problem: string | null): void {
  if (problem !== null) throw new SendingError('blocked', problem);
}

/**
 * Sends like a delivery, but to any address. Only for a URL that the operator typed, which may be in an internal network that
 * `createWebhookSender` does not connect to. The server does not use it.
 */
export const sendUnguarded = (message: WebhookMessage): Promise<DeliveryOutcome> =>
  captureOutcome(exchangeTimeoutMs, async (signal) => {
    const url = new URL(message.url);
    const addresses = await addressesOf(hostOf(url));
    return postMessage(await openGuardedSocket({ url, addresses, isAllowed: () => true }, signal), message);
  });

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  return lookupHost(host).catch((error: unknown) => {
    throw dnsFailure(error);
  });
}

/** The URLs that webhooks of this site may have. */
export const getUrlRules = ({ webhooks }: Settings, { environment }: Pick<Configuration, 'environment'>): UrlRules => ({
  allowPlainHttpAndLoopback: environment === 'local',
  ports: webhooks.ports,
});
