import cluster, { type Worker } from 'node:cluster';
import type { Configuration } from './configuration.ts';
import type { Metrics } from './metrics/metrics.ts';
import { openMetrics } from './metrics/metrics-server.ts';
import { startService } from './serve.ts';

const sayListening = (url: string): void => {
  process.stdout.write(`affiliate-api listening on ${url}\n`);
};

/** Runs until it is told to stop. With WORKERS, as several processes on one port and one database. `ready` is told where, once. */
export async function runService(configuration: Configuration, ready: (url: string) => void = sayListening): Promise<void> {
  if (configuration.workers === 1) return runAlone(configuration, ready);
  if (cluster.isPrimary) return withMetrics(configuration, () => runPrimary(configuration.workers, ready));
  // The channel to the primary would keep the process alive, also one that could not start.
  await runAlone(configuration, (url) => process.send?.({ url })).finally(() => cluster.worker?.disconnect());
}

const runAlone = (configuration: Configuration, ready: (url: string) => void): Promise<void> =>
  withMetrics(configuration, async (metrics) => {
    const service = await startService(configuration, metrics);
    // Before it says so: whoever reads that may stop it the next moment.
    const told = toldToStop();
    ready(service.url);
    await told;
    await service.stop();
  });

/** Metrics are served from before the start until after the stop. */
async function withMetrics(configuration: Configuration, run: (metrics?: Metrics) => Promise<void>): Promise<void> {
  const opened = await openMetrics(configuration);
  await run(opened?.metrics).finally(() => opened?.close());
}

/** A second signal ends it at once. */
export const toldToStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });

/** Starts one worker first, so that migrations run once, then the others; replaces one that dies. */
async function runPrimary(count: number, ready: (url: string) => void): Promise<void> {
  const url = await startWorker();
  await Promise.all(Array.from({ length: count - 1 }, startWorker));
  let stopping = false;
  cluster.on('exit', () => {
    // Not at once: a worker that cannot start would be started again and again.
    setTimeout(() => stopping || cluster.fork(), 1000).unref();
  });
  const told = toldToStop();
  ready(url);
  await told;
  stopping = true;
  await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => stopWorker(worker)));
}

const startWorker = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const worker = cluster.fork();
    worker.once('message', ({ url }: { url: string }) => resolve(url));
    worker.once('exit', () => reject(new Error('A worker ended before it was ready; its own message is above.')));
  });

const stopWorker = (worker: Worker | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (!worker || worker.isDead()) return resolve();
    worker.once('exit', () => resolve());
    worker.process.kill('SIGTERM');
  });
