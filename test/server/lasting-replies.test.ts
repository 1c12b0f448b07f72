import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/database.ts';
import { Remembered } from '../../server/cache/versioned-lru.ts';
import { forEachEngine } from '../support/engines.ts';
import { coupon, newOrderId, orders } from '../support/program.ts';
import { TestClock, TestService } from '../support/service.ts';

describe('what is remembered', () => {
  const source = { told: 'a' as string | null, commits: 0, version: () => source.told };
  const memory = (most: number, graceMilliseconds = 0) => new Remembered<string>(source, { most, graceMilliseconds });

  it('is given again until somebody commits', () => {
    const remembered = memory(10);
    remembered.set('one', remembered.mark(), '1');
    expect(remembered.get('one')).to.equal('1');
    source.told = 'b';
    expect(remembered.get('one')).to.equal(undefined);
    source.told = 'a';
    expect(remembered.get('one')).to.equal(undefined);
  });

  it('is old from the start when somebody committed while it was made', () => {
    const remembered = memory(10);
    const mark = remembered.mark();
    source.told = 'c';
    remembered.set('one', mark, '1');
    expect(remembered.get('one')).to.equal(undefined);
  });

  it('where commits of others cannot be seen, is given for the time of grace alone, and never after a commit of our own', () => {
    source.told = null;
    const strict = memory(10);
    strict.set('one', strict.mark(), '1');
    expect(strict.get('one')).to.equal(undefined);
    const lenient = memory(10, 60_000);
    lenient.set('one', lenient.mark(), '1');
    expect(lenient.get('one')).to.equal('1');
    source.commits += 1;
    expect(lenient.get('one')).to.equal(undefined);
    source.told = 'a';
  });

  it('goes when there is no more room, the least used first', () => {
    const remembered = memory(10);
    for (const key of ['one', 'two', 'three']) remembered.set(key, remembered.mark(), key, 4);
    expect(['one', 'two', 'three'].map((key) => remembered.get(key))).to.deep.equal([undefined, 'two', 'three']);
    remembered.get('two');
    remembered.set('four', remembered.mark(), 'four', 4);
    expect(['two', 'three', 'four'].map((key) => remembered.get(key))).to.deep.equal(['two', undefined, 'four']);
    remembered.set('huge', remembered.mark(), 'huge', 11);
    expect(remembered.get('huge')).to.equal(undefined);
  });
});

/** All but what is another with every request. */
const lasting = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name)));

const told = (lines: string[]): unknown => {
  const { request: _request, time: _time, milliseconds: _milliseconds, ...rest } = JSON.parse(lines.join('').split('\n')[0] ?? '');
  return rest;
};

forEachEngine((engine) => {
  describe('an answer that is given again', () => {
    let service: TestService;
    /** As another process would: the command line, or a second server. */
    let other: Database;
    let couponId: number;
    const clock = new TestClock();
    before(async () => {
      service = await (await TestService.start({ databaseUrl: await engine.freshUrl(), clock })).withoutLimits();
      other = await openDatabase({ url: service.databaseUrl });
      couponId = await coupon(service, 'TRAIL10', { userId: (await service.user('trail', 'affiliate')).id });
    });
    after(async () => {
      await other.close();
      await service.stop();
    });

    const admin = async () => service.client((await service.key(await adminUser(), ['read', 'write'])).headers);
    let boss: Awaited<ReturnType<TestService['user']>> | undefined;
    const adminUser = async () => (boss ??= await service.user('boss', 'administrator'));

    it('is never older than the last commit, of this process or another', async () => {
      const client = await admin();
      const unpaid = async () => (await client.get(`/coupons/${couponId}`)).body.unpaid_commission;
      for (let round = 1; round <= 20; round += 1) {
        expect(await unpaid()).to.equal((round - 1) * 20);
        expect(await unpaid()).to.equal((round - 1) * 20);
        await orders(service, [{ id: newOrderId(), coupon: couponId, at: '2026-11-01T10:00:00Z', total: 100 }]);
        expect(await unpaid()).to.equal((round - 1) * 20 + 10);
        const elsewhere = { settings: service.settings, clock, hashVisitor: service.hashVisitor, storage: other };
        await orders(elsewhere, [{ id: newOrderId(), coupon: couponId, at: '2026-11-01T10:00:00Z', total: 100 }]);
      }
    });

    it("is the caller's own: who may see less is not given what another saw", async () => {
      const client = await admin();
      const stranger = await service.client((await service.key(await service.user('stranger', 'affiliate'), ['read'])).headers);
      expect((await client.get(`/coupons/${couponId}`)).status).to.equal(200);
      expect((await stranger.get(`/coupons/${couponId}`)).status).to.equal(404);
      expect((await service.client().then((anonymous) => anonymous.get(`/coupons/${couponId}`))).status).to.equal(401);
    });

    it('is not given to whoever sends a wrong key, also where no key is needed', async () => {
      const anonymous = await service.client();
      for (let time = 0; time < 2; time += 1) expect((await anonymous.get('/openapi')).status).to.equal(200);
      const wrong = await service.client({ Authorization: 'Bearer svc_wrong' });
      const { status, body } = await wrong.get('/openapi');
      expect([status, body.code]).to.deep.equal([401, 'svc_api_invalid_key']);
    });

    it('is not kept under a later commit than the one its caller was identified by', async () => {
      const user = await service.user('climber', 'administrator');
      const { headers } = await service.key(user, ['read']);
      const ask = () => fetch(`${service.origin}/api/v2/affiliates`, { headers });
      const observer = await engine.observe(service.databaseUrl);
      const become = (role: string) => observer.query(`update users set role = '${role}' where id = ${user.id}`);
      const over = new AbortController();
      const poll = async (): Promise<void> => {
        while (!over.signal.aborted) await ask().then((response) => response.text());
      };
      const polling = Array.from({ length: 4 }, poll);
      const kept: number[] = [];
      // PostgreSQL would have to be asked every time: there a role is seen half a second later, gained or lost.
      const [rounds, settled] = engine.name === 'postgres' ? [2, 600] : [40, 15];
      // Some are identified before a commit and answered after it.
      for (let round = 0; round < rounds; round += 1) {
        await become('administrator');
        while ((await ask()).status !== 200) await pause(5);
        await pause((round % 9) * 1.1);
        await become('affiliate');
        await pause(settled);
        kept.push((await ask()).status);
      }
      over.abort();
      await Promise.all(polling);
      expect(kept.filter((status) => status !== 403)).to.deep.equal([]);
    });

    it('is not given once the key is revoked, here or by another process', async () => {
      const user = await adminUser();
      const here = await service.key(user, ['read']);
      const there = await service.key(user, ['read']);
      const clients = [await service.client(here.headers), await service.client(there.headers)];
      for (const client of clients) for (let time = 0; time < 3; time += 1) expect((await client.get('/me')).status).to.equal(200);
      await service.storage.write(({ keys }) => keys.revoke(here.id, 1));
      expect((await clients[0]?.get('/me'))?.status).to.equal(401);
      await other.write(({ keys }) => keys.revoke(there.id, 1));
      // PostgreSQL would have to be asked every time: there it takes up to half a second.
      if (engine.name === 'postgres') await new Promise((resolve) => setTimeout(resolve, 600));
      expect((await clients[1]?.get('/me'))?.status).to.equal(401);
    });

    it('follows the settings', async () => {
      const client = await admin();
      const link = async () => (await client.get(`/coupons/${couponId}`)).body.referral_url;
      expect(await link()).to.contain('https://example.com');
      await service.settings.set('store.url', 'https://fjell.example');
      expect(await link()).to.contain('https://fjell.example');
    });

    it('ends with the store\'s day, because "until today" means another day then', async () => {
      const client = await admin();
      const to = async () => (await client.get('/payouts?from=2026-11-01')).headers.get('X-Svc-Total');
      const stats = async () => (await client.get(`/clicks/stats?coupon_id=${couponId}&from=2026-11-01`)).body.to;
      expect([await stats(), await stats(), await to()]).to.deep.equal(['2026-11-02', '2026-11-02', '0']);
      clock.advance(24 * 3600);
      expect([await stats(), await stats()]).to.deep.equal(['2026-11-03', '2026-11-03']);
      // Or is set back to the day before.
      clock.advance(-24 * 3600);
      expect(await stats()).to.equal('2026-11-02');
    });

    it('is counted against the limit like every other', async () => {
      const client = await admin();
      const left = async () => Number(/r=(\d+)/.exec((await client.get('/me')).headers.get('RateLimit') ?? '')?.[1]);
      const before = await left();
      expect(await left()).to.equal(before - 1);
    });

    it('has the headers of the one that was worked out, and leaves the same line in the log', async () => {
      const { headers } = await service.key(await adminUser(), ['read']);
      const paths = ['/me', `/coupons/${couponId}`, `/coupons/${couponId}/orders`, '/payouts', '/openapi', '/events', '/webhooks/events'];
      for (const path of paths) {
        const given = [];
        for (let time = 0; time < 3; time += 1) {
          const line = service.log.length;
          const response = await fetch(`${service.origin}/api/v2${path}`, { headers });
          given.push({
            status: response.status,
            headers: lasting(response.headers),
            body: await response.text(),
            line: told(service.log.slice(line)),
          });
        }
        expect(given[1], path).to.deep.equal(given[0]);
        expect(given[2], path).to.deep.equal(given[0]);
      }
    });

    it('is refused at the ceiling like every other, and not one request later', async () => {
      const key = await service.key(await adminUser(), ['read']);
      await service.settings.set('limits.authenticated', 7);
      const statuses = [];
      for (let time = 0; time < 9; time += 1) statuses.push((await fetch(`${service.origin}/api/v2/me`, { headers: key.headers })).status);
      await service.settings.set('limits.authenticated', 1_000_000);
      expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 200, 200, 429, 429]);
    });

    it('is not given to an address that is locked out', async () => {
      await service.settings.set('lockout.max_failures', 3);
      const key = await service.key(await adminUser(), ['read']);
      const me = async (headers: Record<string, string>) => (await fetch(`${service.origin}/api/v2/me`, { headers })).status;
      expect([await me(key.headers), await me(key.headers)]).to.deep.equal([200, 200]);
      for (let time = 0; time < 3; time += 1) await me({ Authorization: 'Bearer svc_wrong' });
      expect(await me(key.headers)).to.equal(429);
      await service.settings.set('lockout.max_failures', 0);
      expect(await me(key.headers)).to.equal(200);
    });

    it('says first that figures were worked out, then that they were kept', async () => {
      const client = await admin();
      const source = async () => (await client.get(`/coupons/${couponId}/stats?from=2026-10-01&to=2026-10-31`)).body.source;
      expect([await source(), await source(), await source()]).to.deep.equal(['live', 'cache', 'cache']);
    });
  });
});
