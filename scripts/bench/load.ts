import { Connection, type RawResponse } from './connection.ts';

/** A request as it is sent, and the status that its response must have. */
export interface WireRequest {
  bytes: Buffer;
  expect: number;
}

/** Null when there is nothing left to send. */
export type NextRequest = () => WireRequest | null;

export interface SliceResult {
  requests: number;
  seconds: number;
  /** Milliseconds, in the order of the responses. */
  latencies: number[];
}

/** Servers on Node.js close connections that are idle for five seconds. */
const idleMs = 2500;

/** Closed loop over kept-alive connections: each sends its next request when it has the response to the last. */
export class LoadGenerator {
  readonly #port: number;
  readonly #connections: number;
  readonly #open: Connection[] = [];

  constructor(port: number, connections: number) {
    this.#port = port;
    this.#connections = connections;
  }

  /** Sends so many requests, or fewer when `next` has no more. @throws at the first response with an unexpected status. */
  async send(count: number, next: NextRequest): Promise<SliceResult> {
    const latencies: number[] = [];
    let left = count;
    const drive = async (index: number): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const request = next();
        if (!request) return;
        const sentAt = performance.now();
        await this.#exchange(index, request);
        latencies.push(performance.now() - sentAt);
      }
    };
    const started = performance.now();
    await Promise.all(Array.from({ length: Math.min(count, this.#connections) }, (_, index) => drive(index)));
    return { requests: latencies.length, seconds: (performance.now() - started) / 1000, latencies };
  }

  /** Opens connections for so many requests, so that `send` does not have to. */
  async connect(count: number): Promise<void> {
    const needed = Array.from({ length: Math.min(count, this.#connections) }, (_, index) => this.#connection(index));
    await Promise.all(needed.map(({ connected }) => connected));
  }

  close(): void {
    for (const connection of this.#open) connection.end();
  }

  /** Replaces a connection that the server has closed, or is about to close, because it is idle. */
  #connection(index: number): Connection {
    const existing = this.#open[index];
    if (existing?.isOpen && performance.now() - existing.usedAt < idleMs) return existing;
    existing?.end();
    return (this.#open[index] = new Connection(this.#port));
  }

  #exchange(index: number, request: WireRequest): Promise<void> {
    const connection = this.#connection(index);
    return new Promise((resolve, reject) => {
      connection.send(request.bytes, (response) => {
        const problem = problemWith(response, request);
        if (problem) reject(problem);
        else resolve();
      });
    });
  }
}

function problemWith(response: RawResponse | Error, { bytes, expect }: WireRequest): Error | null {
  const line = (): string => bytes.toString('latin1', 0, bytes.indexOf('\r\n'));
  if (response instanceof Error) return new Error(`${line()} failed: ${response.message}`);
  if (response.status === expect) return null;
  return new Error(`${line()} returned ${response.status} instead of ${expect}: ${response.body.slice(0, 300)}`);
}
