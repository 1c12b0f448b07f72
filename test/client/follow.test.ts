import { createApi, type FeedEvent, follow } from 'affiliate-program-client';
import { expect } from 'chai';
import { earn } from '../support/payouts.ts';
import { allOf, type ClientStore, failureOf, onOneEngine, openClientStore } from './store.ts';

const soon = { idleSeconds: 0.01, longestIdleSeconds: 0.02 };

onOneEngine((engine) => {
  describe('follow()', () => {
    let store: ClientStore;
    before(async () => {
      store = await openClientStore(engine);
      for (let sales = 0; sales < 70; sales += 1) await earn(store.service, store.couponId, 1);
    });
    after(() => store.service.stop());

    /** The first so many events. */
    async function first<Event>(count: number, events: AsyncIterable<Event>): Promise<Event[]> {
      const seen: Event[] = [];
      for await (const event of events) if (seen.push(event) === count) break;
      return seen;
    }
    const sum = (events: FeedEvent<'referral'>[]): number => events.reduce((total, { data }) => total + data.commission, 0);

    it('gives all there is, oldest first, each once, over several answers', async () => {
      const { total } = await store.admin.events.list({ after: 0 });
      expect(total).to.be.above(100);
      const events = await first(total, follow(store.admin, { after: 0, ...soon }));
      expect(events.map(({ id }) => id)).to.deep.equal(Array.from({ length: total }, (_, index) => index + 1));
    });

    it('gives the kinds that were asked for, with what each tells', async () => {
      const referrals = await first(70, follow(store.admin, { after: 0, kinds: ['referral'], ...soon }));
      expect(sum(referrals)).to.equal(70);
    });

    it('goes on after the event that was kept', async () => {
      const [, , kept] = await first(3, follow(store.admin, { after: 0, ...soon }));
      const [next] = await first(1, follow(store.admin, { after: kept?.id ?? 0, ...soon }));
      expect(next?.id).to.equal((kept?.id ?? 0) + 1);
    });

    it('gives what happens from now on when no cursor is given, and looks again while nothing does', async () => {
      let looks = 0;
      const fetch = async (request: Request): Promise<Response> => {
        const response = await globalThis.fetch(request);
        looks += 1;
        if (looks === 4) await earn(store.service, store.couponId, 2);
        return response;
      };
      const api = createApi({ baseUrl: store.baseUrl, token: store.adminToken, fetch });
      const [referral] = await first(1, follow(api, { kinds: ['referral'], ...soon }));
      expect(referral?.data.commission).to.equal(2);
    });

    it('waits out a lost connection, a service that is down, and one that has too much to do', async () => {
      const failures = [
        () => Promise.reject(new TypeError('fetch failed')),
        async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
        async () => Response.json({ code: 'svc_api_db_error', message: '', data: { status: 500 } }, { status: 500 }),
        async () => Response.json({ code: 'svc_api_rate_limited', message: '', data: { status: 429, retry_after: 0 } }, { status: 429 }),
      ];
      const waited: unknown[] = [];
      const count = failures.length;
      const fetch = (request: Request): Promise<Response> => failures.shift()?.() ?? globalThis.fetch(request);
      const api = createApi({ baseUrl: store.baseUrl, token: store.adminToken, fetch, retry: false });
      const [event] = await first(1, follow(api, { after: 0, onRetry: (error) => void waited.push(error), ...soon }));
      expect([event?.id, waited.length]).to.deep.equal([1, count]);
    });

    it('throws what no waiting mends', async () => {
      const { affiliate, service, admin } = store;
      expect(await failureOf(allOf(follow(affiliate, { after: 0 })))).to.have.property('code', 'svc_api_forbidden');
      await service.settings.set('activity_log', false);
      expect(await failureOf(allOf(follow(admin, { after: 0 })))).to.have.property('code', 'svc_api_log_disabled');
      await service.settings.set('activity_log', true);
    });

    it('ends without an error when the signal says so: while it waits, while it asks, and between two events', async () => {
      const { total } = await store.admin.events.list({ after: 0 });
      const waiting = new AbortController();
      const idle = allOf(follow(store.admin, { after: total, signal: waiting.signal, idleSeconds: 600 }));
      const asking = new AbortController();
      const fetch = (request: Request): Promise<Response> => {
        asking.abort();
        return globalThis.fetch(request);
      };
      const asked = allOf(follow(createApi({ baseUrl: store.baseUrl, fetch }), { after: 0, signal: asking.signal }));
      const between = new AbortController();
      const seen: number[] = [];
      for await (const { id } of follow(store.admin, { after: 0, signal: between.signal })) if (seen.push(id) === 2) between.abort();
      waiting.abort();
      expect([await idle, await asked, seen]).to.deep.equal([[], [], [1, 2]]);
    });
  });
});
