import type { Logger } from 'pino';

export interface CompletedJob<Job, Outcome> {
  job: Job;
  outcome: Outcome;
}

/** One kind of outgoing job: how jobs are claimed, sent, and settled with their outcome. */
export interface JobSource<Job, Outcome> {
  /** For the log, and to wake its runner. */
  name: string;
  /** How many may be in flight at once. */
  concurrency: number;
  /** How long a queued job waits for others, which are claimed and settled together with it. */
  gatherMs: number;
  /** Called before every claim: mostly nothing is due, and a write transaction would block other writers. */
  hasDue(inFlight: readonly Job[]): Promise<boolean>;
  /** Ends before its lease does. A job whose sending rejects is claimed again when its lease expires. */
  send(job: Job, signal: AbortSignal): Promise<Outcome>;
  /** In one transaction: records the outcomes, then claims up to `limit` due jobs beside those in flight. */
  settleAndClaim(ended: readonly CompletedJob<Job, Outcome>[], limit: number, inFlight: readonly Job[]): Promise<Job[]>;
  /** Returns claimed jobs that were not started. */
  release(jobs: readonly Job[]): Promise<void>;
}

interface UnsettledJob<Job, Outcome> extends CompletedJob<Job, Outcome> {
  failures: number;
}

/** After so many failures to record an outcome it is dropped: the lease expires, and the job is sent once more. */
const maxSettleFailures = 5;

/**
 * Sends due jobs concurrently, so that a slow one does not delay others. Under load the outcomes that arrive during one transaction are
 * recorded together by the next, so that the number of transactions follows the speed of the database.
 */
export class JobRunner<Job, Outcome> {
  readonly #source: JobSource<Job, Outcome>;
  readonly #log: Logger;
  readonly #inFlight = new Map<Job, Promise<void>>();
  #ended: UnsettledJob<Job, Outcome>[] = [];
  #running: Promise<void> | undefined;
  #isWoken = false;
  readonly #abortSending = new AbortController();
  #isStopping = false;
  #gathering: NodeJS.Timeout | undefined;
  #sent = 0;

  constructor(source: JobSource<Job, Outcome>, log: Logger) {
    this.#source = source;
    this.#log = log;
  }

  /** The number of jobs sent so far. */
  get sent(): number {
    return this.#sent;
  }

  get name(): string {
    return this.#source.name;
  }

  /** Call it when a job was queued. */
  wakeSoon(): void {
    if (this.#source.gatherMs === 0) return this.wake();
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.wake();
    }, this.#source.gatherMs);
  }

  /** Call it when a job may be due. */
  wake(): void {
    this.#isWoken = true;
    this.#running ??= this.#run();
  }

  /** Resolves when no job is in flight and none was found due. */
  async idle(): Promise<void> {
    while (this.#running || this.#inFlight.size > 0) await Promise.race([this.#running, ...this.#inFlight.values()].filter(Boolean));
  }

  /** Claims no more jobs. */
  stop(): void {
    this.#isStopping = true;
    clearTimeout(this.#gathering);
    if (this.#ended.length > 0) this.wake();
  }

  /** Aborts the jobs in flight. */
  abort(): void {
    this.#abortSending.abort();
  }

  async #run(): Promise<void> {
    try {
      while (this.#isWoken) {
        this.#isWoken = false;
        await this.#settleAndStart();
      }
    } catch (error) {
      this.#log.error({ err: error }, `the outbox could not reach the database for ${this.#source.name}; it tries again`);
    } finally {
      this.#running = undefined;
    }
  }

  async #settleAndStart(): Promise<void> {
    const limit = this.#isStopping ? 0 : this.#source.concurrency - this.#inFlight.size;
    if (this.#ended.length === 0 && (limit === 0 || !(await this.#source.hasDue([...this.#inFlight.keys()])))) return;
    const ended = this.#ended.splice(0);
    let jobs: Job[];
    try {
      jobs = await this.#source.settleAndClaim(ended, limit, [...this.#inFlight.keys()]);
    } catch (error) {
      await this.#settleOneByOne(ended);
      throw error;
    }
    if (this.#isStopping) return this.#source.release(jobs);
    for (const job of jobs) this.#inFlight.set(job, this.#send(job));
    // There may be more due jobs than one transaction claims.
    if (jobs.length === limit && limit > 0) this.#isWoken = true;
  }

  async #send(job: Job): Promise<void> {
    this.#sent += 1;
    try {
      const outcome = await this.#source.send(job, this.#abortSending.signal);
      this.#ended.push({ job, outcome, failures: 0 });
    } catch (error) {
      this.#log.error({ err: error }, `sending one of the ${this.#source.name} failed unexpectedly; it is tried again`);
    }
    this.#inFlight.delete(job);
    this.wake();
  }

  /** One outcome may be what makes the transaction fail: the others must not wait for it. */
  async #settleOneByOne(ended: readonly UnsettledJob<Job, Outcome>[]): Promise<void> {
    for (const each of ended) {
      try {
        await this.#source.settleAndClaim([each], 0, []);
      } catch (error) {
        this.#log.error({ err: error }, `an outcome of ${this.#source.name} could not be recorded`);
        if (each.failures + 1 < maxSettleFailures) this.#ended.push({ ...each, failures: each.failures + 1 });
      }
    }
  }
}

/** Detects a clock that was set back. It may have been while this process did not run, so the first check counts as a rollback. */
export class ClockRollback {
  #last = Number.POSITIVE_INFINITY;

  /** After a rollback calls `clampSchedule` for times that are too far ahead. Repeated with the next check if that fails. */
  async check(now: number, clampSchedule: () => Promise<void>): Promise<void> {
    if (now < this.#last) await clampSchedule();
    this.#last = now;
  }
}
