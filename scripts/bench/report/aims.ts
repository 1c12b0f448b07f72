import type { Engine, SizeName } from '../dataset/sizes.ts';
import { compare, isValid, type Metric, type Run, rowsOf, type Series, totalCpu } from '../results.ts';
import { type ConfidenceInterval, median, medianInterval, pairedRatios } from '../statistics.ts';
import type { TargetName } from '../targets.ts';
import { formatNumber, type Table } from './tables.ts';

const inverse = ({ median, low, high }: ConfidenceInterval): ConfidenceInterval => ({ median: 1 / median, low: 1 / high, high: 1 / low });

/** Finds values of a run on one database, and notes whether an invalid row is among them. */
class Results {
  readonly #rows: Series[][];
  isValid = true;

  constructor({ series }: Run, engine: Engine) {
    this.#rows = rowsOf(series.filter((each) => each.engine === engine));
  }

  #find(row: string, target: TargetName, size?: SizeName): [Series, Series] | undefined {
    const found = this.#rows.find(([first]) => first?.row === row && (!size || first.size === size)) ?? [];
    const [service, other] = (['service', target] as const).map((name) => found.find((each) => each.target === name));
    if (!service || !other) return undefined;
    this.isValid &&= isValid(found);
    return [service, other];
  }

  /** CPU time of the target divided by that of the service. */
  cheaper(row: string, target: TargetName, size: SizeName = '1k'): ConfidenceInterval | undefined {
    const pair = this.#find(row, target, size);
    return pair && inverse(compare(...pair, 'cpuMicros'));
  }

  /** Throughput of the service divided by that of the target. */
  faster(row: string, target: TargetName, size: SizeName = '1k'): ConfidenceInterval | undefined {
    const pair = this.#find(row, target, size);
    return pair && compare(...pair, 'perSecond');
  }

  /** A duration of the service divided by that of the target. */
  slower(row: string, target: TargetName, metric: Metric): ConfidenceInterval | undefined {
    const pair = this.#find(row, target);
    return pair && compare(...pair, metric);
  }

  /** The largest growth of the CPU time of these rows, with that of the database, from 1 k to 2 M orders, each in units of its floor. Without an interval: the sizes are not measured in the same rounds. */
  growth(...rows: string[]): ConfidenceInterval | undefined {
    const inFloors = (row: string, size: SizeName): number => {
      const pair = this.#find(row, 'floor', size);
      return pair ? median(pairedRatios(totalCpu(pair[0]), totalCpu(pair[1]))) : Number.NaN;
    };
    const growths = rows.map((row) => inFloors(row, '2m') / inFloors(row, '1k'));
    const measured = growths.filter((growth) => !Number.isNaN(growth));
    const largest = Math.max(...measured);
    return measured.length === 0 ? undefined : { median: largest, low: largest, high: largest };
  }

  median(row: string, metric: Metric): ConfidenceInterval | undefined {
    const samples = this.#find(row, 'service')?.[0].values[metric];
    return samples && medianInterval(samples);
  }
}

/** More is better from `≥`, less from `≤`. */
type Bound = '≥' | '≤';
type Aim = [
  title: string,
  bound: Bound,
  atLeast: number,
  aim: number,
  unit: string,
  value: (results: Results) => ConfidenceInterval | undefined,
];

const longestWait = 'longest wait during a rebuild';
const longestBlock = 'longest block of the event loop by one request';

const sqliteAims: readonly Aim[] = [
  ['one coupon, repeated, against Fastify', '≥', 1.2, 1.5, ' ×', (run) => run.cheaper('coupon', 'fastify')],
  ['… over one connection', '≥', 1.2, 1.5, ' ×', (run) => run.cheaper('coupon-alone', 'fastify')],
  ['… against Express + TypeORM', '≥', 8, 11, ' ×', (run) => run.cheaper('coupon', 'express')],
  ['one coupon, uncached, against Fastify', '≥', 0.8, 1.1, ' ×', (run) => run.cheaper('coupon-unseen', 'fastify')],
  ['100 orders, first page at 1 k, against Fastify', '≥', 1.2, 2, ' ×', (run) => run.cheaper('orders', 'fastify')],
  ['last page of 2 M orders, against Fastify with OFFSET', '≥', 20, 50, ' ×', (run) => run.cheaper('orders-last', 'fastify', '2m')],
  [
    'pages of orders, 2 M against 1 k',
    '≤',
    3,
    1.5,
    ' ×',
    (run) => run.growth('orders', 'orders-middle', 'orders-last', 'orders-range-last'),
  ],
  ['statistics, 2 M against 1 k', '≤', 3, 1.5, ' ×', (run) => run.growth('stats', 'stats-range', 'affiliate-stats')],
  ['reports, 2 M against 1 k', '≤', 3, 1.5, ' ×', (run) => run.growth('report', 'report-fresh', 'report-range')],
  ['clicks, 5 M against 2.5 k', '≤', 3, 1.5, ' ×', (run) => run.growth('clicks-range')],
  ['change feed, 5 M events against 2.5 k', '≤', 3, 1.5, ' ×', (run) => run.growth('feed')],
  ['order ingest, against a TypeORM transaction per order', '≥', 4, 13, ' ×', (run) => run.cheaper('ingest', 'typeorm', '100k')],
  ['signed order webhooks, orders per second', '≥', 1500, 3000, '/s', (run) => run.median('store-webhook', 'perSecond')],
  ['… against Fastify, one transaction per order', '≥', 1, 2, ' ×', (run) => run.cheaper('store-webhook', 'fastify-store')],
  ['referral link, throughput against the floor', '≥', 0.5, 0.7, ' ×', (run) => run.faster('redirect', 'floor')],
  ['import, orders per second', '≥', 15_000, 30_000, '/s', (run) => run.median('import', 'perSecond')],
  ['POST /payouts', '≤', 1500, 1000, ' µs', (run) => run.median('request-payout', 'cpuMicros')],
  [longestWait, '≤', 20, 5, ' ms', (run) => run.median('rebuild', 'waitMs')],
  [longestBlock, '≤', 50, 20, ' ms', (run) => run.median('block', 'blockMs')],
  ['start to listening', '≤', 800, 600, ' ms', (run) => run.median('start', 'startMs')],
  ['console to its first chart', '≤', 1000, 500, ' ms', (run) => run.median('console', 'pageMs')],
  ['… in times of the reference page', '≤', 1, 0.75, ' ×', (run) => run.slower('console', 'docs', 'pageMs')],
  ['idle memory', '≤', 110, 100, ' MB', (run) => run.median('start', 'idleMegabytes')],
];

const payoutsAtOnce = 'payout requests of different coupons, 16 at a time,';

const postgresAims: readonly Aim[] = [
  ['one coupon, against Fastify + pg', '≥', 1, 1.3, ' ×', (run) => run.cheaper('coupon', 'fastify-pg')],
  ['one coupon, CPU of four processes against one', '≤', 1.1, 1, ' ×', (run) => run.cheaper('coupon', 'service-4')],
  [`${payoutsAtOnce} CPU against the former code`, '≥', 4, 8, ' ×', (run) => run.cheaper('request-payout', 'before')],
  [`${payoutsAtOnce} throughput against the former code`, '≥', 4, 8, ' ×', (run) => run.faster('request-payout', 'before')],
  ['statistics, 2 M against 1 k', '≤', 3, 1.5, ' ×', (run) => run.growth('stats', 'stats-range', 'affiliate-stats')],
  ['reports, 2 M against 1 k', '≤', 3, 1.5, ' ×', (run) => run.growth('report', 'report-fresh', 'report-range')],
  ['clicks, 5 M against 2.5 k', '≤', 3, 1.5, ' ×', (run) => run.growth('clicks-range')],
  [longestWait, '≤', 20, 5, ' ms', (run) => run.median('rebuild', 'waitMs')],
  [longestBlock, '≤', 50, 20, ' ms', (run) => run.median('block', 'blockMs')],
];

const aims: readonly [Engine, string, Aim][] = [
  ...sqliteAims.map((aim): [Engine, string, Aim] => ['sqlite', '', aim]),
  ...postgresAims.map((aim): [Engine, string, Aim] => ['postgres', 'PostgreSQL: ', aim]),
];

/** What the whole interval reaches, in a valid row, is reached; what its median does not is missed. */
function verdictOf(bound: Bound, atLeast: number, aim: number, { median, low, high }: ConfidenceInterval, isValid: boolean): string {
  const reaches = (value: number, limit: number): boolean => (bound === '≥' ? value >= limit : value <= limit);
  const worst = bound === '≥' ? low : high;
  if (!reaches(median, atLeast)) return 'missed';
  if (!isValid || !reaches(worst, atLeast)) return 'not decided';
  return reaches(worst, aim) ? 'aim reached' : 'reached';
}

export const aimTable = (run: Run): Table => [
  ['what', 'at least', 'aim', 'this run', ''],
  ...aims.map(([engine, prefix, [name, bound, atLeast, aim, unit, valueOf]]) => {
    const results = new Results(run, engine);
    const value = valueOf(results);
    const title = `${prefix}${name}`;
    const format = (amount: number): string => `${formatNumber(amount)}${unit}`;
    const limits = [`${bound} ${format(atLeast)}`, `${bound} ${format(aim)}`];
    if (value === undefined) return [title, ...limits, '–', 'not measured'];
    const verdict = verdictOf(bound, atLeast, aim, value, results.isValid);
    return [title, ...limits, format(value.median), results.isValid ? verdict : `${verdict} (invalid)`];
  }),
];
