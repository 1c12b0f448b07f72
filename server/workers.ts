import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Configuration } from './configuration.ts';
import { createLogger } from './http/request-log.ts';
import type { Metrics } from './metrics/metrics.ts';
import { openMetrics } from './metrics/metrics-server.ts';
import { longestStopMs } from './orderly-stop.ts';
import { startService } from './serve.ts';

/** Where the service listens, and where the first administrator can be created, if there is none. */
export interface ServiceUrls {
  url: string;
  setup?: string;
}

type OnListening = (urls: ServiceUrls) => void;

const printUrls: OnListening = ({ url, setup }) => {
  const further = setup === undefined ? '' : `Create the first administrator: ${setup}\n`;
  process.stdout.write(`affiliate-api listening on ${url}\n${further}`);
};

/** Runs until a stop signal. With WORKERS, as several processes on one port and one database. Calls `onListening` once. */
export async function runService(configuration: Configuration, onListening: OnListening = printUrls): Promise<void> {
  if (configuration.workers === 1) return runProcess(configuration, onListening);
  if (cluster.isPrimary) return withMetrics(configuration, () => runPrimary(configuration, onListening));
  // The channel to the primary would keep the process alive, also one that could not start.
  await runProcess(configuration, (ready) => process.send?.({ ready } satisfies ReadyMessage)).finally(() => cluster.worker?.disconnect());
}

/** Of several workers the first one starts alone. A link of another one, also of one that replaces it, would void the printed one. */
const isFirstWorker = (): boolean => cluster.isPrimary || cluster.worker?.id === 1;

const runProcess = (configuration: Configuration, onListening: OnListening): Promise<void> =>
  withMetrics(configuration, async (metrics) => {
    const service = await startService(configuration, { metrics, issuesSetupLink: isFirstWorker() });
    // Before `onListening`, which may cause a signal at once.
    const stopped = waitForStopSignal();
    onListening({ url: service.url, ...(service.setupUrl !== null && { setup: service.setupUrl }) });
    await stopped;
    if (!(await service.stop())) process.exit(1);
  });

/** Metrics are served from before the start until after the stop. */
async function withMetrics(configuration: Configuration, run: (metrics?: Metrics) => Promise<void>): Promise<void> {
  const opened = await openMetrics(configuration);
  await run(opened?.metrics).finally(() => opened?.close());
}

/** Only the first signal; a second one ends the process at once. */
export const waitForStopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });

/** Of a worker. With METRICS_PORT it also sends its metrics. */
interface ReadyMessage {
  ready: ServiceUrls;
}

const isReady = (message: unknown): message is ReadyMessage => typeof message === 'object' && message !== null && 'ready' in message;

/** Starts one worker first, so that migrations run once, then the others; replaces one that dies. */
async function runPrimary({ workers: count, logLevel }: Configuration, onListening: OnListening): Promise<void> {
  const urls = await startFirstWorker();
  const log = createLogger(logLevel);
  const stopping = new AbortController();
  cluster.on('exit', ({ process: { pid } }, code, signal) => {
    if (stopping.signal.aborted) return;
    log.error({ pid, code, signal }, 'a worker ended by itself; another one takes its place');
    // Delayed, because a worker that cannot start would otherwise be restarted in a loop.
    pause(restartAfterMs, undefined, { signal: stopping.signal }).then(
      () => cluster.fork(),
      () => {},
    );
  });
  const stopped = waitForStopSignal();
  await Promise.race([startOthers(count - 1), stopped]);
  onListening(urls);
  await stopped;
  stopping.abort();
  const codes = await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => stopWorker(worker)));
  if (codes.some((code) => code !== 0)) throw new Error('A worker did not end in order; the log has what was still open.');
}

const restartAfterMs = 1000;

const startFirstWorker = (): Promise<ServiceUrls> =>
  new Promise((resolve, reject) => {
    const worker = cluster.fork();
    worker.on('message', (message: unknown) => isReady(message) && resolve(message.ready));
    worker.once('exit', () => reject(new Error('A worker ended before it was ready; its own message is above.')));
  });

/** Resolves when so many more are ready. One that dies meanwhile is replaced as later. */
const startOthers = (count: number): Promise<void> =>
  new Promise((resolve) => {
    let missing = count;
    cluster.on('message', (_worker, message: unknown) => {
      if (isReady(message) && --missing === 0) resolve();
    });
    for (let started = 0; started < count; started += 1) cluster.fork();
  });

/** Resolves with its exit code. */
const stopWorker = (worker: Worker | undefined): Promise<number | null> =>
  new Promise((resolve) => {
    if (!worker || worker.isDead()) return resolve(0);
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), longestStopMs);
    worker.once('exit', (code, signal) => {
      clearTimeout(timer);
      // One that was still starting ends at once, and has nothing open.
      resolve(signal === 'SIGTERM' ? 0 : code);
    });
    worker.process.kill('SIGTERM');
  });
