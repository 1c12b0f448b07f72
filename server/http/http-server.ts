import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import { createServer, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorTable } from '../../domain/errors.ts';
import { withTimeout } from '../../domain/timeout.ts';
import { type Configuration, ConfigurationError, type Tls } from '../configuration.ts';
import { ConcurrencyLimiter, type ConcurrencyLimiterOptions, maxConnections, type RequestHandler } from '../limits/concurrency-limiter.ts';
import { ConnectionLimit, limitPipelining } from '../limits/connection-limit.ts';
import { type RenewalOptions, renewCertificate } from './certificate-renewal.ts';
import { redactPath } from './request-log.ts';

/** How long the headers and the whole of a request may take to arrive. */
export const requestTimeouts = { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 2000 };

/** Longer than proxies keep a connection without traffic, most of them for 60 or 120 s: they close it, and no request is sent to a closed one. */
const keepAliveTimeout = 130_000;

/** A socket without traffic during a request is closed after this time. Longer than any response takes, including the minute of a payment gateway. */
const socketTimeoutMs = 120_000;

/** How long a stop waits for requests that have not arrived completely, and for clients to read their responses. */
const clientTimeoutMs = 10_000;

/** How long a client may take to read the response to a request that could not be parsed. */
const lastReadMs = 1000;

export interface ListeningServer {
  url: string;
  /**
   * Accepts no new connections, finishes open requests, also those whose clients have disconnected, and closes all connections. Returns the
   * requests that are still worked on after `handlerTimeoutMs`.
   */
  drain(handlerTimeoutMs?: number): Promise<string[]>;
}

export interface ListenOptions extends ConcurrencyLimiterOptions, RenewalOptions {
  connectionsPerAddress?: () => number;
  /** How long a stop waits for clients that are about to send their next request over a connection that they consider open. */
  lastRequestsMs?: number;
}

export async function listen(
  handle: RequestHandler,
  { host, port, tls, proxies }: Configuration,
  { connectionsPerAddress = () => maxConnections, lastRequestsMs = 100, ...limiterOptions }: ListenOptions = {},
  timeouts: typeof requestTimeouts = requestTimeouts,
): Promise<ListeningServer> {
  const limiter = new ConcurrencyLimiter(limiterOptions);
  const handlers = new RunningHandlers();
  const closer = new ConnectionCloser();
  const listener = limitPipelining(requireHost(closer.wrap(limiter.limit(handlers.track(handle)))));
  const options = { ...timeouts, keepAliveTimeout, requireHostHeader: false };
  const server = tls ? createRenewingServer(tls, options, listener, limiterOptions) : createServer(options, listener);
  server.on('connection', new ConnectionLimit(proxies, connectionsPerAddress).accept);
  server.on('clientError', rejectUnparsable);
  server.on('connect', rejectConnect);
  // An unknown Expect header is ignored. Node would answer it with 417 and no body.
  server.on('checkExpectation', listener);
  server.maxConnections = maxConnections;
  server.timeout = socketTimeoutMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `${tls ? 'https' : 'http'}://${name}:${address.port}`,
    drain: (timeoutMs = clientTimeoutMs) => drain(server, { handlers, closer, lastRequestsMs, timeoutMs }),
  };
}

function createRenewingServer(tls: Tls, options: ServerOptions, listener: RequestListener, renewal: RenewalOptions): Server {
  const server = createTlsServer({ cert: tls.cert, key: tls.key, ...options }, listener);
  renewCertificate(server, tls, renewal);
  return server;
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ConfigurationError(`PORT ${port} is in use on ${host}. Set PORT to another one, or to 0 for any that is free.`);
  if (error.code === 'EACCES') return new ConfigurationError(`PORT ${port} may not be opened by this user. Set PORT to one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new ConfigurationError(`HOST ${host} is not an address of this machine.`);
  return error;
}

/** Sends `Connection: close` with every response once the server stops, because keep-alive connections would stay open. */
class ConnectionCloser {
  #isClosing = false;

  wrap(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (this.#isClosing) setClose(response);
      listener(request, response);
    };
  }

  close(open: readonly ServerResponse[]): void {
    this.#isClosing = true;
    for (const response of open) setClose(response);
  }
}

function setClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** The requests that are worked on. A client that disconnects does not end the work on its request. */
class RunningHandlers {
  readonly #running = new Map<ServerResponse, IncomingMessage>();
  #onIdle = (): void => {};

  track(handle: RequestHandler): RequestHandler {
    return (request, response) => {
      this.#running.set(response, request);
      return handle(request, response).finally(() => {
        this.#running.delete(response);
        if (this.#running.size === 0) this.#onIdle();
      });
    };
  }

  get responses(): ServerResponse[] {
    return [...this.#running.keys()];
  }

  get requests(): IncomingMessage[] {
    return [...this.#running.values()];
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.#running.size === 0) resolve();
    });
  }
}

interface DrainParts {
  handlers: RunningHandlers;
  closer: ConnectionCloser;
  lastRequestsMs: number;
  timeoutMs: number;
}

async function drain(server: Server, { handlers, closer, lastRequestsMs, timeoutMs }: DrainParts): Promise<string[]> {
  const deadline = performance.now() + timeoutMs;
  closer.close(handlers.responses);
  await sleep(lastRequestsMs);
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const idle = handlers.idle();
  await withTimeout(Promise.all([closed, idle]), Math.min(clientTimeoutMs, timeoutMs), () => undefined);
  for (const request of handlers.requests) if (!request.complete) request.destroy();
  await withTimeout(idle, Math.max(deadline - performance.now(), lastReadMs), () => undefined);
  await withTimeout(closed, lastReadMs, () => undefined);
  server.closeAllConnections();
  return handlers.requests.map(({ method, url = '' }) => `${method} ${redactPath(url.split('?')[0] ?? '')}`);
}

/** A request that the HTTP parser rejects never reaches the app, but gets an error in the same shape. */
function rejectUnparsable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  socket.end(
    error.code === 'HPE_HEADER_OVERFLOW' ? unreadableText(431, 'The headers of the request are larger than 16 KiB.') : unreadableText(),
  );
  // A client that was too slow may never close its side. One that has sent more than was read needs time to read the response first.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.destroySoon();
  else setTimeout(() => socket.destroy(), lastReadMs).unref();
}

/** RFC 9112, 3.2: a request without a Host header, or with several, is rejected. Node would answer one without a body, and accept several. */
const requireHost =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const hosts = countHosts(request.rawHeaders);
    if (hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')) return listener(request, response);
    const { status, headers, body } = unreadableResponse();
    response.writeHead(status, headers).end(body);
  };

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Node would close the connection without a response. Node no longer handles the errors and the end of this socket. */
function rejectConnect(_request: unknown, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.on('finish', () => socket.destroy());
  socket.resume();
  socket.end(unreadableText());
}

function unreadableResponse(
  status: number = errorTable.rest_invalid_param.status,
  message = 'The request could not be read.',
): { status: number; headers: Record<string, string | number>; body: string } {
  const body = JSON.stringify({ code: 'rest_invalid_param', message, data: { status } });
  const type = 'application/json; charset=utf-8';
  const headers = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), 'X-Request-Id': randomUUID(), Connection: 'close' };
  return { status, headers, body };
}

function unreadableText(...problem: Parameters<typeof unreadableResponse>): string {
  const { status, headers, body } = unreadableResponse(...problem);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
