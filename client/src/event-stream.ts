import { createFinalURL, createQuerySerializer } from 'openapi-fetch';
import type { Connection } from './connection.ts';
import type { FeedEvent } from './events.ts';
import { streamType } from './retry.ts';

/** The service begins to send at once. A proxy that buffers holds that back. */
const firstBytesMs = 10_000;

/** The service sends a comment every 15 seconds. */
const silenceMs = 45_000;

interface StreamOptions {
  query: Record<string, unknown>;
  signal: AbortSignal | undefined;
  /** Called if the site does not offer a stream to this caller, or if nothing of it arrives. */
  onUnavailable(): void;
}

/** The events of `GET /events/stream`, until it ends or the connection is lost. Never throws: the next poll meets the same problem. */
export async function* readEventStream(
  { baseUrl, fetch }: Connection,
  { query, signal, onUnavailable }: StreamOptions,
): AsyncGenerator<FeedEvent, void, undefined> {
  const connection = new AbortController();
  const abort = (): void => connection.abort();
  signal?.addEventListener('abort', abort);
  try {
    const request = new Request(urlOf(baseUrl, query), { headers: { Accept: streamType }, signal: connection.signal });
    const response = await within(firstBytesMs, fetch(request), abort);
    if (response && !response.headers.get('Content-Type')?.startsWith(streamType)) return onUnavailable();
    const reader = response?.body?.getReader();
    const blocks = new BlockReader();
    let part = await within(firstBytesMs, reader?.read(), abort);
    if (!part && connection.signal.aborted && !signal?.aborted) onUnavailable();
    for (; part?.value; part = await within(silenceMs, reader?.read(), abort)) yield* blocks.read(part.value);
  } finally {
    signal?.removeEventListener('abort', abort);
    abort();
  }
}

function urlOf(baseUrl: string, query: StreamOptions['query']): string {
  const querySerializer = createQuerySerializer({ array: { style: 'form', explode: false } });
  return createFinalURL('/events/stream', { baseUrl, params: { query }, querySerializer, pathSerializer: String });
}

/** Undefined if the work fails, or takes longer and is aborted. */
async function within<Result>(milliseconds: number, work: Promise<Result> | undefined, abort: () => void): Promise<Result | undefined> {
  const timer = setTimeout(abort, milliseconds);
  try {
    return await work;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Parses blocks that end with an empty line. Only events have data, which is one line. */
class BlockReader {
  readonly #decoder = new TextDecoder();
  #unread = '';

  read(bytes: Uint8Array): FeedEvent[] {
    const blocks = `${this.#unread}${this.#decoder.decode(bytes, { stream: true })}`.split('\n\n');
    this.#unread = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      return data === undefined ? [] : [JSON.parse(data) as FeedEvent];
    });
  }
}
