import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';
import { resolvePayout } from '../../domain/payouts/resolve.ts';
import { buildProgram } from '../../site/program.ts';
import { Machine } from '../cli/command-line.ts';
import { type Served, serve, until } from '../cli/served.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';
import { coupon, newOrderId, orders, payoutDetails } from '../support/program.ts';
import { seededRandom } from '../support/random.ts';
import { masterKey, TestService } from '../support/service.ts';
import { PayoutClient, type Row } from './payout-client.ts';

const siteModule = fileURLToPath(new URL('slow-gateway.mjs', import.meta.url));

/** On each engine. `npm run prove -- kills` goes on for longer. */
const numberOfKills = Number(process.env['PROVE_KILLS'] ?? 3);
const ordersOfAFile = 2500;

/** What a gateway takes goes to it; more than that waits for somebody to look at it. */
const gatewayTakesUpTo = 300;

forEachEngine((engine) => {
  describe('a service that is killed while it writes', function () {
    this.timeout(60_000 + numberOfKills * 15_000);
    const seed = Date.now() % 100_000;
    const random = seededRandom(seed);
    let machine: Machine;
    let book: string;
    let observer: Observer;
    /** Tells of orders and looks at the books; nobody calls it. */
    let shop: TestService;
    let headers: Record<string, string>;
    let clients: PayoutClient[];
    const small: number[] = [];
    const files: string[] = [];
    const served: Served[] = [];

    before(async () => {
      const databaseUrl = await engine.freshUrl();
      machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey, SITE_MODULE: siteModule });
      book = path.join(machine.folder, 'book');
      observer = await engine.observe(databaseUrl);
      shop = await TestService.start({ databaseUrl, siteModule: { gateways: { slow: () => ({ status: 'paid' }) } } });
      await shop.withoutLimits();
      ({ headers } = await shop.key(await shop.user('boss', 'administrator'), ['read', 'write', 'manage']));
      const auto = { gateway: 'slow', max_amount: gatewayTakesUpTo, enabled: true };
      for (const [name, value] of Object.entries(auto)) await shop.settings.set(`payouts.auto_accept.${name}`, value);
      clients = [];
      for (let index = 0; index < 8; index += 1) {
        const couponId = await earningCoupon(`code${index}`, index < 4 ? 10 : 1000);
        clients.push(new PayoutClient(couponId, headers, random));
        if (index < 4) small.push(couponId);
      }
    });
    after(async () => {
      for (const { child } of served) child.kill('SIGKILL');
      await shop?.stop();
    });

    const earn = (couponId: number, amount: number): Promise<void> =>
      orders(shop, [{ id: newOrderId(), coupon: couponId, at: '2026-11-01T12:00:00Z', total: amount * 10 }]);
    const earningCoupon = async (code: string, amount: number): Promise<number> => {
      const { id: userId } = await shop.user(code, 'affiliate');
      await payoutDetails(shop, { userId, method: 'PayPal', methodType: 'paypal', details: { email: `${userId}@bank.example` } });
      const couponId = await coupon(shop, code, { userId });
      await earn(couponId, amount);
      return couponId;
    };
    const start = async (gatewayMilliseconds: number): Promise<Served> => {
      const variables = { GATEWAY_BOOK: book, GATEWAY_MILLISECONDS: String(gatewayMilliseconds) };
      const service = await serve(machine, { ...variables, ENVIRONMENT: 'local' });
      served.push(service);
      return service;
    };
    const kill = async ({ child, ended }: Served): Promise<void> => {
      child.kill('SIGKILL');
      await ended;
    };
    const payouts = async (): Promise<Row[]> => {
      const rows = await observer.query<Record<string, unknown>>('select id, coupon_id, amount_minor, status from payouts order by id');
      return rows.map((row) => ({
        id: Number(row['id']),
        couponId: Number(row['coupon_id']),
        amount: Number(row['amount_minor']),
        status: String(row['status']),
      }));
    };
    const processing = async (): Promise<number[]> => (await payouts()).filter(({ status }) => status === 'processing').map(({ id }) => id);
    const sent = (): string[] => (existsSync(book) ? readFileSync(book, 'utf8').trimEnd().split('\n') : []);

    /** Orders that nobody has imported before, some for every coupon. */
    const newFile = (): string => {
      const file = path.join(machine.folder, `orders-${files.length}.ndjson`);
      const lines = Array.from({ length: ordersOfAFile }, (_, index) => {
        const order = { kind: 'order', order_id: 1_000_000 + files.length * ordersOfAFile + index, date: '2026-11-01T12:00:00Z' };
        return JSON.stringify({ ...order, coupon_id: clients[4 + (index % 4)]?.couponId, status: 'completed', total: 1 });
      });
      writeFileSync(file, `${lines.join('\n')}\n`);
      files.push(file);
      return file;
    };

    /** What holds after every restart, whatever was cut off. */
    const expectWhole = async (): Promise<void> => {
      expect(listSentences(await shop.storage.read((stores) => verifyLedger(stores, String)))).to.deep.equal([]);
      const [sums] = await observer.query<Record<string, unknown>>(
        `select (select sum(commission_minor) from orders) as earned,
          (select sum(unpaid_minor + pending_order_minor + pending_payout_minor + paid_minor) from coupons) as held,
          (select count(*) from events where kind = 'referral') as referrals, (select count(*) from orders) as orders`,
      );
      expect([sums?.['held'], sums?.['referrals']].map(Number)).to.deep.equal([sums?.['earned'], sums?.['orders']].map(Number));
      const rows = await payouts();
      for (const client of clients) client.expectKept(rows);
      expect(new Set(sent()).size, 'nothing is sent twice').to.equal(sent().length);
    };

    /** An operator has asked the payment provider. */
    const resolve = async (id: number): Promise<void> => {
      const surroundings = { now: shop.clock.now(), userId: 0, program: buildProgram(await shop.settings.current()) };
      await shop.storage.write((transaction) => resolvePayout(transaction, id, { to: 'paid', atOnce: true }, surroundings));
    };

    /** From start to death. Gives how many payouts were with their gateway then. */
    const oneLife = async (life: number, before: readonly number[]): Promise<number[]> => {
      // Begun together, so that it writes when the other does.
      const importing = life % 4 === 0 ? machine.start(['import', newFile()]) : null;
      const service = await start(120);
      // It has had its start, which must not have touched what was left with a gateway.
      expect(await processing()).to.include.members([...before]);
      await expectWhole();
      for (const id of before) await resolve(id);
      await Promise.all(small.map((couponId) => earn(couponId, 10)));
      const answersToGo = 1 + random.below(30);
      let answers = 0;
      let stop = (): void => {};
      const enough = new Promise<void>((done) => {
        stop = done;
      });
      const working = clients.map((client) =>
        client.work(service.url, () => {
          answers += 1;
          if (answers === answersToGo) stop();
        }),
      );
      await Promise.race([enough, Promise.all(working)]);
      await pause(random.below(60));
      importing?.kill('SIGKILL');
      await kill(service);
      await Promise.all(working);
      return processing();
    };

    it(`${numberOfKills} times keeps every payout it promised, moves no half amounts and sends nothing twice (seed ${seed})`, async () => {
      let left: number[] = [];
      let stuck = 0;
      for (let life = 0; life < numberOfKills; life += 1) {
        left = await oneLife(life, left);
        stuck += left.length;
      }
      for (const id of left) await resolve(id);
      await expectWhole();
      const promises = clients.reduce((sum, client) => sum + client.promises, 0);
      console.log(
        `        ${numberOfKills} kills, ${promises} promises kept, ${stuck} payouts cut off at their gateway, ${sent().length} sent`,
      );
    });

    it('leaves orders that can be imported again, after which each is there once', async () => {
      const all = path.join(machine.folder, 'all.ndjson');
      writeFileSync(all, files.map((file) => readFileSync(file, 'utf8')).join(''));
      await machine.json('import', all);
      const [row] = await observer.query<{ count: unknown }>('select count(*) as count from orders where order_id >= 1000000');
      expect(Number(row?.count)).to.equal(files.length * ordersOfAFile);
      await expectWhole();
    });

    it('leaves a payout processing that was with its gateway: it is not sent again, doctor names it, and payout resolve settles it', async () => {
      const couponId = await earningCoupon('late', 10);
      const first = await start(600_000);
      const post = (at: Served, where: string, json: unknown): Promise<Response> =>
        fetch(`${at.url}/api/v2${where}`, {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: JSON.stringify(json),
        });
      const before = sent().length;
      post(first, '/payouts', { coupon_id: couponId }).catch(() => {});
      await until(60_000, async () => sent().length > before);
      await kill(first);
      const [id] = await processing();
      expect(await processing()).to.have.length(1);

      const second = await start(1);
      const existing = await post(second, '/payouts', { coupon_id: couponId });
      expect([existing.status, existing.headers.get('X-Svc-Existing')]).to.deep.equal([200, '1']);
      expect((await post(second, `/payouts/${id}/status`, { status: 'paid' })).status).to.equal(400);
      await kill(second);
      expect([await processing(), sent().length]).to.deep.equal([[id], before + 1]);

      // Nobody but the operator knows that the service was ended since.
      const early = await machine.run(['doctor']);
      expect(early.out).to.match(new RegExp(`warning +payout +Payout ${id} is processing`));
      const tooEarly = await machine.run(['payout', 'resolve', String(id), '--as', 'paid']);
      expect([tooEarly.code, tooEarly.out]).to.deep.equal([1, '']);
      expect(tooEarly.err).to.contain('its gateway may still be working on it');
      expect(await processing()).to.deep.equal([id]);

      await observer.query(`update payouts set requested_at = requested_at - 3600000 where id = ${id}`);
      const { code, out } = await machine.run(['doctor']);
      expect(code).to.equal(1);
      expect(out).to.contain(`affiliate payout resolve ${id} --as`);
      const told = await machine.json('payout', 'resolve', String(id), '--as', 'paid', '--transaction', 'T-found');
      expect(told).to.deep.equal({ id, status: 'paid' });
      const [row] = await observer.query<{ transaction_id: string }>(`select transaction_id from payouts where id = ${id}`);
      expect(row?.transaction_id).to.equal('T-found');
      expect(await machine.json('ledger', 'verify')).to.include({ ok: true });
      expect([await processing(), new Set(sent()).size]).to.deep.equal([[], sent().length]);
    });
  });
});
