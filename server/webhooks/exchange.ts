import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { DeliveryOutcome, ReceiverResponse, WebhookMessage } from '../../domain/webhooks/delivery.ts';
import { exchangeFailure, SendingError } from './failure.ts';

const headLimit = 16 * 1024;
const bodyLimit = 8 * 1024;
const excerptLength = 1024;

/** Posts the message over this connection, reads the answer, 8 KiB of its body at most, and destroys the connection. */
export function postMessage(socket: Socket, message: WebhookMessage): Promise<ReceiverAnswer> {
  return answerTo(message, socket).finally(() => socket.destroy());
}

function answerTo(message: WebhookMessage, socket: Socket): Promise<ReceiverAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(exchangeFailure(error));
    const sent = post(socket, message);
    limitReading(socket, fail);
    sent.on('error', fail);
    const answer = (response: IncomingMessage, body: Buffer) =>
      isStatus(response.statusCode)
        ? resolve(answerOf(response, body))
        : fail(new SendingError('other', 'The receiver did not answer in HTTP.'));
    sent.on('response', (response) => void bodyOf(response).then((body) => answer(response, body), fail));
    // An offer to speak something else is an answer like any other.
    sent.on('upgrade', (response) => answer(response, Buffer.alloc(0)));
    sent.end(message.body);
  });
}

function post(socket: Socket, { url, headers, body }: WebhookMessage): ClientRequest {
  const { host, pathname, search } = new URL(url);
  return request({
    method: 'POST',
    path: pathname + search,
    headers: {
      Host: host,
      ...headers,
      ...exchangeHeaders,
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    },
    // The connection that was checked; none is ever used for a second exchange. Only without `agent` does node take it.
    createConnection: () => socket,
    maxHeaderSize: headLimit,
  });
}

/** What every delivery says of itself beside its own headers. */
const exchangeHeaders = {
  'Content-Type': 'application/json',
  'User-Agent': 'affiliate-api webhooks',
  Accept: '*/*',
  'Accept-Encoding': 'identity',
};

/** Counts what arrives in all: interim answers, chunk extensions and trailers have no limit of their own in node. */
function limitReading(socket: Socket, fail: (error: unknown) => void): void {
  let length = 0;
  socket.on('data', (bytes: Buffer) => {
    length += bytes.length;
    if (length <= headLimit + bodyLimit) return;
    // A moment later: these bytes may well bring what was missing of a good answer.
    setImmediate(() => fail(new SendingError('other', 'The answer is too large.')));
  });
}

function bodyOf(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    response.on('data', (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length < bodyLimit) return;
      resolve(Buffer.concat(parts));
      response.destroy();
    });
    response.on('end', () => resolve(Buffer.concat(parts)));
    response.on('error', reject);
  });
}

/** Node takes any three digits. */
const isStatus = (code = 0): boolean => code >= 100 && code <= 599;

function answerOf(response: IncomingMessage, body: Buffer): ReceiverAnswer {
  return { code: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null, excerpt: excerptOf(body) };
}

/** As text that every database and terminal takes: a character that was cut in two is left out, control characters become U+FFFD. */
function excerptOf(body: Buffer): string {
  const text = new TextDecoder().decode(body.subarray(0, excerptLength), { stream: body.length > excerptLength });
  return text.replaceAll(/(?![\t\n\r])\p{Cc}/gu, '\u{FFFD}');
}

export type ReceiverAnswer = Omit<ReceiverResponse, 'kind' | 'milliseconds'>;

/** Decision 10: the answer counts when it is there in whole, or as much of it as is read, within this time. */
export const exchangeTimeoutMs = 8000;

/** What came of an exchange and how long it took. Never rejects. */
export async function captureOutcome(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<ReceiverAnswer>,
): Promise<DeliveryOutcome> {
  const start = performance.now();
  const taken = () => Math.round(performance.now() - start);
  try {
    const answer = await within(milliseconds, work);
    return { kind: 'answered', ...answer, milliseconds: taken() };
  } catch (error) {
    const { failure, message } = exchangeFailure(error);
    return { kind: 'failed', failure, message, milliseconds: taken() };
  }
}

/** One time for everything: each step gets what the steps before have left, and what is under way when it ends is destroyed. */
export function within<Result>(milliseconds: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new SendingError('timeout', `The receiver did not answer within ${milliseconds / 1000} seconds.`));
      stop.abort();
    }, milliseconds);
    const done = () => clearTimeout(timer);
    work(stop.signal).then(resolve, reject).finally(done);
  });
}
