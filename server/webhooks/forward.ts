import { isIP } from 'node:net';
import type { DeliveryOutcome, WebhookMessage } from '../../domain/webhooks/delivery.ts';
import { hostOf } from '../../domain/webhooks/url-rules.ts';
import { openConnection } from './connect.ts';
import { postMessage } from './exchange.ts';
import { dnsFailure } from './failure.ts';
import { captureOutcome, exchangeTimeoutMs } from './outcome.ts';
import { lookupHost } from './resolve.ts';

/**
 * As a delivery is sent, but wherever the URL leads. Only for an address that the operator typed: it may be in the network that the guard
 * of `webhookSender` keeps everybody else out of. The server has no use for it.
 */
export const sendUnguarded = (message: WebhookMessage): Promise<DeliveryOutcome> =>
  captureOutcome(exchangeTimeoutMs, async (signal) => {
    const url = new URL(message.url);
    const addresses = await addressesOf(hostOf(url));
    return postMessage(await openConnection({ url, addresses, isAllowed: () => true }, signal), message);
  });

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  return lookupHost(host).catch((error: unknown) => {
    throw dnsFailure(error);
  });
}
