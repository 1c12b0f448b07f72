import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import type { Metrics, MetricsSnapshot, MetricValues } from './metrics.ts';

// prom-client's own `clusterMetrics()` fails the whole scrape when one worker is busy, and its sums fall when a worker dies. So only its
// aggregation is used; requests and responses between the processes are sent here.

interface SnapshotRequest {
  snapshotRequest: number;
  withBacklog: boolean;
}

interface SnapshotResponse {
  snapshotResponse: number;
  snapshot: MetricsSnapshot;
}

const isRequest = (message: unknown): message is SnapshotRequest =>
  typeof message === 'object' && message !== null && 'snapshotRequest' in message;

/** In a worker: sends snapshots to the primary on request. Returns a function that stops it. */
export function serveSnapshots(metrics: Pick<Metrics, 'snapshot'>): () => void {
  const respond = async (message: unknown): Promise<void> => {
    if (!isRequest(message)) return;
    const snapshot = await metrics.snapshot(message);
    if (process.connected) process.send?.({ snapshotResponse: message.snapshotRequest, snapshot } satisfies SnapshotResponse);
  };
  process.on('message', respond);
  return () => void process.off('message', respond);
}

/** A worker that takes longer is represented by its previous snapshot. */
const timeoutMs = 3000;

/** In the primary: collects the snapshots of all workers. */
export class ClusterMetrics {
  readonly #latest = new Map<number, MetricsSnapshot>();
  #ended: readonly MetricValues[] = [];
  #requests = 0;

  constructor() {
    cluster.on('exit', ({ id }) => this.#keepCounters(id));
  }

  /** One worker also reads the backlog, which is the same for all. */
  async snapshots(): Promise<MetricsSnapshot[]> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const latest = await Promise.all(workers.map((worker, index) => this.#request(worker, index === 0)));
    return [...latest.filter((snapshot) => snapshot !== undefined), { service: this.#ended, process: [] }];
  }

  async #request(worker: Worker, withBacklog: boolean): Promise<MetricsSnapshot | undefined> {
    this.#requests += 1;
    const snapshot = await requestSnapshot(worker, { snapshotRequest: this.#requests, withBacklog });
    if (snapshot) this.#latest.set(worker.id, snapshot);
    return this.#latest.get(worker.id);
  }

  #keepCounters(id: number): void {
    const last = this.#latest.get(id);
    this.#latest.delete(id);
    if (last) this.#ended = addEnded(this.#ended, last);
  }
}

/**
 * Counters of processes that have ended stay in the sums: a sum that falls looks like a restart of the service. Gauges are dropped with
 * their process.
 */
export function addEnded(ended: readonly MetricValues[], { service }: MetricsSnapshot): readonly MetricValues[] {
  const counters = service.filter(({ type }) => String(type) !== 'gauge');
  return AggregatorRegistry.aggregate([[...ended], counters]).getMetricsAsArray() as unknown as MetricValues[];
}

const requestSnapshot = (worker: Worker, request: SnapshotRequest): Promise<MetricsSnapshot | undefined> =>
  new Promise((resolve) => {
    const end = (snapshot?: MetricsSnapshot): void => {
      clearTimeout(timer);
      worker.off('message', receive);
      resolve(snapshot);
    };
    const receive = (message: Partial<SnapshotResponse>): void => {
      if (message.snapshotResponse === request.snapshotRequest) end(message.snapshot);
    };
    const timer = setTimeout(end, timeoutMs);
    worker.on('message', receive);
    if (worker.isConnected()) worker.send(request, (error) => error && end());
    else end();
  });
