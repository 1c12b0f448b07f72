import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigurationError, type MetricsAddress } from '../configuration.ts';
import type { Family } from './family.ts';
import { contentType, textOf } from './text.ts';

export interface Endpoint {
  url: string;
  close(): Promise<void>;
}

/** Serves `/metrics` and nothing else, on a port of its own: what the operator sees is nobody else's business. */
export async function serveMetrics({ host, port }: MetricsAddress, families: () => Promise<Family[]>): Promise<Endpoint> {
  const server = createServer((request, response) => void answer(request, response, families));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, host, port)));
    server.listen(port, host, resolve);
  });
  const { address, family, port: opened } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${opened}/metrics`, close };
}

async function answer({ method, url }: IncomingMessage, response: ServerResponse, families: () => Promise<Family[]>): Promise<void> {
  const isAsked = (method === 'GET' || method === 'HEAD') && url?.split('?')[0] === '/metrics';
  if (!isAsked) return void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is /metrics here, and nothing else.\n');
  try {
    const text = textOf(await families());
    response.writeHead(200, { 'Content-Type': contentType }).end(method === 'HEAD' ? '' : text);
  } catch {
    response.writeHead(500, { 'Content-Type': 'text/plain' }).end('The metrics could not be collected.\n');
  }
}

function explained(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ConfigurationError(`METRICS_PORT ${port} is in use on ${host}. Set METRICS_PORT to another one.`);
  if (error.code === 'EACCES')
    return new ConfigurationError(`METRICS_PORT ${port} may not be opened by this user. Set METRICS_PORT to one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new ConfigurationError(`METRICS_PORT names ${host}, which is not an address of this machine.`);
  return error;
}
