import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogger } from '../../server/http/request-log.ts';
import { type CompletedJob, JobRunner, type JobSource } from '../../server/jobs/job-runner.ts';
import { gate } from '../db/gate.ts';

/** Jobs in memory: queued, claimed, and their outcomes. */
class MemoryJobs implements JobSource<string, string> {
  readonly name = 'parcels';
  readonly concurrency = 3;
  gatherMs = 0;
  queued: string[];
  readonly outcomes: string[] = [];
  readonly released: string[] = [];
  /** A test lets storage throw here. */
  beforeSettle: (ended: readonly CompletedJob<string, string>[]) => Promise<void> = async () => {};
  afterClaim: () => Promise<void> = async () => {};
  beforeHasDue: () => void = () => {};
  sending: (job: string) => Promise<string> = async (job) => `${job} arrived`;

  constructor(...queued: string[]) {
    this.queued = queued;
  }

  async hasDue(): Promise<boolean> {
    this.beforeHasDue();
    return this.queued.length > 0;
  }

  send(job: string): Promise<string> {
    return this.sending(job);
  }

  async settleAndClaim(ended: readonly CompletedJob<string, string>[], limit: number): Promise<string[]> {
    await this.beforeSettle(ended);
    this.outcomes.push(...ended.map(({ outcome }) => outcome));
    const claimed = this.queued.splice(0, limit);
    await this.afterClaim();
    return claimed;
  }

  async release(claimed: readonly string[]): Promise<void> {
    this.released.push(...claimed);
  }
}

describe('JobRunner', () => {
  let log: string[];
  const runnerOf = (jobs: MemoryJobs): JobRunner<string, string> => {
    log = [];
    const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void log.push(chunk.toString())) });
    return new JobRunner(jobs, createLogger('debug', stream));
  };
  const run = async (runner: JobRunner<string, string>): Promise<void> => {
    runner.wake();
    await runner.idle();
  };

  it('looks once for jobs that are queued within the time in which they are gathered', async () => {
    const jobs = new MemoryJobs();
    jobs.gatherMs = 20;
    let looks = 0;
    jobs.beforeHasDue = () => (looks += 1);
    const runner = runnerOf(jobs);
    for (const job of ['a', 'b']) {
      jobs.queued.push(job);
      runner.wakeSoon();
    }
    await pause(60);
    await runner.idle();
    expect([looks, jobs.outcomes]).to.deep.equal([1, ['a arrived', 'b arrived']]);
  });

  it('looks once when nothing is due, and does not look again after the last job', async () => {
    const jobs = new MemoryJobs('a');
    let looks = 0;
    jobs.beforeHasDue = () => (looks += 1);
    const runner = runnerOf(jobs);
    await run(runner);
    expect([looks, jobs.outcomes]).to.deep.equal([1, ['a arrived']]);
    await run(runner);
    expect(looks).to.equal(2);
  });

  it('sends all due jobs with limited concurrency, and records each outcome', async () => {
    const jobs = new MemoryJobs('a', 'b', 'c', 'd', 'e', 'f', 'g');
    let [now, most] = [0, 0];
    jobs.sending = async (job) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return job;
    };
    await run(runnerOf(jobs));
    expect([jobs.outcomes.toSorted(), most]).to.deep.equal([['a', 'b', 'c', 'd', 'e', 'f', 'g'], 3]);
  });

  it('records outcomes and claims more jobs while a slow job is in flight', async () => {
    const jobs = new MemoryJobs('slow', 'a', 'b', 'c', 'd');
    const [slow, others] = [gate(), gate()];
    jobs.sending = async (job) => {
      if (job === 'slow') await slow.opened;
      return job;
    };
    jobs.afterClaim = async () => {
      if (jobs.outcomes.length === 4) others.open();
    };
    const runner = runnerOf(jobs);
    runner.wake();
    await others.opened;
    expect(jobs.outcomes).not.to.include('slow');
    slow.open();
    await runner.idle();
    expect(jobs.outcomes.toSorted()).to.deep.equal(['a', 'b', 'c', 'd', 'slow']);
  });

  it('retains outcomes while the database is unreachable, and records them when it is back', async () => {
    const jobs = new MemoryJobs('a', 'b');
    jobs.beforeSettle = async (ended) => {
      if (ended.length > 0) throw new Error('The database is away.');
    };
    const runner = runnerOf(jobs);
    await run(runner);
    expect(jobs.outcomes).to.deep.equal([]);
    expect(log.join('')).to.include('is away');
    jobs.beforeSettle = async () => {};
    await run(runner);
    expect(jobs.outcomes.toSorted()).to.deep.equal(['a arrived', 'b arrived']);
  });

  it('continues after a failed query for due jobs', async () => {
    const jobs = new MemoryJobs('a');
    jobs.beforeHasDue = () => {
      throw new Error('The database is away.');
    };
    const runner = runnerOf(jobs);
    await run(runner);
    expect(log.join('')).to.include('the outbox could not reach the database for parcels');
    jobs.beforeHasDue = () => {};
    await run(runner);
    expect(jobs.outcomes).to.deep.equal(['a arrived']);
  });

  it('records other outcomes when one cannot be recorded, and drops that one after some failures', async () => {
    const jobs = new MemoryJobs('a', 'poison', 'b');
    let tries = 0;
    jobs.beforeSettle = async (ended) => {
      if (!ended.some(({ job }) => job === 'poison')) return;
      tries += 1;
      throw new Error('This cannot be stored.');
    };
    const runner = runnerOf(jobs);
    await run(runner);
    expect(jobs.outcomes.toSorted()).to.deep.equal(['a arrived', 'b arrived']);
    for (let turn = 0; turn < 20; turn += 1) await run(runner);
    const before = tries;
    await run(runner);
    expect(tries).to.equal(before);
    jobs.queued.push('c');
    await run(runner);
    expect(jobs.outcomes).to.include('c arrived');
  });

  it('records no outcome for a job whose sending throws, and continues with the others', async () => {
    const jobs = new MemoryJobs('a', 'broken', 'b', 'c');
    jobs.sending = async (job) => {
      if (job === 'broken') throw new Error('This was not expected.');
      return job;
    };
    await run(runnerOf(jobs));
    expect(jobs.outcomes.toSorted()).to.deep.equal(['a', 'b', 'c']);
    expect(log.join('')).to.include('This was not expected.');
  });

  it('releases the jobs of a claim during which it is stopped', async () => {
    const jobs = new MemoryJobs('a', 'b');
    const [taking, stopped] = [gate(), gate()];
    jobs.afterClaim = async () => {
      taking.open();
      await stopped.opened;
    };
    const runner = runnerOf(jobs);
    runner.wake();
    await taking.opened;
    runner.stop();
    stopped.open();
    await runner.idle();
    expect([jobs.released, jobs.outcomes, runner.sent]).to.deep.equal([['a', 'b'], [], 0]);
  });

  it('records the outcomes of jobs in flight when it is stopped, and claims no more', async () => {
    const jobs = new MemoryJobs('a', 'b', 'c', 'd', 'e');
    const [sending, arriving] = [gate(), gate()];
    jobs.sending = async (job) => {
      sending.open();
      await arriving.opened;
      return job;
    };
    const runner = runnerOf(jobs);
    runner.wake();
    await sending.opened;
    runner.stop();
    arriving.open();
    await runner.idle();
    expect([jobs.outcomes.toSorted(), jobs.queued]).to.deep.equal([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
  });
});
