import { megabytesOf } from '../bench/machine.ts';

export interface Sample {
  /** Since the watch began. */
  seconds: number;
  megabytes: number;
  /** How late timers were since the last sample, in milliseconds; of several processes, the latest. */
  loopDelay: { mean: number; max: number };
}

/** Looks at the service from outside, once in a while. */
export class Watch {
  readonly samples: Sample[] = [];
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #pid: number;
  readonly #metricsPort: number;

  constructor(pid: number, metricsPort: number, everyMilliseconds: number) {
    this.#pid = pid;
    this.#metricsPort = metricsPort;
    this.#timer = setInterval(() => void this.#look(), everyMilliseconds);
  }

  async end(): Promise<Sample[]> {
    clearInterval(this.#timer);
    await this.#look();
    return this.samples;
  }

  async #look(): Promise<void> {
    const text = await fetch(`http://127.0.0.1:${this.#metricsPort}/metrics`)
      .then((response) => response.text())
      .catch(() => '');
    const seconds = (performance.now() - this.#started) / 1000;
    const delay = (name: string): number => Math.max(0, ...valuesOf(text, name)) * 1000;
    const loopDelay = { mean: delay('nodejs_eventloop_lag_mean_seconds'), max: delay('nodejs_eventloop_lag_max_seconds') };
    this.samples.push({ seconds, megabytes: megabytesOf(this.#pid) ?? 0, loopDelay });
  }
}

const valuesOf = (text: string, name: string): number[] =>
  [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));

/** Megabytes a minute, by the straight line that fits best. The first part is left out: a process that begins to work takes what it needs. */
export function growthOf(samples: readonly Sample[]): number {
  const settled = samples.slice(Math.floor(samples.length / 3));
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
  const [time, size] = [mean(settled.map(({ seconds }) => seconds)), mean(settled.map(({ megabytes }) => megabytes))];
  const spread = mean(settled.map(({ seconds }) => (seconds - time) ** 2));
  const together = mean(settled.map(({ seconds, megabytes }) => (seconds - time) * (megabytes - size)));
  return spread === 0 ? 0 : (together / spread) * 60;
}
