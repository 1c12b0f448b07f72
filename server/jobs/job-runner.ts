import type { Logger } from 'pino';

export interface CompletedJob<Job, Outcome> {
  job: Job;
  outcome: Outcome;
}

/** One kind of things that leave the service: how they are taken from storage, sent, and put back with what came of it. */
export interface JobSource<Job, Outcome> {
  /** For the log. */
  name: string;
  /** How many may be on their way at once. */
  concurrency: number;
  /** Asked before every write, because most of the time nothing is due and a write would hold others up for nothing. */
  hasDue(onTheWay: readonly Job[]): Promise<boolean>;
  /** Ends before its lease does. When it rejects, nothing is said about the thing: it is taken again when its lease is over. */
  send(job: Job, signal: AbortSignal): Promise<Outcome>;
  /** In one transaction: keeps what was ended, then takes up to `limit` of what is due beside what is on its way. */
  settleAndClaim(ended: readonly CompletedJob<Job, Outcome>[], limit: number, onTheWay: readonly Job[]): Promise<Job[]>;
  /** Gives back what was taken and not begun. */
  release(jobs: readonly Job[]): Promise<void>;
}

interface Waiting<Job, Outcome> extends CompletedJob<Job, Outcome> {
  failures: number;
}

/** After so many failures to keep an outcome we let its lease run out: the thing is sent once more, and nothing else waits for it. */
const patience = 5;

/**
 * Sends what is due, each thing on its own: none waits for another that is slow. Under load, what ended while the last transaction ran is
 * kept by the next one together, so that the database is asked no more often than it can answer.
 */
export class JobRunner<Job, Outcome> {
  readonly #freight: JobSource<Job, Outcome>;
  readonly #log: Logger;
  readonly #onTheWay = new Map<Job, Promise<void>>();
  #ended: Waiting<Job, Outcome>[] = [];
  #running: Promise<void> | undefined;
  #askedFor = false;
  readonly #patience = new AbortController();
  #isStopping = false;
  #sent = 0;

  constructor(freight: JobSource<Job, Outcome>, log: Logger) {
    this.#freight = freight;
    this.#log = log;
  }

  /** How many were sent off so far. */
  get sent(): number {
    return this.#sent;
  }

  /** Something may be due, or has ended. */
  wake(): void {
    this.#askedFor = true;
    this.#running ??= this.#run();
  }

  /** Resolves when nothing is on its way and nothing more was found due. */
  async idle(): Promise<void> {
    while (this.#running || this.#onTheWay.size > 0) await Promise.race([this.#running, ...this.#onTheWay.values()].filter(Boolean));
  }

  /** Takes nothing more. */
  stop(): void {
    this.#isStopping = true;
    if (this.#ended.length > 0) this.wake();
  }

  /** What is still on its way comes to an end now, whatever that means for it. */
  abort(): void {
    this.#patience.abort();
  }

  async #run(): Promise<void> {
    try {
      while (this.#askedFor) {
        this.#askedFor = false;
        await this.#turn();
      }
    } catch (error) {
      this.#log.error({ err: error }, `the outbox could not reach the database for ${this.#freight.name}; it tries again`);
    } finally {
      this.#running = undefined;
    }
  }

  async #turn(): Promise<void> {
    const limit = this.#isStopping ? 0 : this.#freight.concurrency - this.#onTheWay.size;
    if (this.#ended.length === 0 && (limit === 0 || !(await this.#freight.hasDue([...this.#onTheWay.keys()])))) return;
    const ended = this.#ended.splice(0);
    let jobs: Job[];
    try {
      jobs = await this.#freight.settleAndClaim(ended, limit, [...this.#onTheWay.keys()]);
    } catch (error) {
      await this.#keepOneByOne(ended);
      throw error;
    }
    if (this.#isStopping) return this.#freight.release(jobs);
    for (const job of jobs) this.#onTheWay.set(job, this.#send(job));
    // There may be more than one transaction takes at a time.
    if (jobs.length > 0) this.#askedFor = true;
  }

  async #send(job: Job): Promise<void> {
    this.#sent += 1;
    try {
      const outcome = await this.#freight.send(job, this.#patience.signal);
      this.#ended.push({ job, outcome, failures: 0 });
    } catch (error) {
      this.#log.error({ err: error }, `sending one of the ${this.#freight.name} failed unexpectedly; it is tried again`);
    }
    this.#onTheWay.delete(job);
    this.wake();
  }

  /** One of them may be what the database stumbles over: the others must not wait for it. */
  async #keepOneByOne(ended: readonly Waiting<Job, Outcome>[]): Promise<void> {
    for (const each of ended) {
      try {
        await this.#freight.settleAndClaim([each], 0, []);
      } catch (error) {
        this.#log.error({ err: error }, `what came of ${this.#freight.name} could not be kept`);
        if (each.failures + 1 < patience) this.#ended.push({ ...each, failures: each.failures + 1 });
      }
    }
  }
}

/** Notices a clock that was set back. While this process did not run it may have been, so the first look counts as one. */
export class ClockRollback {
  #last = Number.POSITIVE_INFINITY;

  /** Mends what lies too far ahead by now. Tried again with the next look when it fails. */
  async mend(now: number, bringForward: () => Promise<void>): Promise<void> {
    if (now < this.#last) await bringForward();
    this.#last = now;
  }
}
