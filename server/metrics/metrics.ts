import { AggregatorRegistry, Counter, collectDefaultMetrics, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { Database } from '../../db/database.ts';
import { type Clock, systemClock } from '../../domain/clock.ts';
import type { Pay } from '../../domain/payouts/gateway.ts';
import type { JobSource } from '../jobs/job-runner.ts';
import { readBacklogMetrics, readLoadMetrics } from './database-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';

/** As prom-client exports it; plain data that processes of a service send to each other. */
export type MetricValues = MetricObjectWithValues<MetricValue<string>>;

export interface MetricsSnapshot {
  /** Summed over the processes of a service. */
  readonly service: readonly MetricValues[];
  /** Memory, processor time and the like, one series for each process. */
  readonly process: readonly MetricValues[];
}

/** The text that Prometheus scrapes. */
export const formatSnapshots = (snapshots: readonly MetricsSnapshot[]): Promise<string> =>
  AggregatorRegistry.aggregate(snapshots.flatMap(({ service, process }) => [[...service], [...process]])).metrics();

type Kind = 'mails' | 'webhooks';

/** What outcomes of mails and webhooks have in common. */
interface AttemptOutcome {
  kind: string;
  code?: number;
}

/** All that one process measures. */
export class Metrics {
  readonly #service = new Registry();
  readonly #process = new Registry();
  readonly requests = new RequestMetrics(this.#service);
  readonly #gatewayCalls = new Counter({
    name: 'affiliate_gateway_calls_total',
    help: 'Payouts handed to a payment gateway, by what it said.',
    labelNames: ['gateway', 'outcome'],
    registers: [this.#service],
  });
  readonly #storeDeliveries = new Counter({
    name: 'affiliate_store_deliveries_total',
    help: 'Webhooks of the connected shop, by what became of them. unauthorized: the signature is missing or wrong.',
    labelNames: ['platform', 'outcome'],
    registers: [this.#service],
  });
  readonly #attempts = new Counter({
    name: 'affiliate_outbox_attempts_total',
    help: 'Attempts to send a mail or to deliver to a webhook.',
    labelNames: ['kind', 'outcome'],
    registers: [this.#service],
  });
  #watched: { database: Database; clock: Clock } | undefined;

  /** `worker` labels the metrics of this process where the service has several. */
  constructor(worker?: string) {
    // Present from the start, as 0: otherwise a rate over the first failure is empty.
    for (const kind of ['mails', 'webhooks'])
      for (const outcome of ['sent', 'failed', 'not_tried']) this.#attempts.inc({ kind, outcome }, 0);
    collectDefaultMetrics({ register: this.#process });
    if (worker !== undefined) this.#process.setDefaultLabels({ worker });
  }

  /** Includes the metrics of this database from now on. */
  watch(database: Database, clock: Clock = systemClock): void {
    this.#watched = { database, clock };
  }

  /** `withBacklog`: also what is stored in the database, which is the same for all processes and takes a query. */
  async snapshot({ withBacklog }: { withBacklog: boolean }): Promise<MetricsSnapshot> {
    const registries = [this.#service];
    if (this.#watched) registries.push(readLoadMetrics(this.#watched.database));
    if (this.#watched && withBacklog) registries.push(await readBacklogMetrics(this.#watched.database, this.#watched.clock.now()));
    const service = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
    const process = await this.#process.getMetricsAsJSON();
    // Aggregation must not omit or average any of these: the label `worker` keeps the processes apart.
    return { service: service.flat(), process: process.map((metric) => ({ ...metric, aggregator: 'sum' })) };
  }

  /** The same gateways, with their calls counted. */
  countGatewayCalls(gateways: ReadonlyMap<string, Pay>): Map<string, Pay> {
    const count =
      (gateway: string, pay: Pay): Pay =>
      async (payment) => {
        const outcome = await pay(payment);
        this.#gatewayCalls.inc({ gateway, outcome: outcome.status });
        return outcome;
      };
    return new Map([...gateways].map(([name, pay]) => [name, count(name, pay)]));
  }

  countStoreDelivery(platform: string, outcome: string): void {
    this.#storeDeliveries.inc({ platform, outcome });
  }

  /** The same jobs, with the outcome of each attempt counted. */
  countAttempts<Job, Outcome extends AttemptOutcome>(source: JobSource<Job, Outcome>, kind: Kind): JobSource<Job, Outcome> {
    return {
      ...source,
      send: async (job, signal) => {
        const outcome = await source.send(job, signal);
        this.#attempts.inc({ kind, outcome: nameOutcome(outcome) });
        return outcome;
      },
    };
  }
}

function nameOutcome({ kind, code = 0 }: AttemptOutcome): string {
  if (kind === 'sent' || (kind === 'answered' && code >= 200 && code < 300)) return 'sent';
  return kind === 'not tried' || kind === 'unfinished' ? 'not_tried' : 'failed';
}
