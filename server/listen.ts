import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import { errorTable } from '../domain/errors.ts';
import { type Configuration, ConfigurationError } from './configuration.ts';
import type { RequestState } from './request.ts';

const drainMilliseconds = 10_000;

export interface Listening {
  url: string;
  /** Takes no new requests, lets open ones end, and resolves when all are gone. */
  drain(): Promise<void>;
}

/** Starts to listen, and says where. */
export async function listen(app: Koa<RequestState>, { host, port, tls }: Configuration): Promise<Listening> {
  const handle = app.callback();
  const server = tls ? createTlsServer(tls, handle) : createServer(handle);
  server.on('clientError', answerUnreadable);
  // An expectation we do not know is not worth a refusal without a body.
  server.on('checkExpectation', handle);
  const open = trackOpenAnswers(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, host, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `${tls ? 'https' : 'http'}://${name}:${address.port}`, drain: () => drain(server, open) };
}

function explained(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ConfigurationError(`PORT ${port} is in use on ${host}. Set PORT to another one, or to 0 for any that is free.`);
  if (error.code === 'EACCES') return new ConfigurationError(`PORT ${port} may not be opened by this user. Set PORT to one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new ConfigurationError(`HOST ${host} is no address of this machine.`);
  return error;
}

function trackOpenAnswers(server: Server): Set<ServerResponse> {
  const open = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  return open;
}

async function drain(server: Server, open: Set<ServerResponse>): Promise<void> {
  // A kept-alive connection would wait for its next request for ever: tell the client that this answer is the last.
  for (const response of open) if (!response.headersSent) response.setHeader('Connection', 'close');
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
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const code = 'rest_invalid_param' as const;
  const { status } = errorTable[code];
  const body = JSON.stringify({ code, message: 'The request could not be read.', data: { status } });
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${randomUUID()}\r\nConnection: close\r\n\r\n${body}`,
  );
}
