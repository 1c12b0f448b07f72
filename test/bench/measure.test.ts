import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { compare, interleave, isValid, type Sampler } from '../../scripts/bench/measure.ts';
import { medianInterval } from '../../scripts/bench/statistics.ts';
import { cpuTimer } from '../../scripts/shared/machine.ts';
import { run } from '../../scripts/shared/processes.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const samples = (values: number[]) => values.map((value) => ({ value }));

describe('The statistics of the bench', () => {
  // Ranks of the sign test, as textbooks tabulate them.
  for (const [count, low, high] of [
    [6, 1, 6],
    [9, 2, 8],
    [10, 2, 9],
    [20, 6, 15],
    [40, 14, 27],
  ] as const)
    it(`have the values of rank ${low} and ${high} of ${count} as the 95 % interval of their median`, () => {
      expect(medianInterval(upTo(count).toReversed())).to.deep.equal({ median: (count + 1) / 2, low, high });
    });

  it('have no interval for fewer than six values', () => {
    expect(isValid({ service: samples([1, 1, 1, 1, 1]) })).to.equal(false);
  });

  it('divide neighbours, so that a machine that slows both down changes nothing', () => {
    const load = [1, 1, 5, 3, 1, 8];
    const series = { service: samples(load.map((factor) => 60 * factor)), fastify: samples(load.map((factor) => 100 * factor)) };
    expect(compare(series, 'fastify')).to.deep.equal({ median: 0.6, low: 0.6, high: 0.6 });
    expect(isValid(series)).to.equal(true);
  });

  it('call a row valid when each of its comparisons is known to a tenth', () => {
    const steady = samples(upTo(20).map(() => 1));
    const within = (reach: number) => samples(upTo(20).map((n) => 1 + (n % 2 === 0 ? reach : 0)));
    expect(isValid({ service: within(0.09), floor: steady })).to.equal(true);
    expect(isValid({ service: within(0.5), floor: steady })).to.equal(false);
    expect(isValid({ service: steady, floor: steady, before: within(0.5) })).to.equal(false);
  });
});

describe('Interleaved measurement', () => {
  const samplerOf = (target: Sampler['target'], log: string[], values: (round: number) => number | null): Sampler => ({
    target,
    sample: async (round) => {
      log.push(`${target} ${round}`);
      const value = values(round);
      return value === null ? null : { value };
    },
    close: () => void log.push(`close ${target}`),
  });
  const roundsOf = async (values: (round: number) => number | null, least: number, most: number, limitMs = 60_000) => {
    const series = await interleave([samplerOf('floor', [], () => 1), samplerOf('service', [], values)], { least, most, limitMs });
    return [series.floor?.length, series.service?.length];
  };

  it('measures each target once in every round, and every other round backwards', async () => {
    const log: string[] = [];
    const series = await interleave([samplerOf('floor', log, () => 1), samplerOf('service', log, () => 2)], {
      least: 2,
      most: 2,
      limitMs: 0,
    });
    expect(log).to.deep.equal(['floor 0', 'service 0', 'service 1', 'floor 1', 'close floor', 'close service']);
    expect(series).to.deep.equal({ floor: samples([1, 1]), service: samples([2, 2]) });
  });

  it('adds rounds until the interval is narrow enough, or there are too many', async () => {
    const [rounds] = await roundsOf((round) => [1, 2, 1, 2, 1, 2][round] ?? 1.5, 6, 100);
    expect(rounds).to.be.within(7, 20);
    expect(await roundsOf((round) => 1 + (round % 3), 6, 12)).to.deep.equal([12, 12]);
  });

  it('ends a row that takes too long with enough rounds for an interval, and before a round that one target cannot complete', async () => {
    expect(await roundsOf(() => 1, 40, 120, 0)).to.deep.equal([6, 6]);
    expect(await roundsOf((round) => (round < 3 ? 1 : null), 6, 12)).to.deep.equal([3, 3]);
  });

  it('closes its targets when one of them fails', async () => {
    const log: string[] = [];
    const failing: Sampler = { target: 'service', sample: () => Promise.reject(new Error('503')), close: () => void log.push('closed') };
    const failure = await interleave([failing], { least: 6, most: 12, limitMs: 0 }).catch((error: Error) => error);
    expect([String(failure), log]).to.deep.equal(['Error: 503', ['closed']]);
  });
});

describe('The CPU time that the bench measures', () => {
  // Works as many milliseconds as a message says; for a text, in a child process that ends.
  const spin = `
    const report = 'const { user, system } = process.cpuUsage(); process.stdout.write(String(user + system))';
    const work = (milliseconds) => { for (const until = Date.now() + milliseconds; Date.now() < until; ); };
    process.on('message', (milliseconds) => {
      if (typeof milliseconds === 'string')
        return process.send(Number(require('node:child_process').execFileSync(process.execPath, ['-e', \`(\${work})(\${milliseconds});\${report}\`])));
      const before = process.cpuUsage();
      work(milliseconds);
      const { user, system } = process.cpuUsage(before);
      process.send(user + system);
    });`;
  let child: ChildProcess | undefined;
  afterEach(() => void child?.kill());

  it('of a running server is exact enough for a slice, and counts processes that have ended', async function () {
    if (!existsSync('/proc/self/task')) return this.skip();
    child = spawn(process.execPath, ['-e', spin], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const work = async (milliseconds: number | string): Promise<number> => {
      child?.send(milliseconds);
      const [micros] = (await once(child as ChildProcess, 'message')) as [number];
      await pause(50);
      return micros;
    };
    await work(1);
    const timer = cpuTimer(child.pid ?? 0);
    const own = await work(250);
    expect(timer()).to.be.closeTo(own, 15_000);
    expect(timer() + (await work('250'))).to.be.closeTo(timer(), 60_000);
  });

  it('of a command that has ended is reported beside its output', async () => {
    const { out, cpuMicros } = await run({ args: ['-e', "console.log('done')"], env: {} });
    expect(out).to.equal('done\n');
    expect(cpuMicros).to.be.within(5_000, 5_000_000);
  });
});
