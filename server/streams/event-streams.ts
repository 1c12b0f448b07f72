import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../domain/clock.ts';
import { dayOf } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import type { EventFilter, EventSelection, RecordedEvent } from '../../domain/events/event.ts';
import type { Settings } from '../../site/settings/settings.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';
import type { Identity } from '../auth/identity.ts';
import type { RequestContext } from '../http/request-context.ts';
import { onResponseEnd } from '../http/response-end.ts';
import { bucketOf } from '../limits/admit.ts';
import { createFrame, type EventFrame, EventStream, type StreamHolder } from './event-stream.ts';

export const streamLimits = { perIdentity: 3, perProcess: 500 } as const;

/** How often to look for commits of other processes, and for changes of settings and credentials: twice, it must be less than a second. */
const lookEveryMs = 250;

/** Events that are committed within this time are read together. */
const gatherMs = 10;

const pageSize = 100;
const allEvents: EventFilter = { kinds: [], userId: null };

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Compressed, an event would wait for others.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

export interface EventStreamsParts {
  storage: Pick<Database, 'query' | 'read' | 'version' | 'onEvents'>;
  settings: Pick<SiteSettings, 'current'>;
  clock: Clock;
  log: Logger;
  /** The records of `GET /events`. */
  present(events: readonly RecordedEvent[], settings: Settings): readonly unknown[];
}

/**
 * The open streams of this process. New events are read once for all of them: after each commit of this process, and several times a second
 * for commits of others. A stream reads what lies before them by itself. Ids have no gaps and become visible in their order
 * (db/repositories/events.ts), so reading on from the last id misses nothing.
 */
export class EventStreams {
  readonly #parts: EventStreamsParts;
  readonly #open = new Set<EventStream>();
  /** Everything up to this id was sent to the streams that are live. */
  #tail = 0;
  #settings: Settings | undefined;
  #watch: { stop(): void } | undefined;
  #isReading = false;
  #isStale = false;
  #isChecking = false;
  #isFailing = false;
  #isClosed = false;

  constructor(parts: EventStreamsParts) {
    this.#parts = parts;
  }

  /** Answers the request with a stream. @throws ApiError if there are too many. */
  open(ctx: RequestContext, selection: EventSelection, headers: Readonly<Record<string, string>>): void {
    const { identity, settings } = ctx.state;
    const holder = holderOf(identity);
    this.#requireRoom(holder);
    ctx.respond = false;
    ctx.res.writeHead(200, { ...ctx.state.headers, ...headers, ...streamHeaders });
    if (ctx.method === 'HEAD') return void ctx.res.end();
    if (ctx.req.socket.destroyed) return;
    this.#endUnlessUnder(settings);
    const stream = new EventStream(ctx.res, selection, holder, this.#parts.clock.now());
    this.#open.add(stream);
    onResponseEnd(ctx, () => this.#remove(stream));
    this.#watch ??= this.#startWatching();
    void this.#catchUp(stream);
  }

  /** Ends all streams and opens no more. */
  close(): void {
    this.#isClosed = true;
    this.#endAll();
    this.#watch?.stop();
  }

  #requireRoom({ bucket }: StreamHolder): void {
    if (this.#isClosed || this.#open.size >= streamLimits.perProcess)
      throw new ApiError('svc_api_overloaded', { data: { retry_after: 3 } });
    const own = [...this.#open].filter(({ holder, isOpen }) => isOpen && holder.bucket === bucket);
    if (own.length >= streamLimits.perIdentity) throw new ApiError('svc_api_too_many_streams', { data: { retry_after: 60 } });
  }

  #remove(stream: EventStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    this.#watch?.stop();
    this.#watch = undefined;
  }

  #endAll(): void {
    for (const stream of this.#open) stream.end();
  }

  /** Any setting may decide what a stream may show and to whom: a stream of other settings ends, and the client opens it anew. */
  #endUnlessUnder(settings: Settings): void {
    if (this.#settings !== settings) this.#endAll();
    this.#settings = settings;
  }

  #startWatching(): { stop(): void } {
    const { storage } = this.#parts;
    let gathering: NodeJS.Timeout | undefined;
    const unsubscribe = storage.onEvents(() => {
      gathering ??= setTimeout(() => {
        gathering = undefined;
        void this.#readNew();
      }, gatherMs);
    });
    let seen: string | null = null;
    const timer = setInterval(() => {
      for (const stream of this.#open) stream.maintain(this.#parts.clock.now());
      const version = storage.version();
      if (version === null || version !== seen || this.#isFailing) void this.#readNew();
      seen = version;
      void this.#check();
    }, lookEveryMs);
    return {
      stop() {
        unsubscribe();
        clearInterval(timer);
        clearTimeout(gathering);
      },
    };
  }

  /** Ends the streams that would not be opened any more. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { storage, settings, clock } = this.#parts;
    await this.#try(async () => {
      const current = await settings.current();
      this.#endUnlessUnder(current);
      const streams = [...this.#open];
      const now = clock.now();
      const held = streams.map(({ holder }) => holder.credential);
      const withdrawn = await storage.query(({ credentials }) => credentials.findWithdrawn(held, now, dayOf(now, current.store.timezone)));
      for (const place of withdrawn) streams[place]?.end();
    });
    this.#isChecking = false;
  }

  /** Sends the live streams what was committed since the last time. Called while it runs, it reads once more. */
  async #readNew(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    await this.#try(async () => {
      while (this.#isStale) {
        this.#isStale = false;
        const live = (): EventStream[] => [...this.#open].filter(({ isLive }) => isLive);
        if (live().length === 0) return;
        const from = this.#tail;
        const { items } = await this.#parts.storage.query(({ events }) => events.after(from, allEvents, pageSize));
        const last = items.at(-1)?.id ?? from;
        // All live streams were closed meanwhile, and another one begins elsewhere.
        if (this.#tail !== from) {
          this.#isStale = true;
          continue;
        }
        const frames = this.#toFrames(items);
        for (const stream of live()) stream.send(frames, last);
        this.#tail = last;
        if (items.length === pageSize) this.#isStale = true;
      }
    });
    this.#isReading = false;
  }

  /** Sends what lies between the cursor of the stream and the tail, as fast as it is read, then goes live. */
  async #catchUp(stream: EventStream): Promise<void> {
    await this.#try(async () => {
      while (stream.isOpen && !stream.isLive) {
        const { items, lastId } = await this.#parts.storage.read(async ({ events }) => {
          const page = await events.after(stream.cursor, stream.filter, pageSize);
          return { items: page.items, lastId: await events.lastId() };
        });
        const isComplete = items.length < pageSize;
        stream.send(this.#toFrames(items), isComplete ? lastId : (items.at(-1)?.id ?? lastId));
        await stream.drained();
        if (isComplete) this.#goLive(stream, lastId);
      }
    });
    if (!stream.isLive) stream.end();
  }

  /** Unless the others were sent more meanwhile than `seen`, up to which the stream has everything. */
  #goLive(stream: EventStream, seen: number): void {
    if (![...this.#open].some(({ isLive }) => isLive)) this.#tail = seen;
    if (seen < this.#tail) return;
    stream.goLive();
    // Committed since the read, and announced when no stream was live.
    void this.#readNew();
  }

  #toFrames(events: readonly RecordedEvent[]): EventFrame[] {
    const records = this.#settings && events.length > 0 ? this.#parts.present(events, this.#settings) : [];
    return events.map((event, index) => createFrame(event, records[index]));
  }

  /** A failure is logged once, until it has passed. Streams go on: the next look tries again. */
  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#parts.log.warn({ err: error }, 'the streams could not read the database; they try again');
      this.#isFailing = true;
    }
  }
}

function holderOf(identity: Identity): StreamHolder {
  if (identity.kind !== 'caller') throw new ApiError('svc_api_unauthorized');
  const { caller, session, appPasswordId = null } = identity;
  const { user, keyId } = caller;
  const credential = { userId: user.id, role: user.role, keyId, appPasswordId, sessionHash: session?.hash ?? null };
  return { bucket: bucketOf(identity), credential };
}
