import type { Installation } from './installation.ts';
import { OpenLoop, type Request, type Tally } from './open-loop.ts';
import { asText, newLines } from './store.ts';
import { growthOf, type Sample, Watch } from './watch.ts';

/** What came of asking at one pace for a while. */
export interface Phase {
  perSecond: number;
  seconds: number;
  answered: number;
  shed: number;
  /** Milliseconds from when a request was due to its answer. */
  latency: { p50: number; p99: number; p999: number; max: number };
  shedLatency: { p50: number; p99: number };
  megabytes: { start: number; middle: number; end: number; growthPerMinute: number };
  loopDelay: { mean: number; max: number };
  faults: Record<string, number>;
}

export interface Pace {
  perSecond: number;
  seconds: number;
  connections: number;
  /** Whether a shop sends orders and clicks meanwhile, through the command line. */
  withShop: boolean;
}

export const at = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export async function runPhase({ service, metricsPort, affiliate, store }: Installation, next: () => Request, pace: Pace): Promise<Phase> {
  const watch = new Watch(service.pid, metricsPort, Math.min(1000, (pace.seconds * 1000) / 10));
  const shop = new Shop(affiliate, store);
  if (pace.withShop) shop.open();
  const tally = await OpenLoop.run({ port: service.port, ...pace, next });
  await shop.close();
  return phaseOf(pace, tally, await watch.end());
}

function phaseOf({ perSecond }: Pace, { seconds, answered, shed, faults }: Tally, samples: Sample[]): Phase {
  const sizes = samples.map(({ megabytes }) => megabytes);
  const delays = samples.map(({ loopDelay }) => loopDelay);
  return {
    perSecond,
    seconds,
    answered: answered.length,
    shed: shed.length,
    latency: { p50: at(answered, 0.5), p99: at(answered, 0.99), p999: at(answered, 0.999), max: answered.at(-1) ?? 0 },
    shedLatency: { p50: at(shed, 0.5), p99: at(shed, 0.99) },
    megabytes: {
      start: sizes[0] ?? 0,
      middle: sizes[Math.floor(sizes.length / 2)] ?? 0,
      end: sizes.at(-1) ?? 0,
      growthPerMinute: growthOf(samples),
    },
    loopDelay: {
      mean: delays.reduce((sum, { mean }) => sum + mean, 0) / Math.max(delays.length, 1),
      max: Math.max(0, ...delays.map(({ max }) => max)),
    },
    faults: Object.fromEntries(faults),
  };
}

const ordersAtOnce = 50;
const pauseMilliseconds = 10_000;
let rounds = 0;

/** Sends orders and clicks in small files, one after the other, until it closes. */
class Shop {
  readonly #affiliate: Installation['affiliate'];
  readonly #store: Installation['store'];
  #working: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(affiliate: Installation['affiliate'], store: Installation['store']) {
    this.#affiliate = affiliate;
    this.#store = store;
  }

  open(): void {
    const send = async (): Promise<void> => {
      rounds += 1;
      await this.#affiliate(['import', '-'], asText(newLines(this.#store, rounds, ordersAtOnce)));
    };
    const takeTurn = (): void => void (this.#working = this.#working.then(send));
    takeTurn();
    this.#timer = setInterval(takeTurn, pauseMilliseconds);
  }

  /** @throws where an import failed. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#working;
  }
}
