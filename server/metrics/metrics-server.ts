import cluster from 'node:cluster';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, ConfigurationError, type MetricsAddress } from '../configuration.ts';
import { createLogger } from '../http/request-log.ts';
import type { Metrics } from './metrics.ts';

export interface OpenMetrics {
  metrics: Metrics;
  close(): Promise<void>;
}

/**
 * Undefined without METRICS_PORT. Opened before the service, so that a port in use stops the start before anything else is done. With
 * several processes the primary serves the metrics of all; a worker sends it its own. prom-client is loaded only here.
 */
export async function openMetrics({ metrics: address, logLevel, workers }: Configuration): Promise<OpenMetrics | undefined> {
  if (!address) return undefined;
  const { Metrics, formatSnapshots } = await import('./metrics.ts');
  if (workers === 1) {
    const metrics = new Metrics();
    const read = async (): Promise<string> => formatSnapshots([await metrics.snapshot({ withBacklog: true })]);
    return { metrics, ...(await serveMetrics(address, read, logLevel)) };
  }
  const { ClusterMetrics, serveSnapshots } = await import('./cluster-metrics.ts');
  const metrics = new Metrics(cluster.worker ? String(cluster.worker.id) : 'primary');
  if (cluster.isWorker) {
    const stop = serveSnapshots(metrics);
    return { metrics, close: async () => stop() };
  }
  const collected = new ClusterMetrics();
  const read = async (): Promise<string> =>
    formatSnapshots([await metrics.snapshot({ withBacklog: false }), ...(await collected.snapshots())]);
  return { metrics, ...(await serveMetrics(address, read, logLevel)) };
}

/** Serves `/metrics` and nothing else, on a port of its own: metrics are for the operator, not for callers of the API. */
async function serveMetrics(
  { host, port }: MetricsAddress,
  read: () => Promise<string>,
  logLevel: Configuration['logLevel'],
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => void answer(request, response, read));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen(port, host, resolve);
  });
  const { address, family, port: opened } = server.address() as AddressInfo;
  createLogger(logLevel).info({ url: `http://${family === 'IPv6' ? `[${address}]` : address}:${opened}/metrics` }, 'metrics are served');
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer({ method, url }: IncomingMessage, response: ServerResponse, read: () => Promise<string>): Promise<void> {
  const isServed = (method === 'GET' || method === 'HEAD') && url?.split('?')[0] === '/metrics';
  if (!isServed) return void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is /metrics here, and nothing else.\n');
  try {
    const text = await read();
    const type = 'text/plain; version=0.0.4; charset=utf-8';
    response.writeHead(200, { 'Content-Type': type }).end(method === 'HEAD' ? '' : text);
  } catch {
    response.writeHead(500, { 'Content-Type': 'text/plain' }).end('The metrics could not be collected.\n');
  }
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ConfigurationError(`METRICS_PORT ${port} is in use on ${host}. Set METRICS_PORT to another one.`);
  if (error.code === 'EACCES')
    return new ConfigurationError(`METRICS_PORT ${port} may not be opened by this user. Set METRICS_PORT to one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new ConfigurationError(`METRICS_PORT names ${host}, which is not an address of this machine.`);
  return error;
}
