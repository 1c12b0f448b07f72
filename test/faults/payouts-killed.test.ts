import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { resolvePayout } from '../../domain/payouts/change.ts';
import { buildProgram } from '../../site/program.ts';
import { Machine } from '../cli/machine.ts';
import { type RunningService, startService, waitUntil } from '../cli/running-service.ts';
import { forEngineOrAll, type Observer } from '../support/engines.ts';
import { createEarner, earn } from '../support/payouts.ts';
import { seededRandom } from '../support/random.ts';
import { masterKey, TestClock, TestService } from '../support/service.ts';
import { PayoutClient, type PayoutRow } from './payout-client.ts';

const siteModule = fileURLToPath(new URL('slow-gateway.mjs', import.meta.url));

/** PROVE_KILLS: number of kills on each engine. */
const numberOfKills = Number(process.env['PROVE_KILLS'] ?? 1);

/** Larger payouts stay pending. */
const gatewayLimit = 300;

forEngineOrAll('postgres', process.env['PROVE_KILLS'] !== undefined, (engine) => {
  describe('a service that is killed during payouts', function () {
    this.timeout(180_000 + numberOfKills * 15_000);
    const seed = Date.now() % 100_000;
    const random = seededRandom(seed);
    let machine: Machine;
    /** Without the site module, which the commands of the operator do not need. */
    let operator: Machine;
    let gatewayLog: string;
    let observer: Observer;
    /** Imports orders and verifies the database; no client calls it. */
    let shop: TestService;
    let headers: Record<string, string>;
    let clients: PayoutClient[];
    const couponsForGateway: number[] = [];
    const served: RunningService[] = [];

    before(async () => {
      const databaseUrl = await engine.freshUrl();
      machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey, SITE_MODULE: siteModule });
      operator = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey });
      gatewayLog = path.join(machine.folder, 'book');
      observer = await engine.observe(databaseUrl);
      // The clock of the commands: movements of several days without a seal are a finding.
      const clock = new TestClock(Date.now());
      shop = await TestService.start({
        databaseUrl,
        clock,
        siteModule: { gateways: { slow: () => ({ status: 'paid' }) } },
      });
      await shop.withoutLimits();
      ({ headers } = await shop.key(await shop.user('boss', 'administrator'), ['read', 'write', 'manage']));
      const auto = { gateway: 'slow', max_amount: gatewayLimit, enabled: true };
      for (const [name, value] of Object.entries(auto)) await shop.settings.set(`payouts.auto_accept.${name}`, value);
      clients = [];
      for (let index = 0; index < 8; index += 1) {
        const { couponId } = await createEarner(shop, `code${index}`, index < 4 ? 10 : 1000);
        clients.push(new PayoutClient(couponId, headers, random));
        if (index < 4) couponsForGateway.push(couponId);
      }
    });
    after(async () => {
      for (const { child } of served) child.kill('SIGKILL');
      await shop?.stop();
    });

    const start = async (gatewayMilliseconds: number): Promise<RunningService> => {
      const variables = { GATEWAY_BOOK: gatewayLog, GATEWAY_MILLISECONDS: String(gatewayMilliseconds) };
      const service = await startService(machine, { ...variables, ENVIRONMENT: 'local' });
      served.push(service);
      return service;
    };
    const kill = async ({ child, ended }: RunningService): Promise<void> => {
      child.kill('SIGKILL');
      await ended;
    };
    const payouts = async (): Promise<PayoutRow[]> => {
      const rows = await observer.query<Record<string, unknown>>('select id, coupon_id, amount_minor, status from payouts order by id');
      return rows.map((row) => ({
        id: Number(row['id']),
        couponId: Number(row['coupon_id']),
        amount: Number(row['amount_minor']),
        status: String(row['status']),
      }));
    };
    const processing = async (): Promise<number[]> => (await payouts()).filter(({ status }) => status === 'processing').map(({ id }) => id);
    const sent = (): string[] => (existsSync(gatewayLog) ? readFileSync(gatewayLog, 'utf8').trimEnd().split('\n') : []);

    /** Holds after every restart. */
    const expectConsistent = async (): Promise<void> => {
      expect(await shop.differences()).to.deep.equal([]);
      const [sums] = await observer.query<Record<string, unknown>>(
        `select (select sum(commission_minor) from orders) as earned,
          (select sum(unpaid_minor + pending_order_minor + pending_payout_minor + paid_minor) from coupons) as held,
          (select count(*) from events where kind = 'referral') as referrals, (select count(*) from orders) as orders`,
      );
      expect([sums?.['held'], sums?.['referrals']].map(Number)).to.deep.equal([sums?.['earned'], sums?.['orders']].map(Number));
      const rows = await payouts();
      for (const client of clients) client.expectRows(rows);
      expect(new Set(sent()).size, 'payments sent once').to.equal(sent().length);
    };

    /** An operator has looked the payment up. */
    const resolve = async (id: number): Promise<void> => {
      const context = { now: shop.clock.now(), userId: 0, program: buildProgram(await shop.settings.current()) };
      await shop.storage.write((transaction) => resolvePayout(transaction, id, { to: 'paid', atOnce: true }, context));
    };

    /** Runs a service until it is killed. Resolves to the payouts that are still processing. */
    const runUntilKilled = async (before: readonly number[]): Promise<number[]> => {
      const service = await start(120);
      // A start must not change payouts that are processing.
      expect(await processing()).to.include.members([...before]);
      await expectConsistent();
      for (const id of before) await resolve(id);
      await Promise.all(couponsForGateway.map((couponId) => earn(shop, couponId, 10)));
      const responsesBeforeKill = 1 + random.below(30);
      let responses = 0;
      let stop = (): void => {};
      const enough = new Promise<void>((done) => {
        stop = done;
      });
      const working = clients.map((client) =>
        client.runUntilKilled(service.url, () => {
          responses += 1;
          if (responses === responsesBeforeKill) stop();
        }),
      );
      await Promise.race([enough, Promise.all(working)]);
      await pause(random.below(60));
      await kill(service);
      await Promise.all(working);
      return processing();
    };

    it(`keeps every payout it acknowledged, moves no partial amounts and sends no payment twice (kills: ${numberOfKills}, seed ${seed})`, async () => {
      let left: number[] = [];
      let interrupted = 0;
      for (let run = 0; run < numberOfKills; run += 1) {
        left = await runUntilKilled(left);
        interrupted += left.length;
      }
      for (const id of left) await resolve(id);
      await expectConsistent();
      const acknowledged = clients.reduce((sum, client) => sum + client.acknowledged, 0);
      console.log(
        `        ${numberOfKills} kills, ${acknowledged} acknowledged calls stored, ${interrupted} payouts interrupted at their gateway, ${sent().length} sent`,
      );
    });

    it('leaves a payout processing that was at its gateway: it is not sent again, doctor lists it, and payout resolve settles it', async () => {
      const { couponId } = await createEarner(shop, 'late', 10);
      const first = await start(600_000);
      const post = (at: RunningService, where: string, json: unknown): Promise<Response> =>
        fetch(`${at.url}/api/v2${where}`, {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: JSON.stringify(json),
        });
      const before = sent().length;
      post(first, '/payouts', { coupon_id: couponId }).catch(() => {});
      await waitUntil(60_000, async () => sent().length > before);
      await kill(first);
      const [id] = await processing();
      expect(await processing()).to.have.length(1);

      const second = await start(1);
      const existing = await post(second, '/payouts', { coupon_id: couponId });
      expect([existing.status, existing.headers.get('X-Svc-Existing')]).to.deep.equal([200, '1']);
      expect((await post(second, `/payouts/${id}/status`, { status: 'paid' })).status).to.equal(400);
      await kill(second);
      expect([await processing(), sent().length]).to.deep.equal([[id], before + 1]);

      // The service may still be running, as far as the command knows.
      const early = await operator.run(['doctor']);
      expect(early.out).to.match(new RegExp(`warning +payout +Payout ${id} has been processing since`));
      const tooEarly = await operator.run(['payout', 'resolve', String(id), '--as', 'paid']);
      expect([tooEarly.code, tooEarly.out]).to.deep.equal([1, '']);
      expect(tooEarly.err).to.contain('its gateway may still be working on it');
      expect(await processing()).to.deep.equal([id]);

      const setClock = (by: number) => observer.query(`update payouts set requested_at = requested_at + ${by} where id = ${id}`);
      await setClock(-3_600_000);
      const { code, out } = await operator.run(['doctor']);
      // A payout that is not what the service wrote is not resolved.
      await setClock(3_600_000);
      expect(code).to.equal(1);
      expect(out).to.contain(`affiliate payout resolve ${id} --as`);
      const resolved = await operator.json('payout', 'resolve', String(id), '--as', 'paid', '--transaction', 'T-found', '--now');
      expect(resolved).to.deep.equal({ id, status: 'paid' });
      const [row] = await observer.query<{ transaction_id: string }>(`select transaction_id from payouts where id = ${id}`);
      expect(row?.transaction_id).to.equal('T-found');
      expect(await operator.json('ledger', 'verify')).to.include({ ok: true });
      expect([await processing(), new Set(sent()).size]).to.deep.equal([[], sent().length]);
    });
  });
});
