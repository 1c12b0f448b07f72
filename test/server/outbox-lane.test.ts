import { Writable } from 'node:stream';
import { expect } from 'chai';
import { createLogger } from '../../server/http/request-log.ts';
import { type CompletedJob, JobRunner, type JobSource } from '../../server/jobs/job-runner.ts';
import { gate } from '../db/gate.ts';

/** Storage in memory: what waits, what is taken, and what came of it. */
class Shelf implements JobSource<string, string> {
  readonly name = 'parcels';
  readonly concurrency = 3;
  waiting: string[];
  readonly kept: string[] = [];
  readonly released: string[] = [];
  /** Throws where a test wants storage to. */
  beforeExchange: (ended: readonly CompletedJob<string, string>[]) => Promise<void> = async () => {};
  afterTaking: () => Promise<void> = async () => {};
  beforeLooking: () => void = () => {};
  sending: (job: string) => Promise<string> = async (job) => `${job} arrived`;

  constructor(...waiting: string[]) {
    this.waiting = waiting;
  }

  async hasDue(): Promise<boolean> {
    this.beforeLooking();
    return this.waiting.length > 0;
  }

  send(job: string): Promise<string> {
    return this.sending(job);
  }

  async settleAndClaim(ended: readonly CompletedJob<string, string>[], limit: number): Promise<string[]> {
    await this.beforeExchange(ended);
    this.kept.push(...ended.map(({ outcome }) => outcome));
    const taken = this.waiting.splice(0, limit);
    await this.afterTaking();
    return taken;
  }

  async release(jobs: readonly string[]): Promise<void> {
    this.released.push(...jobs);
  }
}

describe('a lane of the outbox', () => {
  let log: string[];
  const laneOf = (shelf: Shelf): JobRunner<string, string> => {
    log = [];
    const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void log.push(chunk.toString())) });
    return new JobRunner(shelf, createLogger('debug', stream));
  };
  const run = async (lane: JobRunner<string, string>): Promise<void> => {
    lane.wake();
    await lane.idle();
  };

  it('sends everything that waits, a few at a time, and keeps what came of each', async () => {
    const shelf = new Shelf('a', 'b', 'c', 'd', 'e', 'f', 'g');
    let [now, most] = [0, 0];
    shelf.sending = async (job) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return job;
    };
    await run(laneOf(shelf));
    expect([shelf.kept.toSorted(), most]).to.deep.equal([['a', 'b', 'c', 'd', 'e', 'f', 'g'], 3]);
  });

  it('does not wait for a slow one: what ended beside it is kept, and others take its place', async () => {
    const shelf = new Shelf('slow', 'a', 'b', 'c', 'd');
    const [slow, others] = [gate(), gate()];
    shelf.sending = async (job) => {
      if (job === 'slow') await slow.opened;
      return job;
    };
    shelf.afterTaking = async () => {
      if (shelf.kept.length === 4) others.open();
    };
    const lane = laneOf(shelf);
    lane.wake();
    await others.opened;
    expect(shelf.kept).not.to.include('slow');
    slow.open();
    await lane.idle();
    expect(shelf.kept.toSorted()).to.deep.equal(['a', 'b', 'c', 'd', 'slow']);
  });

  it('survives a database that is away, keeps what had ended meanwhile, and goes on when it is back', async () => {
    const shelf = new Shelf('a', 'b');
    shelf.beforeExchange = async (ended) => {
      if (ended.length > 0) throw new Error('The database is away.');
    };
    const lane = laneOf(shelf);
    await run(lane);
    expect([shelf.kept, log.join('')]).to.satisfy(([kept, said]: [string[], string]) => kept.length === 0 && said.includes('is away'));
    shelf.beforeExchange = async () => {};
    await run(lane);
    expect(shelf.kept.toSorted()).to.deep.equal(['a arrived', 'b arrived']);
  });

  it('survives a database that cannot even be asked', async () => {
    const shelf = new Shelf('a');
    shelf.beforeLooking = () => {
      throw new Error('The database is away.');
    };
    const lane = laneOf(shelf);
    await run(lane);
    expect(log.join('')).to.include('the outbox could not reach the database for parcels');
    shelf.beforeLooking = () => {};
    await run(lane);
    expect(shelf.kept).to.deep.equal(['a arrived']);
  });

  it('lets an outcome that cannot be kept hold up no other, and gives it up after a while', async () => {
    const shelf = new Shelf('a', 'poison', 'b');
    let tries = 0;
    shelf.beforeExchange = async (ended) => {
      if (!ended.some(({ job }) => job === 'poison')) return;
      tries += 1;
      throw new Error('This cannot be stored.');
    };
    const lane = laneOf(shelf);
    await run(lane);
    expect(shelf.kept.toSorted()).to.deep.equal(['a arrived', 'b arrived']);
    for (let turn = 0; turn < 20; turn += 1) await run(lane);
    const before = tries;
    await run(lane);
    expect(tries).to.equal(before);
    shelf.waiting.push('c');
    await run(lane);
    expect(shelf.kept).to.include('c arrived');
  });

  it('says nothing about a thing whose sending broke unexpectedly, and goes on with the others', async () => {
    const shelf = new Shelf('a', 'broken', 'b', 'c');
    shelf.sending = async (job) => {
      if (job === 'broken') throw new Error('This was not expected.');
      return job;
    };
    await run(laneOf(shelf));
    expect(shelf.kept.toSorted()).to.deep.equal(['a', 'b', 'c']);
    expect(log.join('')).to.include('This was not expected.');
  });

  it('gives back what it was just about to take when it is told to stop', async () => {
    const shelf = new Shelf('a', 'b');
    const [taking, stopped] = [gate(), gate()];
    shelf.afterTaking = async () => {
      taking.open();
      await stopped.opened;
    };
    const lane = laneOf(shelf);
    lane.wake();
    await taking.opened;
    lane.stop();
    stopped.open();
    await lane.idle();
    expect([shelf.released, shelf.kept, lane.sent]).to.deep.equal([['a', 'b'], [], 0]);
  });

  it('keeps what was on its way when it was told to stop, and takes nothing more', async () => {
    const shelf = new Shelf('a', 'b', 'c', 'd', 'e');
    const [sending, arriving] = [gate(), gate()];
    shelf.sending = async (job) => {
      sending.open();
      await arriving.opened;
      return job;
    };
    const lane = laneOf(shelf);
    lane.wake();
    await sending.opened;
    lane.stop();
    arriving.open();
    await lane.idle();
    expect([shelf.kept.toSorted(), shelf.waiting]).to.deep.equal([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
  });
});
