import { expect } from 'chai';
import { interleave, type Sampler } from '../../scripts/bench/results.ts';
import { isNarrow, median, medianInterval, pairedRatios, percentile, widthOf } from '../../scripts/bench/statistics.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('The statistics of the bench', () => {
  it('have the middle value, or the mean of the two in the middle, as median', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([7])]).to.deep.equal([2, 2.5, 7]);
    expect(Number.isNaN(median([]))).to.equal(true);
  });

  it('have percentiles by rank', () => {
    expect([percentile(upTo(100), 0.5), percentile(upTo(100), 0.99), percentile([7], 0.99), percentile([9, 1], 0.01)]).to.deep.equal([
      50, 99, 7, 1,
    ]);
  });

  // Ranks of the sign test, as textbooks tabulate them.
  for (const [count, low, high] of [
    [6, 1, 6],
    [9, 2, 8],
    [10, 2, 9],
    [20, 6, 15],
    [40, 14, 27],
    [80, 31, 50],
  ] as const)
    it(`have the values of rank ${low} and ${high} of ${count} as the 95 % interval of their median`, () => {
      expect(medianInterval(upTo(count).toReversed())).to.deep.equal({ median: (count + 1) / 2, low, high });
    });

  it('have no interval for fewer than six values, so that they are never narrow', () => {
    const interval = medianInterval([1, 1, 1, 1, 1]);
    expect(interval).to.deep.equal({ median: 1, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY });
    expect([isNarrow(interval), isNarrow(medianInterval([]))]).to.deep.equal([false, false]);
  });

  it('contain the true median in about 95 of 100 samples of a skewed distribution', () => {
    let state = 42;
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const hits = upTo(2000).filter(() => {
      const { low, high } = medianInterval(upTo(40).map(() => -Math.log(random())));
      return low <= Math.LN2 && Math.LN2 <= high;
    });
    expect(hits.length / 2000).to.be.within(0.94, 0.98);
  });

  it('call an interval narrow when its further end is at most a tenth away from the median', () => {
    expect(widthOf({ median: 2, low: 1.9, high: 2.1 })).to.be.closeTo(0.05, 1e-9);
    expect([
      isNarrow({ median: 1, low: 0.91, high: 1.09 }),
      isNarrow({ median: 1, low: 0.85, high: 1.01 }),
      isNarrow({ median: 1, low: 0.99, high: 1.15 }),
    ]).to.deep.equal([true, false, false]);
  });

  it('divide neighbours, so that a machine that slows both down changes nothing', () => {
    const load = [1, 1, 5, 3, 1, 8];
    const ratios = pairedRatios(
      load.map((factor) => 60 * factor),
      load.map((factor) => 100 * factor),
    );
    expect(ratios.map((ratio) => ratio.toFixed(2))).to.deep.equal(load.map(() => '0.60'));
    expect(pairedRatios([1, 2, 3], [1, 2])).to.deep.equal([1, 1]);
  });
});

describe('Interleaved measurement', () => {
  const key = { row: 'coupon', engine: 'sqlite', size: '1k' } as const;
  const samplerOf = (target: Sampler['target'], log: string[], values: (round: number) => number | null): Sampler => ({
    target,
    sample: async (round) => {
      log.push(`${target} ${round}`);
      const value = values(round);
      return value === null ? null : { cpuMicros: value };
    },
    close: () => void log.push(`close ${target}`),
  });

  it('measures each target once in every round, and every other round backwards', async () => {
    const log: string[] = [];
    const samplers = [samplerOf('floor', log, () => 1), samplerOf('service', log, () => 2)];
    const row = await interleave(key, samplers, { least: 2, most: 2 });
    expect(log).to.deep.equal(['floor 0', 'service 0', 'service 1', 'floor 1', 'close floor', 'close service']);
    expect(row).to.deep.equal([
      { ...key, target: 'floor', values: { cpuMicros: [1, 1] } },
      { ...key, target: 'service', values: { cpuMicros: [2, 2] } },
    ]);
  });

  it('adds rounds until the interval is narrow enough', async () => {
    const noise = [1, 2, 1, 2, 1, 2, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5];
    const samplers = [samplerOf('floor', [], () => 1), samplerOf('service', [], (round) => noise[round] ?? 1.5)];
    const [floor] = await interleave(key, samplers, { least: 6, most: 100 });
    expect(floor?.values.cpuMicros?.length).to.be.within(7, 20);
  });

  it('ends after the most rounds when the interval stays wide', async () => {
    const samplers = [samplerOf('floor', [], () => 1), samplerOf('service', [], (round) => 1 + (round % 3))];
    const [floor] = await interleave(key, samplers, { least: 6, most: 12 });
    expect(floor?.values.cpuMicros).to.have.length(12);
  });

  it('ends a row that takes too long, with enough rounds for an interval', async () => {
    const samplers = [samplerOf('floor', [], () => 1), samplerOf('service', [], () => 1)];
    const [floor] = await interleave(key, samplers, { least: 40, most: 120, limitMs: 0 });
    expect(floor?.values.cpuMicros).to.have.length(10);
  });

  it('drops a round that one target cannot complete, so that all have equally many samples', async () => {
    const samplers = [samplerOf('floor', [], () => 1), samplerOf('service', [], (round) => (round < 3 ? 1 : null))];
    const row = await interleave(key, samplers, { least: 6, most: 12 });
    expect(row.map(({ values }) => values.cpuMicros?.length)).to.deep.equal([3, 3]);
  });

  it('takes a sample again during which the hypervisor gave the cores to others, until its patience ends', async () => {
    const keptOf = async (stolen: (sample: number) => number, patienceMs: number) => {
      let watched = 0;
      const watchSteal = () => {
        const part = stolen(watched++);
        return () => part;
      };
      const samplers = [samplerOf('floor', [], (attempt) => attempt), samplerOf('service', [], (attempt) => attempt)];
      let waits = 0;
      const onWait = () => void (waits += 1);
      const calm = { toleratedSteal: 0.05, watchSteal, pauseMs: 1, onWait };
      const row = await interleave(key, samplers, { least: 2, most: 2, patienceMs }, calm);
      expect(waits, 'messages').to.equal(patienceMs > 0 ? 1 : 0);
      return row.map(({ values }) => values.cpuMicros);
    };
    expect(await keptOf((sample) => (sample === 1 || sample === 2 ? 0.06 : 0.05), 10_000)).to.deep.equal([
      [0, 1],
      [2, 3],
    ]);
    expect(await keptOf(() => 1, 0), 'without patience').to.deep.equal([
      [0, 1],
      [0, 1],
    ]);
  });

  it('closes its targets when one of them fails', async () => {
    const log: string[] = [];
    const failing: Sampler = { target: 'service', sample: () => Promise.reject(new Error('503')), close: () => void log.push('closed') };
    const failure = await interleave(key, [failing], { least: 6, most: 12 }).catch((error: Error) => error);
    expect([String(failure), log]).to.deep.equal(['Error: 503', ['closed']]);
  });
});
