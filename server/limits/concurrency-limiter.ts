import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from './overload-response.ts';

interface Bounds {
  /** More than that is a line that may stand for a moment. If it stands for longer, more comes in than goes out. */
  usual: number;
  /** Not even for a moment. */
  most: number;
}

/** Decision 15. A write takes longer than a read. */
export const bounds = { reads: { usual: 100, most: 500 }, writes: { usual: 50, most: 250 } } as const;
export const momentMilliseconds = 2000;

/** Each of them costs about 15 KB, idle or not, and a file handle. */
export const mostConnections = 4000;

/** Whoever watches the process must be able to ask, then above all. */
const neverShed = new Set(['/healthz', '/readyz']);

/** Answers a request. A promise ends with the work on it, whether or not the client is still there to read the answer. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

export interface ConcurrencyLimiterOptions {
  /** Told once a second how many were shed, if any. */
  onShed?: (count: number) => void;
  /** Whose pages may read what they are answered. */
  origins?: () => readonly string[];
  monotonicMs?: () => number;
}

/**
 * Answers 503 to what would only make everybody wait: a refusal costs a small part of an answer, and whoever gets one knows when to come back. Reads
 * and writes stand in lines of their own, so that a database which is slow to write still answers what is read.
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
    this.#reads = new InFlightRequests(bounds.reads, monotonicMs);
    this.#writes = new InFlightRequests(bounds.writes, monotonicMs);
  }

  guard(handle: RequestHandler): (request: IncomingMessage, response: ServerResponse) => void {
    return (request, response) => {
      const line = request.method === 'GET' || request.method === 'HEAD' ? this.#reads : this.#writes;
      if (line.isFull && !neverShed.has(request.url ?? '')) return this.#refuse(request, response);
      line.join(request, response, handle(request, response));
    };
  }

  /** What is not answered yet. */
  get open(): ServerResponse[] {
    return [...this.#reads.open, ...this.#writes.open];
  }

  #refuse(request: IncomingMessage, response: ServerResponse): void {
    if (refuse(request, response, this.#origins())) this.#count();
  }

  #count(): void {
    if (this.#shed === 0) setTimeout(() => this.#tell(), 1000).unref();
    this.#shed += 1;
  }

  #tell(): void {
    this.#onShed(this.#shed);
    this.#shed = 0;
  }
}

/** What of one kind is under way. */
class InFlightRequests {
  readonly open = new Set<ServerResponse>();
  readonly #bounds: Bounds;
  readonly #monotonicMs: () => number;
  /** It counts as long until half of the usual is left: otherwise it would be let grow again and again. */
  #longSince: number | null = null;

  constructor(within: Bounds, monotonicMs: () => number) {
    this.#bounds = within;
    this.#monotonicMs = monotonicMs;
  }

  get isFull(): boolean {
    const { size } = this.open;
    return size >= this.#bounds.usual && (size >= this.#bounds.most || this.#stands());
  }

  /**
   * Until the work is done, and not until the client has read the answer: that may take as long as the client likes, and of an answer that
   * waits behind others on a dead connection nothing is ever heard. A body that is still to come is no work either.
   */
  join(request: IncomingMessage, response: ServerResponse, work: Promise<unknown>): void {
    let isOver = false;
    const enter = (): void => {
      if (isOver) return;
      this.open.add(response);
      if (this.open.size >= this.#bounds.usual) this.#longSince ??= this.#monotonicMs();
    };
    const leave = (): void => {
      isOver = true;
      this.#leave(response);
    };
    // What came together with its headers is there after this turn, read or not.
    if (hasBody(request)) setImmediate(() => (request.complete ? enter() : request.once('end', enter)));
    else enter();
    work.then(leave, leave);
  }

  #leave(response: ServerResponse): void {
    this.open.delete(response);
    if (this.#longSince !== null && this.open.size <= this.#bounds.usual / 2) this.#longSince = null;
  }

  #stands(): boolean {
    return this.#longSince !== null && this.#monotonicMs() - this.#longSince > momentMilliseconds;
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
