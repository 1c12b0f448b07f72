import type { Engine, SizeName } from '../dataset/sizes.ts';
import { compare, isValid, type Metric, type Run, rowsOf, type Series } from '../results.ts';
import { median } from '../statistics.ts';
import type { TargetName } from '../targets.ts';
import { formatNumber, type Table } from './tables.ts';

export interface Aim {
  title: string;
  atLeast: number;
  aim: number;
  unit: ' ×' | ' ms' | ' MB' | '/s';
  isMoreBetter: boolean;
  /** Undefined where this run has not measured it. */
  value(results: Results): number | undefined;
}

/** Looks values of a run up, and notes whether an invalid row is among them. */
class Results {
  readonly #rows: Series[][];
  isValid = true;

  constructor({ series }: Run) {
    this.#rows = rowsOf(series);
  }

  #find(row: string, size: SizeName | undefined, engine: Engine, target: TargetName): [Series, Series] | undefined {
    const found = this.#rows.find(([first]) => first?.row === row && first.engine === engine && (!size || first.size === size));
    const service = found?.find((each) => each.target === 'service');
    const other = found?.find((each) => each.target === target);
    if (!found || !service || !other) return undefined;
    this.isValid &&= isValid(found);
    return [service, other];
  }

  /** How many times the CPU time of the service the target needs. */
  cheaper(row: string, target: TargetName, size: SizeName = '1k', engine: Engine = 'sqlite'): number | undefined {
    const pair = this.#find(row, size, engine, target);
    return pair && 1 / compare(...pair, 'cpuMicros').median;
  }

  /** Growth of the CPU time from the smallest to the largest data set, both in units of their floor. */
  growth(rows: string[], engine: Engine = 'sqlite'): number | undefined {
    const growths = rows.map((row) => {
      const [small, large] = (['1k', '2m'] as const).map((size) => this.cheaper(row, 'floor', size, engine));
      return small !== undefined && large !== undefined ? small / large : undefined;
    });
    const measured = growths.filter((growth) => growth !== undefined);
    return measured.length === 0 ? undefined : Math.max(...measured);
  }

  median(row: string, metric: Metric): number | undefined {
    const samples = this.#find(row, undefined, 'sqlite', 'service')?.[0].values[metric];
    return samples && median(samples);
  }
}

const ratio = { unit: ' ×', isMoreBetter: true } as const;
const growth = { unit: ' ×', isMoreBetter: false, atLeast: 3, aim: 1.5 } as const;

/** On SQLite, one process; CPU time where nothing else is said. */
export const aims: readonly Aim[] = [
  { ...ratio, title: 'one coupon, repeated, against Fastify', atLeast: 1.2, aim: 1.5, value: (it) => it.cheaper('coupon', 'fastify') },
  { ...ratio, title: '… over one connection', atLeast: 1.2, aim: 1.5, value: (it) => it.cheaper('coupon-alone', 'fastify') },
  { ...ratio, title: '… against Express + TypeORM', atLeast: 8, aim: 11, value: (it) => it.cheaper('coupon', 'express') },
  {
    ...ratio,
    title: 'one coupon, uncached, against Fastify',
    atLeast: 0.8,
    aim: 1.1,
    value: (it) => it.cheaper('coupon-unseen', 'fastify'),
  },
  {
    ...ratio,
    title: '100 orders, first page at 1 k, against Fastify',
    atLeast: 1.2,
    aim: 2,
    value: (it) => it.cheaper('orders', 'fastify-offset'),
  },
  {
    ...ratio,
    title: 'last page of 2 M orders, against Fastify with count and OFFSET',
    atLeast: 20,
    aim: 50,
    value: (it) => it.cheaper('orders-last', 'fastify-offset', '2m'),
  },
  {
    ...growth,
    title: 'pages of orders, 2 M against 1 k',
    value: (it) => it.growth(['orders', 'orders-middle', 'orders-last', 'orders-range-last']),
  },
  { ...growth, title: 'statistics, 2 M against 1 k', value: (it) => it.growth(['stats', 'stats-range', 'affiliate-stats']) },
  { ...growth, title: 'reports, 2 M against 1 k', value: (it) => it.growth(['report', 'report-fresh', 'report-range']) },
  { ...growth, title: 'change feed, 5 M events against 2.5 k', value: (it) => it.growth(['feed']) },
  {
    ...ratio,
    title: 'order ingest, durable, against a TypeORM transaction per order',
    atLeast: 4,
    aim: 13,
    value: (it) => it.cheaper('ingest', 'typeorm', '100k'),
  },
  {
    title: 'import, orders per second',
    atLeast: 15_000,
    aim: 30_000,
    unit: '/s',
    isMoreBetter: true,
    value: (it) => it.median('import', 'perSecond'),
  },
  {
    title: 'POST /payouts, CPU',
    atLeast: 1.5,
    aim: 1,
    unit: ' ms',
    isMoreBetter: false,
    value: (it) => inMs(it.median('request-payout', 'cpuMicros')),
  },
  {
    title: 'longest wait during a rebuild',
    atLeast: 20,
    aim: 5,
    unit: ' ms',
    isMoreBetter: false,
    value: (it) => it.median('rebuild', 'waitMs'),
  },
  { title: 'start to listening', atLeast: 800, aim: 600, unit: ' ms', isMoreBetter: false, value: (it) => it.median('start', 'startMs') },
  { title: 'idle memory', atLeast: 110, aim: 100, unit: ' MB', isMoreBetter: false, value: (it) => it.median('start', 'idleMegabytes') },
];

const inMs = (micros: number | undefined): number | undefined => micros && micros / 1000;

function verdictOf({ atLeast, aim, isMoreBetter }: Aim, value: number, isValid: boolean): string {
  const reaches = (bound: number): boolean => (isMoreBetter ? value >= bound : value <= bound);
  const verdict = reaches(aim) ? 'aim reached' : reaches(atLeast) ? 'reached' : 'missed';
  return isValid ? verdict : `${verdict} (invalid)`;
}

export function aimTable(run: Run): Table {
  const lines = aims.map((aim) => {
    const results = new Results(run);
    const value = aim.value(results);
    const format = (amount: number): string => `${formatNumber(amount)}${aim.unit}`;
    const bound = (amount: number): string => `${aim.isMoreBetter ? '≥' : '≤'} ${format(amount)}`;
    const outcome = value === undefined ? ['–', 'not measured'] : [format(value), verdictOf(aim, value, results.isValid)];
    return [aim.title, bound(aim.atLeast), bound(aim.aim), ...outcome];
  });
  return [['what', 'at least', 'aim', 'this run', ''], ...lines];
}
