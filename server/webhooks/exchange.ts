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

/** The status line decides, even where the rest of an answer is malformed. Until it is there, every error is a failure. */
function answerTo(message: WebhookMessage, socket: Socket): Promise<ReceiverAnswer> {
  return new Promise((resolve, reject) => {
    const body: Buffer[] = [];
    let answered: IncomingMessage | null = null;
    const finish = (error?: unknown): void => {
      const code = answered?.statusCode ?? statusBefore(error, firstBytes());
      if (code === null) reject(exchangeFailure(error));
      else if (!isStatus(code)) reject(new SendingError('other', 'The receiver did not answer in HTTP.'));
      else resolve({ code, retryAfter: answered?.headers['retry-after'] ?? null, excerpt: excerptOf(Buffer.concat(body)) });
    };
    const sent = post(socket, message);
    const firstBytes = limitReading(socket, finish);
    sent.on('error', finish);
    sent.on('response', (response) => {
      answered = response;
      readBody(response, body).then(() => finish(), finish);
    });
    // 101 Switching Protocols is a response like any other.
    sent.on('upgrade', (response) => {
      answered = response;
      finish();
    });
    sent.end(message.body);
  });
}

/** The status of an answer whose headers node's parser gave up on. Null if the answer does not begin with a status line. */
function statusBefore(error: unknown, firstBytes: string): number | null {
  const isMalformed = error instanceof Error && 'code' in error && /^HPE_(?!HEADER_OVERFLOW)/.test(String(error.code));
  const [, code] = /^HTTP\/1\.[01] ([2-5]\d\d)[ \r\n]/.exec(isMalformed ? firstBytes : '') ?? [];
  return code === undefined ? null : Number(code);
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
    // The checked connection, which is never reused. Node uses it only without `agent`.
    createConnection: () => socket,
    maxHeaderSize: headLimit,
  });
}

/** Headers of every delivery. */
const exchangeHeaders = {
  'Content-Type': 'application/json',
  'User-Agent': 'affiliate-api webhooks',
  Accept: '*/*',
  'Accept-Encoding': 'identity',
};

const statusLineStart = 'HTTP/1.1 200 '.length;

/**
 * Counts what arrives in all: interim answers, chunk extensions and trailers have no limit of their own in node. Returns a function that
 * returns the start of the status line.
 */
function limitReading(socket: Socket, fail: (error: unknown) => void): () => string {
  let length = 0;
  let start = '';
  socket.on('data', (bytes: Buffer) => {
    length += bytes.length;
    if (start.length < statusLineStart) start += bytes.subarray(0, statusLineStart).toString('latin1');
    if (length <= headLimit + bodyLimit) return;
    // Deferred, because these bytes may complete a valid answer.
    setImmediate(() => fail(new SendingError('other', 'The answer is too large.')));
  });
  return () => start;
}

/** Reads into `parts`, so that they are available after an error too. */
function readBody(response: IncomingMessage, parts: Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let length = 0;
    response.on('data', (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length < bodyLimit) return;
      resolve();
      response.destroy();
    });
    response.on('end', resolve);
    response.on('error', reject);
  });
}

/** Node accepts any three digits. */
const isStatus = (code = 0): boolean => code >= 100 && code <= 599;

/** Text for any database and terminal: drops a truncated last character, and replaces control characters by U+FFFD. */
function excerptOf(body: Buffer): string {
  const text = new TextDecoder().decode(body.subarray(0, excerptLength), { stream: body.length > excerptLength });
  return text.replaceAll(/(?![\t\n\r])\p{Cc}/gu, '\u{FFFD}');
}

export type ReceiverAnswer = Omit<ReceiverResponse, 'kind' | 'milliseconds'>;

/** The answer, or as much of it as is read, must arrive within this time. */
export const exchangeTimeoutMs = 8000;

/** Returns the outcome of an exchange and its duration. Never rejects. */
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

/** One timeout for all steps together. The signal aborts what is in flight when it expires. */
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
