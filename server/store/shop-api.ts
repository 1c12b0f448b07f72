import { request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiAnswer, ListPage, PullApi } from '../../connectors/connector.ts';
import type { UrlRules } from '../../domain/webhooks/delivery.ts';
import { parseRetryAfter } from '../../domain/webhooks/schedule.ts';
import { within } from '../webhooks/exchange.ts';
import { exchangeFailure } from '../webhooks/failure.ts';
import { connectGuarded, type WebhookSenderOptions } from '../webhooks/send.ts';

/** Why the shop could not be read. The message is a sentence for the operator. */
export class ShopApiError extends Error {
  /** Null where the shop did not answer. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

export interface ShopApi {
  /** Reads a page of a list. @throws ShopApiError when all attempts failed */
  list(path: string): Promise<ListPage>;
}

export interface ShopApiOptions {
  api: PullApi;
  /** The address of the shop. */
  url: string;
  key: string;
  secret: string;
  rules: UrlRules;
  sender?: WebhookSenderOptions;
  wait?: (milliseconds: number) => Promise<unknown>;
}

export const maxAttempts = 5;
const timeoutMs = 60_000;
const maxBytes = 8 * 2 ** 20;
const longestWaitMs = 120_000;

/** Reads the API of the platform with the same guard as webhooks. Redirects are not followed: they would get the key. */
export function openShopApi({ api, url, key, secret, rules, sender = {}, wait = sleep }: ShopApiOptions): ShopApi {
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  const attempt = async (target: string): Promise<ApiAnswer | Failure> => {
    try {
      return await within(timeoutMs, async (signal) => get(await connectGuarded(target, rules, sender, signal), target, authorization));
    } catch (error) {
      if (error instanceof TooLargeError) return { sentence: error.message, isFinal: true };
      const { failure, message } = exchangeFailure(error);
      return { sentence: message.replaceAll('receiver', 'shop'), isFinal: failure === 'blocked' || failure === 'tls' };
    }
  };
  const read = async (target: string, attemptsBefore = 0): Promise<ListPage> => {
    const answer = await attempt(target);
    const result = 'status' in answer ? readAnswer(answer, api) : answer;
    if ('items' in result) return result;
    const attempts = attemptsBefore + 1;
    const pause = result.retryAfterMs ?? 500 * 2 ** attempts;
    if (result.isFinal) throw new ShopApiError(result.sentence, 'status' in answer ? answer.status : null);
    if (attempts === maxAttempts) throw new ShopApiError(`${result.sentence} It was tried ${attempts} times.`);
    if (pause > longestWaitMs)
      throw new ShopApiError(`${result.sentence} It accepts requests again in ${Math.ceil(pause / 60_000)} minutes.`);
    await wait(pause);
    return read(target, attempts);
  };
  return {
    async list(path) {
      const page = await read(url + path);
      if (page.items.length <= api.perPage) return page;
      throw new ShopApiError(`The shop lists more than ${api.perPage} items on a page. A plug-in or a proxy may answer in its place.`);
    },
  };
}

interface Failure {
  sentence: string;
  /** Another attempt would fail as well. */
  isFinal: boolean;
  retryAfterMs?: number;
}

class TooLargeError extends Error {}

function get(socket: Socket, target: string, authorization: string): Promise<ApiAnswer> {
  const { host, pathname, search } = new URL(target);
  const headers = {
    Host: host,
    Authorization: authorization,
    Accept: 'application/json',
    'User-Agent': 'affiliate-api',
    Connection: 'close',
  };
  return new Promise<ApiAnswer>((resolve, reject) => {
    const sent = request({ path: pathname + search, headers, createConnection: () => socket });
    sent.on('error', reject);
    // 101 Switching Protocols is a response like any other.
    sent.on('upgrade', ({ statusCode = 0, headers }) => resolve({ status: statusCode, headers, body: Buffer.alloc(0) }));
    sent.on('response', (response) => {
      const parts: Buffer[] = [];
      let length = 0;
      response.on('data', (part: Buffer) => {
        length += part.length;
        if (length <= maxBytes) parts.push(part);
        else response.destroy(new TooLargeError('The answer of the shop is larger than 8 MiB.'));
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }));
      response.on('error', reject);
    });
    sent.end();
  }).finally(() => socket.destroy());
}

function readAnswer(answer: ApiAnswer, api: PullApi): ListPage | Failure {
  const { status, headers } = answer;
  if (status === 429 || status >= 500) {
    const header = headers['retry-after'];
    const retry = header === undefined ? {} : { retryAfterMs: Math.max(0, parseRetryAfter(String(header), Date.now())) };
    return { sentence: `The shop answered ${status}.`, isFinal: false, ...retry };
  }
  const isRedirect = status >= 300 && status < 400;
  const page = isRedirect ? describeRedirect(status) : api.readPage(answer);
  return typeof page === 'string' ? { sentence: page, isFinal: true } : page;
}

const describeRedirect = (status: number): string =>
  `The shop redirects (${status}), and redirects are not followed. Set --api-url to the address that the shop itself uses.`;
