import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../db/database.ts';
import { captureVersion, VersionedLru } from '../../server/cache/versioned-lru.ts';
import { DriverCounter } from '../support/driver-counter.ts';
import { mainlyOn } from '../support/engines.ts';
import { coupon, newOrderId, orders } from '../support/program.ts';
import { TestClock, TestService } from '../support/service.ts';

describe('VersionedLru', () => {
  const source = { committed: 'a' as string | null, commits: 0, version: () => source.committed };
  const now = () => captureVersion(source);
  const cache = (maxSize: number, graceMs = 0) => new VersionedLru<string>({ maxSize, graceMs });

  it('returns an entry until the next commit, and never again after it', () => {
    const cached = cache(10);
    cached.set('one', now(), '1');
    expect(cached.get('one', now())).to.equal('1');
    source.committed = 'b';
    expect(cached.get('one', now())).to.equal(undefined);
    source.committed = 'a';
    expect(cached.get('one', now())).to.equal(undefined);
  });

  it('never returns an entry if something was committed while it was computed', () => {
    const cached = cache(10);
    const readAt = now();
    source.committed = 'c';
    cached.set('one', readAt, '1');
    expect(cached.get('one', now())).to.equal(undefined);
  });

  it('returns an entry for the grace period only where commits of others cannot be seen, and never after a commit of this process', () => {
    source.committed = null;
    const strict = cache(10);
    strict.set('one', now(), '1');
    expect(strict.get('one', now())).to.equal(undefined);
    const lenient = cache(10, 60_000);
    lenient.set('one', now(), '1');
    expect(lenient.get('one', now())).to.equal('1');
    source.commits += 1;
    expect(lenient.get('one', now())).to.equal(undefined);
    source.committed = 'a';
  });

  it('evicts the least recently used entry when it is full, and stores none that is too large', () => {
    const cached = cache(10);
    const held = (...keys: string[]) => keys.map((key) => cached.get(key, now()));
    for (const key of ['one', 'two', 'three']) cached.set(key, now(), key, 4);
    expect(held('one', 'two', 'three')).to.deep.equal([undefined, 'two', 'three']);
    held('two');
    cached.set('four', now(), 'four', 4);
    expect(held('two', 'three', 'four')).to.deep.equal(['two', undefined, 'four']);
    cached.set('huge', now(), 'huge', 11);
    expect(held('huge')).to.deep.equal([undefined]);
  });
});

/** Without those that differ with every request. */
const stableHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name)));

const logFields = (lines: string[]): unknown => {
  const { request: _request, time: _time, milliseconds: _milliseconds, ...rest } = JSON.parse(lines.join('').split('\n')[0] ?? '');
  return rest;
};

mainlyOn('sqlite', (engine) => {
  describe('a cached response', () => {
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

    it('is never older than the last commit of this process or another', async () => {
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

    if (engine.name === 'sqlite')
      it('is stored when it is asked for the second time, and served without a statement from then on', async () => {
        const client = await admin();
        const counter = new DriverCounter();
        const statementsOf = async (): Promise<number> => {
          counter.reset();
          expect((await client.get(`/coupons/${couponId}/orders`)).status).to.equal(200);
          return counter.statements.filter((sql) => sql.includes('coupons')).length;
        };
        await client.get('/webhooks/events');
        const counted = [await statementsOf(), await statementsOf(), await statementsOf()];
        counter.stop();
        expect(counted.map((statements) => statements > 0)).to.deep.equal([true, true, false]);
      });

    it('is not served to another caller, who may see less', async () => {
      const client = await admin();
      const stranger = await service.client((await service.key(await service.user('stranger', 'affiliate'), ['read'])).headers);
      expect((await client.get(`/coupons/${couponId}`)).status).to.equal(200);
      expect((await stranger.get(`/coupons/${couponId}`)).status).to.equal(404);
      expect((await service.client().then((anonymous) => anonymous.get(`/coupons/${couponId}`))).status).to.equal(401);
    });

    it('is not served for a wrong key, also where no key is needed', async () => {
      const anonymous = await service.client();
      for (let time = 0; time < 2; time += 1) expect((await anonymous.get('/openapi')).status).to.equal(200);
      const wrong = await service.client({ Authorization: 'Bearer svc_wrong' });
      const { status, body } = await wrong.get('/openapi');
      expect([status, body.code]).to.deep.equal([401, 'svc_api_invalid_key']);
    });

    it('is not stored under a later commit than the one its caller was identified at', async () => {
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
      const statuses: number[] = [];
      // On PostgreSQL the identity is cached for half a second: there a change of role is seen that much later.
      const [rounds, settled] = engine.name === 'postgres' ? [2, 600] : [40, 15];
      // Some are identified before a commit and answered after it.
      for (let round = 0; round < rounds; round += 1) {
        await become('administrator');
        while ((await ask()).status !== 200) await pause(5);
        await pause((round % 9) * 1.1);
        await become('affiliate');
        await pause(settled);
        statuses.push((await ask()).status);
      }
      over.abort();
      await Promise.all(polling);
      expect(statuses.filter((status) => status !== 403)).to.deep.equal([]);
    });

    it('is not served once the key is revoked, by this process or another', async () => {
      const user = await adminUser();
      const here = await service.key(user, ['read']);
      const there = await service.key(user, ['read']);
      const clients = [await service.client(here.headers), await service.client(there.headers)];
      for (const client of clients) for (let time = 0; time < 3; time += 1) expect((await client.get('/me')).status).to.equal(200);
      await service.storage.write(({ keys }) => keys.revoke(here.id, 1));
      expect((await clients[0]?.get('/me'))?.status).to.equal(401);
      await other.write(({ keys }) => keys.revoke(there.id, 1));
      // On PostgreSQL the identity is cached for half a second.
      if (engine.name === 'postgres') await new Promise((resolve) => setTimeout(resolve, 600));
      expect((await clients[1]?.get('/me'))?.status).to.equal(401);
    });

    it('is not served after a change of the settings', async () => {
      const client = await admin();
      const link = async () => (await client.get(`/coupons/${couponId}`)).body.referral_url;
      for (let time = 0; time < 2; time += 1) expect(await link()).to.contain('https://example.com');
      await service.settings.set('store.url', 'https://fjell.example');
      expect(await link()).to.contain('https://fjell.example');
    });

    it('is not served after the end of the store\'s day, because "until today" then means another day', async () => {
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

    it('has the headers of the computed one, and leaves the same line in the log', async () => {
      const { headers } = await service.key(await adminUser(), ['read']);
      const paths = ['/me', `/coupons/${couponId}`, `/coupons/${couponId}/orders`, '/payouts', '/openapi', '/events', '/webhooks/events'];
      for (const path of paths) {
        const responses = [];
        for (let time = 0; time < 3; time += 1) {
          const line = service.log.length;
          const response = await fetch(`${service.origin}/api/v2${path}`, { headers });
          responses.push({
            status: response.status,
            headers: stableHeaders(response.headers),
            body: await response.text(),
            line: logFields(service.log.slice(line)),
          });
        }
        expect(responses[1], path).to.deep.equal(responses[0]);
        expect(responses[2], path).to.deep.equal(responses[0]);
      }
    });

    it('is not served to an address that is locked out', async () => {
      await service.settings.set('lockout.max_failures', 3);
      const key = await service.key(await adminUser(), ['read']);
      const me = async (headers: Record<string, string>) => (await fetch(`${service.origin}/api/v2/me`, { headers })).status;
      expect([await me(key.headers), await me(key.headers)]).to.deep.equal([200, 200]);
      for (let time = 0; time < 3; time += 1) await me({ Authorization: 'Bearer svc_wrong' });
      expect(await me(key.headers)).to.equal(429);
      await service.settings.set('lockout.max_failures', 0);
      expect(await me(key.headers)).to.equal(200);
    });
  });
});
