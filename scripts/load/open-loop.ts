import { Connection, type RawResponse } from '../shared/connection.ts';

/** A request as bytes, and how its response counts: an Error where it is not as expected. */
export interface LoadRequest {
  bytes: Buffer;
  classify(response: RawResponse): Outcome | Error;
}

export type Outcome = 'answered' | 'shed';

export interface OpenLoad {
  port: number;
  /** Requests that become due per second, whether or not earlier ones have a response. */
  perSecond: number;
  seconds: number;
  /** Requests beyond that wait in the client, and their latency counts from when they were due. */
  connections: number;
  next(): LoadRequest;
}

export interface LoadTally {
  seconds: number;
  /** Latencies in milliseconds from when a request was due, ascending. */
  answered: Float64Array;
  shed: Float64Array;
  /** Unexpected responses and broken connections, by message. */
  faults: Map<string, number>;
}

interface DueRequest {
  request: LoadRequest;
  dueAt: number;
}

const tickMs = 2;
/** Node.js closes a connection that is idle for 5 seconds; a request sent at that moment is lost. */
const maxIdleMs = 3000;

/**
 * Sends requests at a fixed rate: unlike clients that wait for responses, it does not slow down with the service. `run` resolves when every
 * request has its response.
 */
export class OpenLoop {
  readonly #load: OpenLoad;
  readonly #started = performance.now();
  readonly #latencies: Record<Outcome, number[]> = { answered: [], shed: [] };
  readonly #faults = new Map<string, number>();
  readonly #idle: Connection[] = [];
  readonly #waiting: DueRequest[] = [];
  #open = 0;
  #created = 0;

  private constructor(load: OpenLoad) {
    this.#load = load;
  }

  static async run(load: OpenLoad): Promise<LoadTally> {
    const loop = new OpenLoop(load);
    await loop.#sendAll();
    for (const connection of loop.#idle) connection.end();
    const sorted = (outcome: Outcome): Float64Array => Float64Array.from(loop.#latencies[outcome]).sort();
    const seconds = (performance.now() - loop.#started) / 1000;
    return { seconds, answered: sorted('answered'), shed: sorted('shed'), faults: loop.#faults };
  }

  #sendAll(): Promise<void> {
    const { perSecond, seconds, next } = this.#load;
    const total = Math.round(perSecond * seconds);
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        const due = Math.min(total, Math.floor(((performance.now() - this.#started) / 1000) * perSecond));
        for (; this.#created < due; this.#created += 1)
          this.#send({ request: next(), dueAt: this.#started + (this.#created / perSecond) * 1000 });
        if (this.#created < total || this.#idle.length < this.#open || this.#waiting.length > 0) return;
        clearInterval(timer);
        resolve();
      }, tickMs);
    });
  }

  #send(due: DueRequest): void {
    const connection = this.#acquire();
    if (connection) this.#sendOn(connection, due);
    else this.#waiting.push(due);
  }

  #acquire(): Connection | undefined {
    for (let last = this.#idle.pop(); last; last = this.#idle.pop()) {
      if (last.isOpen && performance.now() - last.usedAt < maxIdleMs) return last;
      this.#close(last);
    }
    if (this.#open >= this.#load.connections) return undefined;
    this.#open += 1;
    return new Connection(this.#load.port);
  }

  #sendOn(connection: Connection, { request, dueAt }: DueRequest): void {
    connection.send(request.bytes, (response) => {
      const outcome = response instanceof Error ? response : request.classify(response);
      if (outcome instanceof Error) this.#faults.set(outcome.message, (this.#faults.get(outcome.message) ?? 0) + 1);
      else this.#latencies[outcome].push(performance.now() - dueAt);
      if (response instanceof Error) this.#close(connection);
      else this.#idle.push(connection);
      const waiting = this.#waiting.shift();
      if (waiting) this.#send(waiting);
    });
  }

  #close(connection: Connection): void {
    connection.end();
    this.#open -= 1;
  }
}

const closedLoopClients = 32;
const warmUpSeconds = 4;
const measuredSeconds = 6;

/** Requests per second with clients that each send the next request after the response. @throws at an unexpected response. */
export async function measureCapacity(port: number, next: () => LoadRequest): Promise<number> {
  const answeredIn = async (seconds: number): Promise<number> => {
    const deadline = performance.now() + seconds * 1000;
    const counts = await Promise.all(Array.from({ length: closedLoopClients }, () => sendUntil(deadline, port, next)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  await answeredIn(warmUpSeconds);
  return (await answeredIn(measuredSeconds)) / measuredSeconds;
}

async function sendUntil(deadline: number, port: number, next: () => LoadRequest): Promise<number> {
  const connection = new Connection(port);
  let answered = 0;
  for (; performance.now() < deadline; answered += 1) {
    const request = next();
    const response = await new Promise<RawResponse | Error>((resolve) => connection.send(request.bytes, resolve));
    const outcome = response instanceof Error ? response : request.classify(response);
    if (outcome instanceof Error) throw outcome;
  }
  connection.end();
  return answered;
}
