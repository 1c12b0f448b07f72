import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendOverload } from './overload-response.ts';

interface ConcurrencyBounds {
  /** May be exceeded for `burstMs`. For longer, more requests arrive than are answered. */
  sustained: number;
  max: number;
}

/** docs/decisions/0015. A write takes longer than a read. */
export const concurrencyBounds = { reads: { sustained: 100, max: 500 }, writes: { sustained: 50, max: 250 } } as const;
export const burstMs = 2000;

/** Each costs about 15 KB, idle or not, and a file handle. */
export const maxConnections = 4000;

/** Supervisors must be able to check the process above all under load. Not counted either: `/readyz` shares one check among all. */
const exemptUrl = /^\/(?:healthz|readyz)(?:\?|$)/;

/** Resolves when the work on the request is done, whether or not the client has read the response. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

export interface ConcurrencyLimiterOptions {
  /** Called at most once a second, with the number of requests that were shed since the last call. */
  onShed?: (count: number) => void;
  /** Origins whose pages may read the 503. */
  origins?: () => readonly string[];
  monotonicMs?: () => number;
}

/**
 * Sheds load: answers 503 with Retry-After while too many requests are in flight. Reads and writes are limited separately, so that a
 * database that is slow to write still serves reads.
 */
export class ConcurrencyLimiter {
  readonly #reads: InFlightRequests;
  readonly #writes: InFlightRequests;
  readonly #onShed: (count: number) => void;
  readonly #origins: () => readonly string[];
  #shed = 0;

  constructor({ onShed = () => {}, origins = () => [], monotonicMs = () => performance.now() }: ConcurrencyLimiterOptions = {}) {
    this.#onShed = onShed;
    this.#origins = origins;
    this.#reads = new InFlightRequests(concurrencyBounds.reads, monotonicMs);
    this.#writes = new InFlightRequests(concurrencyBounds.writes, monotonicMs);
  }

  limit(handle: RequestHandler): (request: IncomingMessage, response: ServerResponse) => void {
    return (request, response) => {
      if (exemptUrl.test(request.url ?? '')) return void handle(request, response);
      const inFlight = request.method === 'GET' || request.method === 'HEAD' ? this.#reads : this.#writes;
      if (inFlight.isFull) return this.#reject(request, response);
      inFlight.track(request, response, handle(request, response));
    };
  }

  #reject(request: IncomingMessage, response: ServerResponse): void {
    if (!sendOverload(request, response, this.#origins())) return;
    if (this.#shed === 0) setTimeout(() => this.#reportShed(), 1000).unref();
    this.#shed += 1;
  }

  #reportShed(): void {
    this.#onShed(this.#shed);
    this.#shed = 0;
  }
}

class InFlightRequests {
  readonly open = new Set<ServerResponse>();
  readonly #bounds: ConcurrencyBounds;
  readonly #monotonicMs: () => number;
  /** Since when the sustained bound is exceeded. Reset only at half of it, so that the queue does not grow and shrink around the bound. */
  #exceededSince: number | null = null;

  constructor(bounds: ConcurrencyBounds, monotonicMs: () => number) {
    this.#bounds = bounds;
    this.#monotonicMs = monotonicMs;
  }

  get isFull(): boolean {
    const { size } = this.open;
    return size >= this.#bounds.sustained && (size >= this.#bounds.max || this.#isBurstOver());
  }

  /**
   * Counts the request until its work is done, not until the client has read the response: that may take for ever, and nothing is heard of
   * a response that is queued behind others on a dead connection. Waiting for the body does not count either.
   */
  track(request: IncomingMessage, response: ServerResponse, work: Promise<unknown>): void {
    let isDone = false;
    const enter = (): void => {
      if (isDone) return;
      this.open.add(response);
      if (this.open.size >= this.#bounds.sustained) this.#exceededSince ??= this.#monotonicMs();
    };
    const leave = (): void => {
      isDone = true;
      this.open.delete(response);
      if (this.#exceededSince !== null && this.open.size <= this.#bounds.sustained / 2) this.#exceededSince = null;
    };
    // A body that was sent together with the headers is complete after this turn of the event loop, read or not.
    if (hasBody(request)) setImmediate(() => (request.complete ? enter() : request.once('end', enter)));
    else enter();
    work.then(leave, leave);
  }

  #isBurstOver(): boolean {
    return this.#exceededSince !== null && this.#monotonicMs() - this.#exceededSince > burstMs;
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
