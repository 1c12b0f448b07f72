import type { ServerResponse } from 'node:http';
import type { EventFilter, EventSelection, RecordedEvent } from '../../domain/events/event.ts';
import type { HeldCredential } from '../../domain/users/credential.ts';

const commentMs = 15_000;
const maxAgeMs = 15 * 60_000;

/** A client waits for this time before it reconnects. */
const retryMs = 3000;

/** For a reader to take what it was sent before the end. With the look that finds a revoked key it is less than a second. */
const endingMs = 500;

/** What may wait in this process for one reader. */
export const maxBehindBytes = 2 ** 20;

/** An event as it is sent. */
export interface EventFrame extends Pick<RecordedEvent, 'id' | 'kind' | 'userId'> {
  text: string;
}

/** JSON has no line breaks, so the data is one line. */
export const createFrame = ({ id, kind, userId }: RecordedEvent, record: unknown): EventFrame => ({
  id,
  kind,
  userId,
  text: `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(record)}\n\n`,
});

/** The identity that opened a stream. */
export interface StreamHolder {
  /** Whose limit the stream counts against. */
  bucket: string;
  credential: HeldCredential;
}

/** One reader of the feed, to whom each event that it selects is sent once. */
export class EventStream {
  readonly holder: StreamHolder;
  readonly filter: EventFilter;
  readonly #response: ServerResponse;
  readonly #openedAt: number;
  #commentedAt: number;
  #cursor: number;
  #isLive = false;

  /** The headers are sent already. */
  constructor(response: ServerResponse, { filter, after }: EventSelection, holder: StreamHolder, now: number) {
    this.holder = holder;
    this.filter = filter;
    this.#response = response;
    this.#openedAt = now;
    this.#commentedAt = now;
    this.#cursor = after;
    // A client that is disconnected before the first event continues from here.
    this.#write(`retry: ${retryMs}\nid: ${after}\n\n`);
  }

  /** The id up to which everything was sent that the filter selects. */
  get cursor(): number {
    return this.#cursor;
  }

  /** Receives new events as they are committed; before, those between its cursor and them. */
  get isLive(): boolean {
    return this.#isLive && this.isOpen;
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  goLive(): void {
    this.#isLive = true;
  }

  /** Sends the events up to `last` that are selected and were not sent before. */
  send(frames: readonly EventFrame[], last: number): void {
    const selected = frames.filter((frame) => frame.id > this.#cursor && this.#selects(frame));
    this.#cursor = Math.max(this.#cursor, last);
    if (selected.length > 0) this.#write(selected.map(({ text }) => text).join(''));
  }

  /** Resolves when the reader has taken what was sent, or is gone. */
  async drained(): Promise<void> {
    const response = this.#response;
    if (!this.isOpen || !response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        response.off('drain', finish).off('close', finish);
        resolve();
      };
      response.on('drain', finish).on('close', finish);
    });
  }

  /** Sends the comment that keeps the connection open, or ends a stream that is old. */
  maintain(now: number): void {
    if (hasPassed(maxAgeMs, this.#openedAt, now)) return this.end();
    if (!hasPassed(commentMs, this.#commentedAt, now)) return;
    this.#commentedAt = now;
    this.#write(':\n\n');
  }

  /** The client continues by the id of the last event. A reader that does not take the end is disconnected. */
  end(): void {
    if (!this.isOpen) return;
    const response = this.#response;
    const timer = setTimeout(() => response.destroy(), endingMs);
    response.end(() => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  }

  #selects({ kind, userId }: EventFrame): boolean {
    const { kinds, userId: wanted } = this.filter;
    return (kinds.length === 0 || kinds.includes(kind)) && (wanted === null || wanted === userId);
  }

  #write(text: string): void {
    if (!this.isOpen) return;
    this.#response.write(text);
    // Not ended, which would wait for the reader. One that catches up is waited for instead.
    if (this.#isLive && this.#response.writableLength > maxBehindBytes) this.#response.destroy();
  }
}

/** Also where the clock was set back: that must not postpone it. */
const hasPassed = (milliseconds: number, since: number, now: number): boolean => Math.abs(now - since) >= milliseconds;
