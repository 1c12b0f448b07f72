import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { checkStoreConnection } from '../../cli/doctor/store.ts';
import { translatePayload } from '../../connectors/translate.ts';
import { woocommerce } from '../../connectors/woocommerce.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { connectStore } from '../../domain/store/manage-connections.ts';
import { recordUpdates } from '../../domain/store/record-updates.ts';
import { type PullResult, pullOrders } from '../../server/store/pull.ts';
import { maxAttempts, openShopApi } from '../../server/store/shop-api.ts';
import { buildProgram } from '../../site/program.ts';
import { Machine, waitForExit } from '../cli/machine.ts';
import { waitUntil } from '../cli/running-service.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { masterKey, suiteService } from '../support/service.ts';
import { type Intervention, WooCommerceServer } from '../support/woocommerce-server.ts';

// PROVE_RUNS: number of random shops on each engine.
const numberOfRuns = Number(process.env['PROVE_RUNS'] ?? 3);
const minute = 60_000;
const day = 24 * 60 * minute;

onAnyEngine((engine) => {
  describe('affiliate store pull', function () {
    this.timeout(180_000 + numberOfRuns * 2000);
    const { service } = suiteService(engine, { settings: { 'store.currency': 'EUR' } });
    let shop: WooCommerceServer;
    let connectionId = '';
    const waits: number[] = [];

    const connection = async () => {
      const found = await service.storage.read(({ connections }) => connections.byId(connectionId));
      if (!found) throw new Error('The connection is gone.');
      return found;
    };
    interface Pulled {
      since?: string;
      url?: string;
      secret?: string;
      isGuarded?: boolean;
    }
    const pull = async ({ since, url = shop.url, secret = shop.secret, isGuarded = false }: Pulled = {}): Promise<PullResult> => {
      const rules = { allowPlainHttpAndLoopback: !isGuarded, ports: [443] };
      return pullOrders({
        storage: service.storage,
        clock: service.clock,
        settings: await service.settings.current(),
        hashVisitor: service.hashVisitor,
        connector: woocommerce,
        connection: await connection(),
        api: openShopApi({
          api: woocommerce.pull,
          url,
          key: shop.key,
          secret,
          rules,
          wait: async (milliseconds) => waits.push(milliseconds),
        }),
        since: since === undefined ? null : Date.parse(since),
        progress: () => {},
      });
    };
    const counts = async (options: Pulled = {}) => {
      const { outcomes, failure } = await pull(options);
      return { ...outcomes, ...(failure !== null && { failure }) };
    };
    const nothing = { created: 0, updated: 0, unchanged: 0, ignored: 0, refused: 0 };
    const stored = async (orderId: number) => (await service.storage.read(({ orders }) => orders.byIds([orderId])))[0];
    const translation = async (payload: unknown) => {
      const { currency, statuses, completed_when: completedWhen } = (await service.settings.current()).store;
      const translated = translatePayload(woocommerce, 'order.updated', payload, { currency, statuses, completedWhen });
      if (!('update' in translated)) throw new Error(JSON.stringify(translated));
      return translated.update;
    };
    /** The same as a signed webhook does. */
    const deliver = async (id: number): Promise<string | undefined> => {
      const { settings, clock, hashVisitor } = service;
      const context = { program: buildProgram(await settings.current()), now: clock.now(), userId: 0, hashVisitor };
      const update = await translation(shop.orders.get(id));
      return (await service.storage.write((transaction) => recordUpdates(transaction, [update], context)))[0]?.outcome;
    };
    /** Answers the next requests so, one after the other. */
    const script = (...interventions: Intervention[]): void => {
      shop.intervene = (response, query, path) => interventions.shift()?.(response, query, path) ?? false;
    };
    const answering =
      (status: number, headers: Record<string, string> = {}, body = '{}'): Intervention =>
      (response) => {
        response.writeHead(status, headers).end(body);
        return true;
      };
    const dropping: Intervention = (response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('[{"id":');
      setImmediate(() => response.destroy());
      return true;
    };

    before(async () => {
      const owner = await service.user('owner', 'affiliate');
      await coupon(service, 'FIRST10', { userId: owner.id });
      for (const code of ['TWICE', 'twice']) await coupon(service, code, { userId: owner.id });
    });
    let firstOrder = 0;
    beforeEach(async () => {
      firstOrder += 100_000;
      shop = await WooCommerceServer.start();
      waits.length = 0;
      const context = { now: service.clock.now(), random: systemRandom, secrets: createSecrets('store_secret', masterKey, systemRandom) };
      connectionId = await service.storage.write(async (transaction) => {
        for (const { id } of await transaction.connections.all()) await transaction.connections.disconnect(id, 1);
        return (await connectStore(transaction, { platform: 'woocommerce', name: '', secret: 'unused secret' }, context)).id;
      });
    });
    afterEach(() => shop.stop());

    it('records what was missed, once, and continues where it ended', async () => {
      for (let number = 1; number <= 7; number += 1) {
        shop.save(firstOrder + number, number === 3 ? { coupon_lines: [] } : {});
        shop.now += minute;
      }
      shop.save(firstOrder + 8, { coupon_lines: [{ id: 1, code: 'twice', discount: '0' }] });
      shop.save(firstOrder + 9, { status: 'trash' });
      shop.maxPerPage = 2;
      const first = await pull();
      expect(first).to.deep.include({ outcomes: { ...nothing, created: 7, ignored: 1, refused: 1 }, failure: null });
      expect(first.refused).to.deep.equal([
        { orderId: firstOrder + 8, reason: 'More than one published coupon answers to the code twice.' },
      ]);
      expect(await stored(firstOrder + 9)).to.include({ status: 'cancelled', commission: 0 });
      expect((await connection()).pulledTo).to.equal(shop.now);

      const { length } = shop.requests;
      shop.now += 5 * minute;
      shop.save(firstOrder + 2, { status: 'completed' });
      expect(await counts()).to.deep.include({ updated: 1, created: 0 });
      expect(shop.requests[length]?.query.get('modified_after')).to.equal('2026-10-05T14:37:06');
      expect(await counts({ since: '2026-10-01T00:00:00Z' })).to.deep.equal({ ...nothing, unchanged: 7, ignored: 1, refused: 1 });
      expect((await connection()).pulledTo).to.equal(shop.now);
      expect(shop.requests.every(({ query }) => !/billing|customer/.test(query.get('_fields') ?? 'billing'))).to.equal(true);
      const [check] = await checkStoreConnection(service.storage, await service.settings.current(), service.clock.now());
      expect(check?.message).to.match(/Last pull: 2026-11-02 \d\d:00:00\.$/);
    });

    it('does not move its position over a gap, nor into the future', async () => {
      shop.save(firstOrder + 1);
      expect(await counts()).to.include({ created: 1 });
      const { pulledTo } = await connection();
      shop.now += day;
      shop.save(firstOrder + 2);
      shop.now += day;
      shop.save(firstOrder + 3);
      expect(await counts({ since: '2026-10-07T00:00:00Z' })).to.include({ created: 1 });
      expect((await connection()).pulledTo).to.equal(pulledTo);
      shop.now = Date.parse('2090-01-01T00:00:00Z');
      shop.save(firstOrder + 4);
      expect(await counts()).to.include({ created: 2, updated: 0 });
      expect((await connection()).pulledTo).to.equal(service.clock.now());
    });

    it('reads refunds line by line, and an exact amount stays while the refunds are the same', async () => {
      const id = firstOrder + 1;
      shop.save(id, { status: 'completed' });
      expect(await deliver(id)).to.equal('created');
      shop.now += minute;
      shop.refund(id, 801, '-98.74', '-71.82');
      expect(await deliver(id)).to.equal('updated');
      expect(await stored(id)).to.include({ refunded: 8091 });
      expect(await counts()).to.include({ updated: 1 });
      expect(await stored(id)).to.include({ refunded: 7182, commission: 900 });
      shop.now += minute;
      shop.save(id, { shipping_total: '5.90' });
      expect(await deliver(id)).to.equal('updated');
      expect(await stored(id)).to.include({ refunded: 7182 });
      const { length } = shop.requests;
      expect(await counts()).to.deep.equal({ ...nothing, unchanged: 1 });
      expect(shop.requests.slice(length).map(({ path }) => path)).to.not.include(`/wp-json/wc/v3/orders/${id}/refunds`);
      // Of this one WooCommerce knows the amount only: 19.75 of 197.47 are a tenth of the order.
      shop.now += minute;
      shop.refund(id, 802, '-19.75', null);
      expect(await counts()).to.include({ updated: 1 });
      expect(await stored(id)).to.include({ refunded: 7182 + 1618 });
      shop.now += minute;
      shop.save(id, { refunds: [{ id: 802, total: '-19.75' }] });
      expect(await deliver(id)).to.equal('updated');
      expect(await stored(id)).to.include({ refunded: 1618 });
    });

    it('ignores lines of refunds that are not those of the order: it changed meanwhile, or was deleted', async () => {
      let times = 0;
      const [changed, deleted] = [firstOrder + 1, firstOrder + 2];
      for (const id of [changed, deleted]) {
        shop.save(id, { status: 'completed' });
        shop.refund(id, 900 + id, '-98.74', '-71.82');
      }
      shop.intervene = (response, query, path) => {
        if (path.endsWith(`/${deleted}/refunds`))
          return answering(404, {}, '{"code":"woocommerce_rest_invalid_order"}')(response, query, path);
        if (path.endsWith(`/${changed}/refunds`) && (times += 1) === 1) shop.refund(changed, 901, '-19.75', '-10.00');
        return false;
      };
      shop.now += minute;
      expect(await counts()).to.include({ created: 2 });
      expect(await stored(deleted)).to.include({ refunded: 8091 });
      expect(await counts()).to.include({ updated: 1 });
      expect(await stored(changed)).to.include({ refunded: 7182 + 1000 });
    });

    it('waits as the shop says, tries each request a few times, then fails with a sentence, and continues later', async () => {
      for (let number = 1; number <= 4; number += 1) {
        shop.save(firstOrder + number);
        shop.now += minute;
      }
      shop.maxPerPage = 2;
      script(answering(429, { 'Retry-After': '7' }), answering(503), dropping);
      expect(await counts()).to.deep.equal({ ...nothing, created: 4 });
      expect(waits).to.deep.equal([7000, 2000, 4000]);

      shop.save(firstOrder + 1, { status: 'completed' });
      script(() => false, ...Array.from({ length: maxAttempts }, () => answering(502)));
      expect(await counts()).to.deep.include({ failure: 'The shop answered 502. It was tried 5 times.' });
      script(answering(429, { 'Retry-After': '3600' }));
      expect((await pull()).failure).to.equal('The shop answered 429. It accepts requests again in 60 minutes.');
      expect(await counts()).to.not.have.property('failure');
      expect(await stored(firstOrder + 1)).to.include({ status: 'completed' });
    });

    it('fails at once where trying again is of no use, follows no redirect, and connects to no private address', async () => {
      shop.save(firstOrder + 1);
      const other = await WooCommerceServer.start();
      const failures: [Intervention | Pulled, RegExp][] = [
        [
          answering(302, { Location: `${other.url}/wp-json/wc/v3/orders` }),
          /^The shop redirects \(302\), and redirects are not followed\. Set --api-url/,
        ],
        [{ secret: 'cs_another secret' }, /^The shop does not accept the API key \(401, woocommerce_rest_cannot_view\)\./],
        [{ url: `${shop.url}/blog` }, /^There is no REST API of WooCommerce at this address \(404, rest_no_route\)\./],
        [answering(400, {}, '{"code":"rest_invalid_param","message":"Jane"}'), /^The shop answered 400, rest_invalid_param\.$/],
        [answering(200, { 'Content-Type': 'text/html' }, '<html>Maintenance</html>'), /^The shop did not answer with a list of JSON\./],
        [answering(200, {}, '{"orders":[]}'), /^The shop did not answer with a list of JSON\./],
        [
          answering(200, {}, JSON.stringify([shop.orders.get(firstOrder + 1), { date_modified_gmt: '2020-01-01T00:00:00' }])),
          /WooCommerce 5\.8/,
        ],
        [answering(200, {}, '['.padEnd(8 * 2 ** 20 + 1)), /^The answer of the shop is larger than 8 MiB\.$/],
        [answering(200, {}, `[${'{},'.repeat(100)}{}]`), /^The shop lists more than 100 items on a page\./],
        [answering(101, { Connection: 'Upgrade', Upgrade: 'websocket' }, ''), /^The shop answered 101\.$/],
        [answering(200, { 'X-WP-TotalPages': '2' }, '[null, 1]'), /^The shop lists orders without the date of their last change\.$/],
        [{ isGuarded: true }, /^The URL must be https\.$/],
        [{ isGuarded: true, url: 'https://127.0.0.1' }, /^The URL must lead to a public address\.$/],
      ];
      for (const [what, sentence] of failures) {
        script(...(typeof what === 'function' ? [what] : []));
        const { failure } = await pull(typeof what === 'function' ? {} : what);
        expect(failure).to.match(sentence);
      }
      expect(waits).to.deep.equal([]);
      expect(other.requests).to.deep.equal([]);
      other.stop();
      const closed = createServer().listen(0, '127.0.0.1');
      await once(closed, 'listening');
      const { port } = closed.address() as { port: number };
      await new Promise((resolve) => closed.close(resolve));
      expect((await pull({ url: `http://127.0.0.1:${port}` })).failure).to.equal('The shop refused the connection. It was tried 5 times.');
    });

    it('refuses orders without the date of their change, and does not move its position past them', async () => {
      shop.save(firstOrder + 1);
      expect(await counts()).to.include({ created: 1 });
      const { pulledTo } = await connection();
      const { length } = shop.requests;
      const undated = JSON.stringify(Array.from({ length: 100 }, (_, number) => ({ id: firstOrder + 100 + number })));
      shop.intervene = answering(200, { 'X-WP-TotalPages': '3' }, undated);
      expect((await pull()).failure).to.equal('The shop lists orders without the date of their last change.');
      expect(shop.requests).to.have.length(length + 1);
      expect((await connection()).pulledTo).to.equal(pulledTo);

      shop.now += minute;
      shop.save(firstOrder + 2);
      const dated = shop.orders.get(firstOrder + 2);
      script(answering(200, {}, JSON.stringify([{ ...dated, id: firstOrder + 3, date_modified_gmt: null }, dated])));
      const { outcomes, refused, failure } = await pull();
      expect({ created: outcomes.created, refused, failure }).to.deep.equal({
        created: 1,
        failure: null,
        refused: [{ orderId: firstOrder + 3, reason: 'date_modified_gmt is not a date.' }],
      });
      expect((await connection()).pulledTo).to.equal(shop.now);
    });

    it('ends with a shop whose lists never end, and reads an order that nests too deep', async () => {
      const page = (total: number, at: number): Intervention =>
        answering(
          ...([200, { 'X-WP-TotalPages': '3', 'X-WP-Total': String(total) }] as const),
          JSON.stringify([{ id: firstOrder + 1, date_modified_gmt: new Date(at).toISOString().slice(0, 19) }]),
        );
      const start = shop.now;
      const endless: [string, Intervention][] = [
        ['each page is newer', (...request) => page(300, (shop.now += 1000))(...request)],
        ['one second whose total changes', (...request) => page(shop.requests.length, start + day)(...request)],
      ];
      for (const [name, intervention] of endless) {
        shop.requests.length = 0;
        shop.intervene = intervention;
        expect((await pull()).failure, name).to.equal('The shop changes faster than it can be read.');
        expect(shop.requests, name).to.have.length(130);
      }
      expect((await connection()).pulledTo).to.equal(start + day);

      shop.now = start + 2 * day;
      shop.requests.length = 0;
      shop.save(firstOrder + 1, { status: 'completed' });
      shop.refund(firstOrder + 1, 801, '-98.74', '-71.82');
      const deep = { ...shop.orders.get(firstOrder + 1), id: firstOrder + 2, meta_data: 'deep' };
      const orders = JSON.stringify([shop.orders.get(firstOrder + 1), deep]);
      let refundId = 801;
      shop.intervene = (response, query, path) => {
        if (path.endsWith('/refunds'))
          return answering(200, { 'X-WP-TotalPages': '999999999' }, `[{"id":${(refundId += 1)}}]`)(response, query, path);
        if (query.get('status') === 'trash') return false;
        const nested = `[{"key":"deep","value":${'['.repeat(200_000)}${']'.repeat(200_000)}}]`;
        return answering(200, {}, orders.replace('"deep"', nested))(response, query, path);
      };
      expect(await counts()).to.deep.equal({ ...nothing, created: 2 });
      expect(await stored(firstOrder + 1)).to.include({ refunded: 8091 });
      expect(shop.requests).to.have.length(2 + 2 * 2);
    });

    it('ends in the state of the shop, however orders change between pages and wherever it is stopped', async () => {
      const random = fc.record({
        size: fc.integer({ min: 1, max: 4 }),
        orders: fc.integer({ min: 1, max: 9 }),
        // At each request: what happens to which order, how much later, and whether the request fails for good.
        steps: fc.array(
          fc.tuple(
            fc.constantFrom<string>('complete', 'trash', 'refund', 'new', 'none'),
            fc.nat(8),
            fc.constantFrom<number>(0, 0, 1, 120),
            fc.nat(5),
          ),
          {
            maxLength: 16,
          },
        ),
      });
      const oneLeavesItsSecond = {
        size: 1,
        orders: 2,
        steps: [
          ['none', 0, 0, 1],
          ['none', 0, 0, 1],
          ['new', 2, 120, 1],
          ['complete', 0, 1, 1],
        ] as [string, number, number, number][],
      };
      await fc.assert(
        fc.asyncProperty(random, async ({ size, orders, steps }) => {
          firstOrder += 100;
          shop.stop();
          shop = await WooCommerceServer.start();
          shop.maxPerPage = size;
          await service.storage.write(({ connections }) => connections.savePull(connectionId, { pulledTo: null, trashPulledTo: null }));
          for (let number = 0; number < orders; number += 1) shop.save(firstOrder + number, { status: 'processing' });
          const remaining = [...steps];
          shop.intervene = (response, query, path) => {
            const [what, number, seconds, fails] = remaining.shift() ?? ['none', 0, 0, 1];
            const id = firstOrder + number;
            shop.now += seconds * 1000;
            if (what === 'new' || (what !== 'none' && !shop.orders.has(id))) shop.save(id);
            else if (what === 'complete') shop.save(id, { status: 'completed' });
            else if (what === 'trash') shop.save(id, { status: 'trash' });
            else if (what === 'refund') shop.refund(id, firstOrder * 10 + remaining.length + 1, '-19.75', '-10.00');
            return fails === 0 && answering(418)(response, query, path);
          };
          do await pull();
          while (remaining.length > 0);
          await pull();
          expect((await pull()).outcomes).to.include({ created: 0, updated: 0, refused: 0 });
          for (const [id, payload] of shop.orders) {
            const update = await translation(payload);
            if (update.kind !== 'order') throw new Error('This is not an order.');
            const refunded = Math.min(1000 * payload.refunds.length, 16_182);
            expect(await stored(id), `order ${id}`).to.include({ status: update.order.status, refunded });
          }
        }),
        { numRuns: numberOfRuns, examples: [[oneLeavesItsSecond]] },
      );
      const observer = await engine.observe(service.databaseUrl);
      const [count] = await observer.query<{ orders: unknown; events: unknown }>(
        "select (select count(*) from orders) as orders, (select count(*) from events where kind = 'referral') as events",
      );
      expect(Number(count?.events)).to.equal(Number(count?.orders));
      for (const table of ['store_connections', 'store_orders', 'orders', 'events'])
        expect(JSON.stringify(await observer.query(`select * from ${table}`))).to.not.match(/Jane|Secretname|customer\.example|visitor-1/);
    });

    it('is a command: SIGTERM in the middle loses nothing, and repeating it reports what was left', async () => {
      const encryptedApiSecret = createSecrets('store_api_secret', masterKey, systemRandom).encrypt(shop.secret, connectionId);
      const api = { apiUrl: shop.url, apiKey: shop.key, encryptedApiSecret };
      await service.storage.write(({ connections }) => connections.setApi(connectionId, api));
      const machine = new Machine({ DATABASE_URL: service.databaseUrl, MASTER_KEY: masterKey, ENVIRONMENT: 'local' });
      for (let number = 1; number <= 6; number += 1) {
        shop.save(firstOrder + number);
        shop.now += minute;
      }
      shop.maxPerPage = 2;
      // Never answered.
      shop.intervene = (_response, query) => query.get('modified_after') === '2026-10-05T14:34:06';
      const child = machine.start(['store', 'pull']);
      const ended = waitForExit(child);
      await waitUntil(60_000, async () => (await stored(firstOrder + 4)) !== undefined);
      child.kill('SIGTERM');
      const stopped = 'Stopped. What was read is recorded. Repeat the command: it continues there.\n';
      expect(await ended).to.deep.equal({ code: null, out: '', err: stopped });
      script(answering(429, { 'Retry-After': '0' }));
      const done = await machine.json('store', 'pull');
      expect(done).to.include({ complete: true, created: 2, updated: 0, ignored: 0 }).and.deep.include({ refused: [] });
    });
  });
});
