import cluster from 'node:cluster';
import type { Configuration, MetricsAddress } from '../configuration.ts';
import { createLog } from '../http/request-log.ts';
import { serveMetrics } from './endpoint.ts';
import { Metrics } from './metrics.ts';
import { answerPrimary, Collector } from './workers.ts';

export interface OpenMetrics {
  metrics: Metrics;
  close(): Promise<void>;
}

type Configured = Pick<Configuration, 'metrics' | 'logLevel'>;

/** Undefined without METRICS_PORT. Opened before the service, so that a port that is taken is told before anything else is done. */
export async function openMetrics(configuration: Configured): Promise<OpenMetrics | undefined> {
  if (!configuration.metrics) return undefined;
  const metrics = new Metrics();
  if (!cluster.isWorker) return served(configuration.metrics, configuration, metrics, () => metrics.families({ withBacklog: true }));
  const end = answerPrimary((question) => metrics.families(question));
  return {
    metrics,
    async close() {
      metrics.stop();
      end();
    },
  };
}

/** The one endpoint of a service that has several processes. */
export async function openSharedMetrics(configuration: Configured): Promise<OpenMetrics | undefined> {
  if (!configuration.metrics) return undefined;
  const metrics = new Metrics();
  const collector = new Collector();
  return served(configuration.metrics, configuration, metrics, async () =>
    collector.families({ worker: 'primary', families: await metrics.families({ withBacklog: false }) }),
  );
}

async function served(
  address: MetricsAddress,
  { logLevel }: Configured,
  metrics: Metrics,
  families: Parameters<typeof serveMetrics>[1],
): Promise<OpenMetrics> {
  const endpoint = await serveMetrics(address, families);
  createLog(logLevel).info({ url: endpoint.url }, 'metrics are served');
  return {
    metrics,
    async close() {
      metrics.stop();
      await endpoint.close();
    },
  };
}
