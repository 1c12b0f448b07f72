import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { errorTable } from '../../domain/errors.ts';
import { type Configuration, ConfigurationError } from '../configuration.ts';
import { ConcurrencyLimiter, type ConcurrencyLimiterOptions, mostConnections, type RequestHandler } from '../limits/concurrency-limiter.ts';

const drainMilliseconds = 10_000;

/** How long a request may take to arrive, its headers and all of it. */
export const patience = { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 2000 };

/** Whoever does not read the answer in this time is not waited for. Longer than any answer takes, a gateway's minute included. */
const longestSilence = 120_000;

export interface Listening {
  url: string;
  /** Takes no new requests, lets open ones end, and resolves when all are gone. */
  drain(): Promise<void>;
}

/** Starts to listen, and says where. */
export async function listen(
  answer: RequestHandler,
  { host, port, tls }: Configuration,
  shed: ConcurrencyLimiterOptions = {},
  arriving: typeof patience = patience,
): Promise<Listening> {
  const shedding = new ConcurrencyLimiter(shed);
  const leaving = new Leaving();
  const handle = needingHost(leaving.telling(shedding.guard(answer)));
  const options = { ...arriving, requireHostHeader: false };
  const server = tls ? createTlsServer({ ...tls, ...options }, handle) : createServer(options, handle);
  server.on('clientError', answerUnreadable);
  server.on('connect', answerConnect);
  // An expectation we do not know is not worth a refusal without a body.
  server.on('checkExpectation', handle);
  server.maxConnections = mostConnections;
  server.timeout = longestSilence;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, host, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `${tls ? 'https' : 'http'}://${name}:${address.port}`, drain: () => drain(server, shedding, leaving) };
}

function explained(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ConfigurationError(`PORT ${port} is in use on ${host}. Set PORT to another one, or to 0 for any that is free.`);
  if (error.code === 'EACCES') return new ConfigurationError(`PORT ${port} may not be opened by this user. Set PORT to one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new ConfigurationError(`HOST ${host} is not an address of this machine.`);
  return error;
}

/** A kept-alive connection would wait for its next request for ever: once the service leaves, every answer says that it is the last. */
class Leaving {
  #isLeaving = false;

  telling(handle: RequestListener): RequestListener {
    return (request, response) => {
      if (this.#isLeaving) this.#tell(response);
      handle(request, response);
    };
  }

  begin(open: readonly ServerResponse[]): void {
    this.#isLeaving = true;
    for (const response of open) this.#tell(response);
  }

  #tell(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
}

/** For clients that are about to send their next request over a connection that they believe to be kept. */
const farewellMilliseconds = 100;

async function drain(server: Server, { open }: ConcurrencyLimiter, leaving: Leaving): Promise<void> {
  leaving.begin(open);
  await pause(farewellMilliseconds);
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const patience = setTimeout(() => server.closeAllConnections(), drainMilliseconds);
  await closed;
  clearTimeout(patience);
}

/** What the HTTP parser cannot read never reaches the app, and is answered in the same shape all the same. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) socket.end(unreadableText());
}

/** RFC 9112, 3.2: a request that names no host is not served. Node itself would answer it without a body. */
const needingHost =
  (handle: RequestListener): RequestListener =>
  (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion === '1.0') return handle(request, response);
    const { status, headers, body } = unreadable();
    response.writeHead(status, headers).end(body);
  };

/** Node would close the connection without a word. From here on it is ours alone: nobody else hears its errors, or ends it. */
function answerConnect(_request: unknown, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.on('finish', () => socket.destroy());
  socket.resume();
  socket.end(unreadableText());
}

function unreadable(): { status: number; headers: Record<string, string | number>; body: string } {
  const code = 'rest_invalid_param' as const;
  const { status } = errorTable[code];
  const body = JSON.stringify({ code, message: 'The request could not be read.', data: { status } });
  const type = 'application/json; charset=utf-8';
  const headers = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), 'X-Request-Id': randomUUID(), Connection: 'close' };
  return { status, headers, body };
}

function unreadableText(): string {
  const { status, headers, body } = unreadable();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Bad Request\r\n${lines.join('')}\r\n${body}`;
}
