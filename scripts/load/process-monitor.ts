import { megabytesOf } from '../bench/machine.ts';

export interface ProcessSample {
  /** Since the monitor started. */
  seconds: number;
  megabytes: number;
  /** Event loop lag in milliseconds since the last sample; of several processes, the highest. */
  loopDelay: { mean: number; max: number };
}

/** Samples memory and event loop lag of the service at an interval. */
export class ProcessMonitor {
  readonly #samples: ProcessSample[] = [];
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #pid: number;
  readonly #metricsPort: number;

  constructor(pid: number, metricsPort: number, intervalMs: number) {
    this.#pid = pid;
    this.#metricsPort = metricsPort;
    this.#timer = setInterval(() => void this.#sample(), intervalMs);
  }

  async stop(): Promise<ProcessSample[]> {
    clearInterval(this.#timer);
    await this.#sample();
    return this.#samples;
  }

  async #sample(): Promise<void> {
    const metrics = await fetch(`http://127.0.0.1:${this.#metricsPort}/metrics`)
      .then((response) => response.text())
      .catch(() => '');
    const seconds = (performance.now() - this.#started) / 1000;
    const delay = (name: string): number => Math.max(0, ...metricValues(metrics, name)) * 1000;
    const loopDelay = { mean: delay('nodejs_eventloop_lag_mean_seconds'), max: delay('nodejs_eventloop_lag_max_seconds') };
    this.#samples.push({ seconds, megabytes: megabytesOf(this.#pid) ?? 0, loopDelay });
  }
}

const metricValues = (metrics: string, name: string): number[] =>
  [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value)).filter(Number.isFinite);

/** Megabytes per minute by linear regression, without the first third, in which a process warms up. */
export function memoryGrowth(samples: readonly ProcessSample[]): number {
  const settled = samples.slice(Math.floor(samples.length / 3));
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
  const [time, size] = [mean(settled.map(({ seconds }) => seconds)), mean(settled.map(({ megabytes }) => megabytes))];
  const variance = mean(settled.map(({ seconds }) => (seconds - time) ** 2));
  const covariance = mean(settled.map(({ seconds, megabytes }) => (seconds - time) * (megabytes - size)));
  return variance === 0 ? 0 : (covariance / variance) * 60;
}
