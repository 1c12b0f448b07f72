import { Connection, type RawResponse } from '../shared/connection.ts';

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
    const connections = Array.from({ length: Math.min(count, this.#connections) }, (_, index) => this.#connection(index));
    await Promise.all(connections.map(({ connected }) => connected));
    let left = count;
    let requests = 0;
    const drive = async (connection: Connection): Promise<void> => {
      for (; left > 0; requests += 1) {
        left -= 1;
        const request = next();
        if (!request) return;
        await exchange(connection, request);
      }
    };
    const started = performance.now();
    await Promise.all(connections.map(drive));
    return { requests, seconds: (performance.now() - started) / 1000 };
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
}

async function exchange(connection: Connection, { bytes, expect }: WireRequest): Promise<void> {
  const response = await new Promise<RawResponse | Error>((resolve) => connection.send(bytes, resolve));
  if (!(response instanceof Error) && response.status === expect) return;
  const line = bytes.toString('latin1', 0, bytes.indexOf('\r\n'));
  if (response instanceof Error) throw new Error(`${line} failed: ${response.message}`);
  throw new Error(`${line} returned ${response.status} instead of ${expect}: ${response.body.slice(0, 300)}`);
}
