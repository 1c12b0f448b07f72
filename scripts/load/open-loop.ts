import type { RawResponse } from '../bench/connection.ts';
import { Connection } from '../bench/connection.ts';

/** A request as it goes over the wire, and what becomes of whoever sent it. */
export interface Request {
  bytes: Buffer;
  /** A word for its status, or an error where it should have been another. */
  judge(answer: RawResponse): Outcome | Error;
}

export type Outcome = 'answered' | 'shed';

export interface OpenLoad {
  port: number;
  /** Requests that become due in each second, whether or not those before them were answered. */
  perSecond: number;
  seconds: number;
  /** More than that wait on this side, and their time counts from when they were due. */
  connections: number;
  next(): Request;
}

export interface Tally {
  seconds: number;
  /** In milliseconds from when a request was due, lowest first. */
  answered: Float64Array;
  shed: Float64Array;
  /** What must not have happened, by sentence, and how often. */
  faults: Map<string, number>;
}

interface Due {
  request: Request;
  at: number;
}

const tickMilliseconds = 2;
/** Node closes an idle connection after 5 seconds: what is sent at that moment would be lost. */
const freshMilliseconds = 3000;

/**
 * Asks at a given pace: a service that falls behind is not spared, as it would be by clients that wait for their answers. Resolves when all
 * that was asked is answered.
 */
export class OpenLoop {
  readonly #load: OpenLoad;
  readonly #started = performance.now();
  readonly #times: Record<Outcome, number[]> = { answered: [], shed: [] };
  readonly #faults = new Map<string, number>();
  readonly #idle: Connection[] = [];
  readonly #waiting: Due[] = [];
  #open = 0;
  #made = 0;

  private constructor(load: OpenLoad) {
    this.#load = load;
  }

  static async run(load: OpenLoad): Promise<Tally> {
    const loop = new OpenLoop(load);
    await loop.#ask();
    for (const connection of loop.#idle) connection.end();
    const [answered, shed] = [loop.#times.answered, loop.#times.shed].map((times) => Float64Array.from(times).sort());
    const seconds = (performance.now() - loop.#started) / 1000;
    return { seconds, answered: answered ?? new Float64Array(), shed: shed ?? new Float64Array(), faults: loop.#faults };
  }

  #ask(): Promise<void> {
    const { perSecond, seconds, next } = this.#load;
    const total = Math.round(perSecond * seconds);
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        const due = Math.min(total, Math.floor(((performance.now() - this.#started) / 1000) * perSecond));
        for (; this.#made < due; this.#made += 1) this.#send({ request: next(), at: this.#started + (this.#made / perSecond) * 1000 });
        if (this.#made < total || this.#idle.length < this.#open || this.#waiting.length > 0) return;
        clearInterval(timer);
        resolve();
      }, tickMilliseconds);
    });
  }

  #send(due: Due): void {
    const connection = this.#take();
    if (connection) this.#sendOn(connection, due);
    else this.#waiting.push(due);
  }

  #take(): Connection | undefined {
    for (let last = this.#idle.pop(); last; last = this.#idle.pop()) {
      if (last.isOpen && performance.now() - last.usedAt < freshMilliseconds) return last;
      this.#drop(last);
    }
    if (this.#open >= this.#load.connections) return undefined;
    this.#open += 1;
    return new Connection(this.#load.port);
  }

  #sendOn(connection: Connection, { request, at }: Due): void {
    connection.send(request.bytes, (answer) => {
      const outcome = answer instanceof Error ? answer : request.judge(answer);
      if (outcome instanceof Error) this.#faults.set(outcome.message, (this.#faults.get(outcome.message) ?? 0) + 1);
      else this.#times[outcome].push(performance.now() - at);
      if (answer instanceof Error) this.#drop(connection);
      else this.#idle.push(connection);
      const waiting = this.#waiting.shift();
      if (waiting) this.#send(waiting);
    });
  }

  #drop(connection: Connection): void {
    connection.end();
    this.#open -= 1;
  }
}
