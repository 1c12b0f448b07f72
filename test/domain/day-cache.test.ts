import { expect } from 'chai';
import { DayCache } from '../../domain/reports/day-cache.ts';
import { DenseIndex } from '../../domain/reports/dense-index.ts';
import type { ReportRepository, SalesDay } from '../../domain/reports/repository.ts';

const dayAt = (index: number): string => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);

/** A year, each day of which so many coupons sold something on. */
const year = (coupons: number): SalesDay[] => Array.from({ length: 365 }, (_, index) => ({ day: dayAt(index), version: '1', coupons }));

/** Answers for any day, and notes which days it was asked for. */
function storeOf(coupons: number, isReady: () => Promise<void> = async () => {}) {
  const asked: string[][] = [];
  const earnings: ReportRepository['earnings'] = async (days) => {
    asked.push([...days]);
    await isReady();
    return days.flatMap((day) => Array.from({ length: coupons }, (_, at) => ({ day, couponId: at + 1, commission: 1 })));
  };
  const earningsAfter: ReportRepository['earningsAfter'] = async (day, couponId, limit) => {
    asked.push([`${day} after ${couponId}`]);
    return Array.from({ length: Math.min(limit, coupons - couponId) }, (_, at) => ({ day, couponId: couponId + at + 1, commission: 1 }));
  };
  return { asked, store: { earnings, earningsAfter } as ReportRepository };
}

const rows = (days: string[][], coupons: number): number[] => days.map(({ length }) => length * coupons);
const sum = (numbers: number[]): number => numbers.reduce((one, other) => one + other, 0);

describe('DayCache', () => {
  it('loads some days at a time, the newest first, until all are cached', async () => {
    const { asked, store } = storeOf(1000);
    const kept = new DayCache(new DenseIndex());
    let questions = 1;
    while (!(await kept.get(year(1000), store))) questions += 1;
    expect(questions).to.equal(10);
    expect(asked.flat()).to.deep.equal(
      year(1000)
        .map(({ day }) => day)
        .toReversed(),
    );
    expect(Math.max(...rows(asked, 1000))).to.equal(10_000);
    expect(await kept.get(year(1000), storeOf(0).store)).to.have.length(365);
  });

  it('loads a day that exceeds the batch size in parts', async () => {
    const { asked, store } = storeOf(25_000);
    const cache = new DayCache(new DenseIndex());
    const [loaded] = (await cache.get(year(25_000).slice(0, 1), store)) ?? [];
    expect(asked.flat()).to.deep.equal(['2026-01-01 after 0', '2026-01-01 after 10000', '2026-01-01 after 20000']);
    expect(loaded?.sellers.length).to.equal(25_000);
    asked.length = 0;
    expect(await cache.get(year(25_000).slice(1, 11), store), 'more than one report may load').to.equal(undefined);
    expect(asked.flat().every((day) => day.startsWith('2026-01-11'))).to.equal(true);
  });

  it('loads nothing where the days exceed its capacity', async () => {
    const { asked, store } = storeOf(10);
    expect(await new DayCache(new DenseIndex(), 3649).get(year(10), store)).to.equal(undefined);
    expect(asked).to.deep.equal([]);
    expect(await new DayCache(new DenseIndex(), 3650).get(year(10), store)).to.have.length(365);
  });

  it('evicts the least recently used days', async () => {
    const { asked, store } = storeOf(10);
    const kept = new DayCache(new DenseIndex(), 100);
    const [first, second, third] = [year(10).slice(0, 5), year(10).slice(5, 10), year(10).slice(10, 15)];
    for (const days of [first, second, first, third]) await kept.get(days, store);
    asked.length = 0;
    await kept.get(first, store);
    expect(asked).to.deep.equal([]);
    await kept.get(second, store);
    expect(asked.flat()).to.have.length(5);
  });

  it('loads each day once for concurrent reports', async () => {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { asked, store } = storeOf(1000, () => opened);
    const kept = new DayCache(new DenseIndex());
    const questions = [1, 2, 3].map(() => kept.get(year(1000), store));
    open();
    await Promise.all(questions);
    const days = asked.flat();
    expect(new Set(days).size).to.equal(days.length);
    expect(sum(rows(asked, 1000))).to.be.at.most(120_000);
  });

  it('loads a few changed days in each report, so that none is left without them', async () => {
    const { asked, store } = storeOf(10);
    const kept = new DayCache(new DenseIndex());
    await kept.get(year(10), store);
    asked.length = 0;
    const changed = year(10).map((day, index) => (index === 364 ? { ...day, version: '2' } : day));
    const answers = await Promise.all([1, 2, 3].map(() => kept.get(changed, store)));
    for (const answer of answers) expect(answer).to.have.length(365);
    expect(asked).to.deep.equal([['2026-12-31'], ['2026-12-31'], ['2026-12-31']]);
  });

  it('loads days in the next report after a failure', async () => {
    const kept = new DayCache(new DenseIndex());
    const failing = { earnings: async () => Promise.reject(new Error('The connection was cut.')) } as unknown as ReportRepository;
    const failure = await kept.get(year(1000), failing).catch(String);
    expect(failure).to.equal('Error: The connection was cut.');
    const { asked, store } = storeOf(1000);
    await kept.get(year(1000), store);
    expect(asked[0]?.[0]).to.equal('2026-12-31');
  });
});
