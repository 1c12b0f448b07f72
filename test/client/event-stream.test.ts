import { mock } from 'node:test';
import { createApi, follow } from 'affiliate-program-client';
import { expect } from 'chai';

/** Answers polls with an empty feed, streams with `openStream`. */
function clientOf(openStream: (signal: AbortSignal) => Promise<Response>) {
  const counts = { polls: 0, streams: 0 };
  const fetch = async ({ url, signal }: Request): Promise<Response> => {
    counts[url.includes('/stream') ? 'streams' : 'polls'] += 1;
    return url.includes('/stream') ? openStream(signal) : Response.json([], { headers: { 'X-Svc-Total': '0', 'X-Svc-TotalPages': '0' } });
  };
  return { counts, api: createApi({ baseUrl: 'http://127.0.0.1:1/api/v2', fetch }) };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
};

describe('the stream of follow()', () => {
  const stop = new AbortController();
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());

  const started = async (openStream: (signal: AbortSignal) => Promise<Response>) => {
    const { api, counts } = clientOf(openStream);
    void follow(api, { after: 0, signal: stop.signal, idleSeconds: 1, longestIdleSeconds: 1 }).next();
    await settle();
    return counts;
  };
  const tick = async (milliseconds: number): Promise<void> => {
    mock.timers.tick(milliseconds);
    await settle();
  };
  after(() => stop.abort());

  it('is given up for five minutes if nothing of it arrives within ten seconds, as behind a proxy that buffers', async () => {
    const counts = await started((signal) => aborted(signal));
    expect(counts).to.deep.equal({ polls: 1, streams: 1 });
    await tick(9999);
    expect(counts).to.deep.equal({ polls: 1, streams: 1 });
    await tick(1);
    await tick(1000);
    expect(counts).to.deep.equal({ polls: 2, streams: 1 });
    for (let seconds = 0; seconds < 298; seconds += 1) await tick(1000);
    expect(counts.streams).to.equal(1);
    for (let seconds = 0; seconds < 3; seconds += 1) await tick(1000);
    expect(counts.streams).to.equal(2);
  });

  it('is opened anew if it says nothing for 45 seconds', async () => {
    const headers = { 'Content-Type': 'text/event-stream' };
    const counts = await started(async (signal) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('retry: 3000\nid: 0\n\n'));
          signal.addEventListener('abort', () => controller.error(signal.reason));
        },
      });
      return new Response(body, { headers });
    });
    await tick(44_999);
    expect(counts).to.deep.equal({ polls: 1, streams: 1 });
    await tick(1);
    await tick(1000);
    expect(counts).to.deep.equal({ polls: 2, streams: 2 });
  });
});
