import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { cpuMicrosOf, cpuTimer } from '../../scripts/bench/machine.ts';
import { type BenchOptions, optionsFrom } from '../../scripts/bench/options.ts';
import { countRows, estimateSeconds, planParts } from '../../scripts/bench/plan.ts';
import { run, temporaryFolder } from '../../scripts/bench/processes.ts';
import type { Series } from '../../scripts/bench/results.ts';
import { checkoutAt, furtherTargets, type RowTargets } from '../../scripts/bench/targets.ts';
import { UsageError } from '../../scripts/shared/usage.ts';

describe('A checkout that the bench measures', () => {
  function checkoutWith(command: string, isBuilt: boolean): string {
    const folder = temporaryFolder();
    const scripts = { start: `node --max-semi-space-size=32 ${command} serve` };
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ bin: { affiliate: command }, scripts }));
    if (isBuilt) mkdirSync(path.join(folder, command), { recursive: true });
    return folder;
  }

  for (const command of ['dist/scripts/affiliate.js', 'dist/cli/affiliate.js'])
    it(`is started as its own package.json says, with ${command} as entry point`, () => {
      const folder = checkoutWith(command, true);
      const checkout = checkoutAt(folder);
      expect([checkout.command, checkout.start]).to.deep.equal([
        path.join(folder, command),
        ['--max-semi-space-size=32', command, 'serve'],
      ]);
    });

  it('must be built, and the error says how', () => {
    const folder = checkoutWith('dist/cli/affiliate.js', false);
    expect(() => checkoutAt(folder)).to.throw(`affiliate.js is missing: run npm run build in ${folder}.`);
  });
});

describe('The targets of a row', () => {
  it('are the peers on the database of the row, and on PostgreSQL at 1k orders also as four processes', () => {
    const both = { peers: ['fastify', 'express'], onFourProcesses: true } satisfies RowTargets;
    expect(furtherTargets('sqlite', '1k', both)).to.deep.equal(['fastify', 'express']);
    expect(furtherTargets('postgres', '1k', { peers: ['fastify', 'fastify-store'] })).to.deep.equal(['fastify-pg']);
    expect(furtherTargets('postgres', '1k', both)).to.have.members([
      ...['fastify-pg', 'fastify-pg-4', 'express-pg', 'express-pg-4', 'service-4'],
    ]);
    expect(furtherTargets('postgres', '2m', both)).to.have.members(['fastify-pg', 'express-pg']);
  });
});

describe('The CPU time that the bench measures', () => {
  const spin = `
    process.on('message', (milliseconds) => {
      const before = process.cpuUsage();
      for (const until = Date.now() + milliseconds; Date.now() < until; );
      const { user, system } = process.cpuUsage(before);
      process.send(user + system);
    });`;
  let child: ChildProcess | undefined;
  afterEach(() => void child?.kill());

  it('of a running server is exact enough for a slice of 250 ms', async function () {
    if (!existsSync('/proc/self/task')) return this.skip();
    child = spawn(process.execPath, ['-e', spin], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const pid = child.pid ?? 0;
    const work = async (milliseconds: number): Promise<number> => {
      child?.send(milliseconds);
      const [micros] = (await once(child as ChildProcess, 'message')) as [number];
      await pause(50);
      return micros;
    };
    await work(1);
    const before = cpuMicrosOf(pid) ?? 0;
    const timer = cpuTimer(pid);
    const reported = await work(250);
    expect((cpuMicrosOf(pid) ?? 0) - before).to.be.closeTo(reported, 15_000);
    expect(timer()).to.be.closeTo(reported, 15_000);
    child.kill();
    await once(child, 'exit');
    expect(timer(), 'of a process that has ended').to.equal(0);
  });

  it('of a command that has ended is reported beside its output', async () => {
    const { out, cpuMicros } = await run({ args: ['-e', "console.log('done')"], env: {} });
    expect(out).to.equal('done\n');
    expect(cpuMicros).to.be.within(5_000, 5_000_000);
  });
});

describe('The options of the bench', () => {
  it('measure everything in 40 rounds of 250 ms by default, and write the page', () => {
    const options = optionsFrom([]);
    expect(options).to.deep.include({ rounds: 40, seconds: 0.25, writesDocs: true, builds: true, sizes: ['1k', '100k', '2m'] });
    expect(options).to.deep.include({ startsNew: true });
    expect(options).not.to.have.property('against');
  });

  it('measure single rows against another checkout, without writing the page', () => {
    const options = optionsFrom(['--row', 'coupon', '--row', 'coupon-alone', '--against', '../before', '--no-build']);
    const expected = { rows: ['coupon', 'coupon-alone'], against: '../before', writesDocs: false, builds: false };
    expect(options).to.deep.include(expected);
  });

  it('add a part to the stored rows, or start anew with it', () => {
    expect(optionsFrom(['--row', 'coupon'])).to.deep.include({ startsNew: false });
    expect(optionsFrom(['--row', 'coupon', '--new'])).to.deep.include({ startsNew: true });
  });

  it('measure the stored rows again that are not valid, and no others', () => {
    const options = optionsFrom(['--invalid']) as BenchOptions;
    expect(options).to.deep.include({ startsNew: false, writesDocs: false });
    const seriesOf = (row: string, cpuMicros: number[]): Series => ({
      ...{ row, engine: 'sqlite', size: '2m', target: 'service', values: { cpuMicros } },
    });
    const series = [seriesOf('stats', [1, 1, 1, 1, 1, 1]), seriesOf('report', [1, 2, 3, 4, 5, 6])];
    const parts = planParts(options, { date: '', machine: '', series });
    expect(
      parts.map(({ engine, size, requestRows, others }) => [engine, size, ...[...requestRows, ...others].map(({ name }) => name)]),
    ).to.deep.equal([['sqlite', '2m', 'report']]);
  });

  it('say how long the run will take: as each row did the last time, else by its slices', () => {
    const options = optionsFrom(['--row', 'coupon', '--row', 'start', '--size', '1k', '--engine', 'postgres']) as BenchOptions;
    const parts = planParts(options);
    expect(countRows(parts)).to.equal(2);
    // Seven targets with a warm-up and 40 slices each, and ten starts.
    expect(estimateSeconds(parts, options)).to.be.within(150, 300);
    const last = { date: '', machine: '', series: [], secondsPerRound: { 'coupon postgres 1k': 2, 'start postgres 1k': 1 } };
    expect(estimateSeconds(parts, options, last)).to.equal(120);
  });

  it('refuse a row that does not exist', () => {
    expect(() => optionsFrom(['--row', 'cupon'])).to.throw(UsageError, 'There is no row cupon.');
  });
});
