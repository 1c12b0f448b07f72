import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createApi, type FeedEvent, follow } from 'affiliate-program-client';
import { expect } from 'chai';
import { waitUntil } from '../cli/running-service.ts';
import { earn } from '../support/payouts.ts';
import { type ClientFixture, collect, onSqlite, rejectionOf, startClientFixture } from './fixture.ts';

const shortIdle = { idleSeconds: 0.01, longestIdleSeconds: 0.02 };

onSqlite((engine) => {
  describe('follow()', () => {
    let fixture: ClientFixture;
    before(async () => {
      fixture = await startClientFixture(engine);
      for (let sales = 0; sales < 70; sales += 1) await earn(fixture.service, fixture.couponId, 1);
    });
    after(() => fixture.service.stop());

    /** The first `count` events. */
    async function first<Event>(count: number, events: AsyncIterable<Event>): Promise<Event[]> {
      const seen: Event[] = [];
      for await (const event of events) if (seen.push(event) === count) break;
      return seen;
    }
    const sum = (events: FeedEvent<'referral'>[]): number => events.reduce((total, { data }) => total + data.commission, 0);

    it('returns all events over several pages, oldest first, each once', async () => {
      const { total } = await fixture.admin.events.list({ after: 0 });
      expect(total).to.be.above(100);
      const events = await first(total, follow(fixture.admin, { after: 0, ...shortIdle }));
      expect(events.map(({ id }) => id)).to.deep.equal(Array.from({ length: total }, (_, index) => index + 1));
    });

    it('returns events of the requested kinds with their data', async () => {
      const referrals = await first(70, follow(fixture.admin, { after: 0, kinds: ['referral'], ...shortIdle }));
      expect(sum(referrals)).to.equal(70);
    });

    it('continues after the stored cursor', async () => {
      const [, , last] = await first(3, follow(fixture.admin, { after: 0, ...shortIdle }));
      const [next] = await first(1, follow(fixture.admin, { after: last?.id ?? 0, ...shortIdle }));
      expect(next?.id).to.equal((last?.id ?? 0) + 1);
    });

    it('returns new events only without a cursor, and polls until there is one', async () => {
      let polls = 0;
      const fetch = async (request: Request): Promise<Response> => {
        const response = await globalThis.fetch(request);
        polls += 1;
        if (polls === 4) await earn(fixture.service, fixture.couponId, 2);
        return response;
      };
      const api = createApi({ baseUrl: fixture.baseUrl, token: fixture.adminToken, fetch });
      const [referral] = await first(1, follow(api, { kinds: ['referral'], ...shortIdle }));
      expect(referral?.data.commission).to.equal(2);
    });

    it('retries after a lost connection, while the service is down, and while it is overloaded', async () => {
      const failures = [
        () => Promise.reject(new TypeError('fetch failed')),
        async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
        async () => Response.json({ code: 'svc_api_db_error', message: '', data: { status: 500 } }, { status: 500 }),
        async () => Response.json({ code: 'svc_api_rate_limited', message: '', data: { status: 429, retry_after: 0 } }, { status: 429 }),
      ];
      const retried: unknown[] = [];
      const count = failures.length;
      const fetch = (request: Request): Promise<Response> => failures.shift()?.() ?? globalThis.fetch(request);
      const api = createApi({ baseUrl: fixture.baseUrl, token: fixture.adminToken, fetch, retry: false });
      const [event] = await first(1, follow(api, { after: 0, onRetry: (error) => void retried.push(error), ...shortIdle }));
      expect([event?.id, retried.length]).to.deep.equal([1, count]);
    });

    describe('with a stream', () => {
      before(() => fixture.service.settings.set('addons.agents', true));
      after(() => fixture.service.settings.unset('addons.agents'));

      /** A client that counts polls and streams, and can break the open stream. */
      function countingApi(changeStream: (response: Response) => Response = (response) => response) {
        const counts = { polls: 0, streams: 0 };
        let broken = new AbortController();
        const fetch = async (request: Request): Promise<Response> => {
          if (!request.url.includes('/events/stream')) counts.polls += 1;
          else counts.streams += 1;
          broken = new AbortController();
          const signal = AbortSignal.any([request.signal, broken.signal]);
          const response = await globalThis.fetch(new Request(request, { signal }));
          return request.url.includes('/events/stream') ? changeStream(response) : response;
        };
        const api = createApi({ baseUrl: fixture.baseUrl, token: fixture.adminToken, fetch });
        return { api, counts, breakStream: () => broken.abort() };
      }

      it('receives new events without another poll', async () => {
        const { api, counts } = countingApi();
        const seen = first(5, follow(api, { kinds: ['referral'], ...shortIdle }));
        await waitUntil(5000, async () => counts.streams === 1);
        for (const commission of [1, 2, 3, 4, 5]) await earn(fixture.service, fixture.couponId, commission);
        expect((await seen).map(({ data }) => data.commission)).to.deep.equal([1, 2, 3, 4, 5]);
        expect(counts).to.deep.equal({ polls: 2, streams: 1 });
      });

      it('ends when it is aborted after a garbage collection, which loses the signals of requests', async () => {
        setFlagsFromString('--expose-gc');
        const collectGarbage = runInNewContext('gc') as () => void;
        const stop = new AbortController();
        const counts = { streams: 0 };
        const fetch = (request: Request): Promise<Response> => {
          if (request.url.includes('/stream')) counts.streams += 1;
          return globalThis.fetch(request);
        };
        const api = createApi({ baseUrl: fixture.baseUrl, token: fixture.adminToken, fetch });
        const next = follow(api, { signal: stop.signal, ...shortIdle }).next();
        await waitUntil(5000, async () => counts.streams === 1);
        for (let turn = 0; turn < 5; turn += 1) {
          await new Promise(setImmediate);
          collectGarbage();
        }
        stop.abort();
        expect(await Promise.race([next, pause(5000, 'still open')])).to.deep.equal({ done: true, value: undefined });
      });

      it('sees every event once over lost connections', async () => {
        const { api, counts, breakStream } = countingApi();
        const { total } = await fixture.admin.events.list({ after: 0 });
        const ids: number[] = [];
        for await (const { id } of follow(api, { after: 0, ...shortIdle })) {
          ids.push(id);
          if (counts.streams === 4) break;
          if (id >= total) {
            breakStream();
            await earn(fixture.service, fixture.couponId, 1);
          }
        }
        expect(ids).to.deep.equal(ids.map((_, at) => at + 1));
        expect(ids.length).to.be.above(total);
      });

      it('polls where the service refuses another stream, and where a proxy holds the stream back', async () => {
        for (const changed of [
          () => Response.json({ code: 'svc_api_too_many_streams', message: '', data: { status: 429, retry_after: 60 } }, { status: 429 }),
          () => new Response('<h1>not here</h1>', { status: 200, headers: { 'Content-Type': 'text/html' } }),
        ]) {
          const { api, counts } = countingApi(changed);
          const polled = first(1, follow(api, { kinds: ['referral'], ...shortIdle }));
          await waitUntil(5000, async () => counts.polls > 5);
          await earn(fixture.service, fixture.couponId, 1);
          expect(await polled).to.have.length(1);
          expect(counts.streams).to.equal(1);
        }
      });
    });

    it('throws errors that do not pass with time', async () => {
      const { affiliate, service, admin } = fixture;
      expect(await rejectionOf(collect(follow(affiliate, { after: 0 })))).to.have.property('code', 'svc_api_forbidden');
      await service.settings.set('activity_log', false);
      expect(await rejectionOf(collect(follow(admin, { after: 0 })))).to.have.property('code', 'svc_api_log_disabled');
      await service.settings.set('activity_log', true);
    });

    it('ends without an error when the signal is aborted: while idle, during a request, and between two events', async () => {
      const { total } = await fixture.admin.events.list({ after: 0 });
      const waiting = new AbortController();
      const idle = collect(follow(fixture.admin, { after: total, signal: waiting.signal, idleSeconds: 600 }));
      const requesting = new AbortController();
      const fetch = (request: Request): Promise<Response> => {
        requesting.abort();
        return globalThis.fetch(request);
      };
      const requested = collect(follow(createApi({ baseUrl: fixture.baseUrl, fetch }), { after: 0, signal: requesting.signal }));
      const between = new AbortController();
      const seen: number[] = [];
      for await (const { id } of follow(fixture.admin, { after: 0, signal: between.signal })) if (seen.push(id) === 2) between.abort();
      waiting.abort();
      expect([await idle, await requested, seen]).to.deep.equal([[], [], [1, 2]]);
    });
  });
});
