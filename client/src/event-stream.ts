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
  const aborted = new Promise<undefined>((resolve) => connection.signal.addEventListener('abort', () => resolve(undefined)));
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  // Node loses the signal of a request that was made from another one when it collects garbage, so what is open is cancelled, too.
  const cancel = (): unknown => reader?.cancel().catch(() => {});
  void aborted.then(cancel);
  const open = async (): Promise<Response> => {
    const request = new Request(urlOf(baseUrl, query), { headers: { Accept: streamType }, signal: connection.signal });
    const response = await fetch(request);
    reader = response.body?.getReader();
    if (connection.signal.aborted) cancel();
    return response;
  };
  /** Undefined if the work fails, takes longer, or is aborted. */
  const within = async <Result>(milliseconds: number, work: Promise<Result> | undefined): Promise<Result | undefined> => {
    const timer = setTimeout(abort, milliseconds);
    const result = await Promise.race([work, aborted]).catch(() => undefined);
    clearTimeout(timer);
    return result;
  };
  signal?.addEventListener('abort', abort);
  try {
    const response = await within(firstBytesMs, open());
    if (response && !response.headers.get('Content-Type')?.startsWith(streamType)) return onUnavailable();
    const blocks = new BlockReader();
    let part = await within(firstBytesMs, reader?.read());
    if (connection.signal.aborted && !signal?.aborted) onUnavailable();
    for (; part?.value; part = await within(silenceMs, reader?.read())) yield* blocks.read(part.value);
  } finally {
    signal?.removeEventListener('abort', abort);
    abort();
  }
}

function urlOf(baseUrl: string, query: StreamOptions['query']): string {
  const querySerializer = createQuerySerializer({ array: { style: 'form', explode: false } });
  return createFinalURL('/events/stream', { baseUrl, params: { query }, querySerializer, pathSerializer: String });
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
