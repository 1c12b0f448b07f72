import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Machine, waitForExit } from '../cli/machine.ts';
import { mainlyOn, type Observer } from '../support/engines.ts';
import { createEarner } from '../support/payouts.ts';
import { newOrderId, orders } from '../support/program.ts';
import { seededRandom } from '../support/random.ts';
import { masterKey, TestService } from '../support/service.ts';

/** PROVE_KILLS: number of kills on each engine. */
const numberOfKills = Number(process.env['PROVE_KILLS'] ?? 2);
const affiliates = process.env['PROVE_KILLS'] === undefined ? 10 : 30;

mainlyOn('postgres', (engine) => {
  describe('affiliate payout file and payout batch paid that are killed', function () {
    this.timeout(120_000 + numberOfKills * 60_000);
    const seed = Date.now() % 100_000;
    const random = seededRandom(seed);
    let machine: Machine;
    let service: TestService;
    let observer: Observer;
    let folder: string;
    const coupons: number[] = [];

    before(async () => {
      const databaseUrl = await engine.freshUrl();
      machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey });
      folder = mkdtempSync(path.join(machine.folder, 'files-'));
      service = await TestService.start({ databaseUrl });
      observer = await engine.observe(databaseUrl);
      for (let index = 0; index < affiliates; index += 1) coupons.push((await createEarner(service, `user${index}`, 0)).couponId);
    });
    after(() => service.stop());

    /** Every coupon without an open payout gets one. */
    const requestPayouts = async (): Promise<void> => {
      await service.withoutLimits();
      const boss = await service.user(`boss${newOrderId()}`, 'administrator');
      const admin = await service.client((await service.key(boss, ['read', 'write', 'manage'])).headers);
      await orders(
        service,
        coupons.map((id) => ({ id: newOrderId(), coupon: id, at: '2026-11-01T12:00:00Z', total: 100 })),
      );
      for (const id of coupons) await admin.post('/payouts', { json: { coupon_id: id } });
    };
    const count = async (sql: string): Promise<number> => Number((await observer.query<{ count: unknown }>(sql))[0]?.count);
    const open = "select count(*) as count from payout_batches where status = 'open'";

    /** The ids that a file pays. */
    const idsIn = (name: string): string[] =>
      [...readFileSync(path.join(folder, name), 'utf8').matchAll(/PAYOUT-(\d+)/g)].map(([, id = '']) => id);

    /** Holds after every kill. */
    const expectConsistent = async (): Promise<void> => {
      expect(await service.differences()).to.deep.equal([]);
      const twice =
        'select count(*) as count from (select payout_id from payout_batch_items where is_current = 1 group by payout_id having count(*) > 1) as found';
      expect(await count(twice), 'payouts in two batches').to.equal(0);
      const partial = `select count(*) as count from payout_batches where count <>
        (select count(*) from payout_batch_items join payouts on payouts.id = payout_id
         where batch_id = payout_batches.id and payouts.status in ('created', 'paid', 'failed'))`;
      expect(await count(partial), 'batches with payouts that are not created').to.equal(0);
      const files = readdirSync(folder).filter((name) => !name.startsWith('.'));
      const ids = files.flatMap(idsIn);
      expect(new Set(ids).size, 'payouts in two files').to.equal(ids.length);
      for (const id of ids) expect(await count(`select count(*) as count from payout_batch_items where payout_id = ${id}`)).to.equal(1);
    };

    /** Of the last command that was not killed, in milliseconds. */
    let lasting = 0;

    /** Pays the open batch but for one payout, which failed. Returns 1 if a command did that although it was killed. */
    const settle = async (failed: string, isKilled: boolean): Promise<0 | 1> => {
      const [batch] = await observer.query<{ id: unknown }>("select id from payout_batches where status = 'open'");
      const command = ['payout', 'batch', 'paid', String(batch?.id), '--failed', failed];
      if (isKilled) {
        const child = machine.start(command);
        const ended = waitForExit(child);
        await pause(lasting / 2 + random.below(lasting));
        child.kill('SIGKILL');
        await ended;
        await expectConsistent();
        const inBatch = `from payout_batch_items join payouts on payouts.id = payout_id where batch_id = ${batch?.id} and payouts.status`;
        const [isPaid, created] = [(await count(open)) === 0, await count(`select count(*) as count ${inBatch} = 'created'`)];
        expect(created, 'payouts that are not settled').to.equal(isPaid ? 0 : affiliates);
        if (isPaid) return 1;
      }
      const started = performance.now();
      expect(await machine.json(...command)).to.include({ changed: affiliates - 1 });
      lasting = Math.ceil(performance.now() - started);
      await expectConsistent();
      return 0;
    };

    it(`leave all or nothing, in the file and in the ledger, and pay nothing twice (kills: ${numberOfKills}, seed ${seed})`, async () => {
      let interrupted = 0;
      let settled = 0;
      for (let run = 0; run < numberOfKills; run += 1) {
        await requestPayouts();
        const out = path.join(folder, `run-${run}.csv`);
        const child = machine.start(['payout', 'file', '--format', 'paypal', '--out', out]);
        const ended = waitForExit(child);
        // In turn: as soon as the hidden file exists, before the commit; as soon as the batch is committed, before the file has its name.
        const isReached = async (): Promise<boolean> =>
          run % 2 === 0 ? readdirSync(folder).some((name) => name.endsWith('.part')) : (await count(open)) > 0;
        while (child.exitCode === null && !(await isReached())) await pause(1);
        if (run > 1) await pause(random.below(8));
        child.kill('SIGKILL');
        await ended;
        await expectConsistent();

        const [left] = await observer.query<{ id: unknown; completed_at: unknown }>(
          "select id, completed_at from payout_batches where status = 'open'",
        );
        if (left && left.completed_at === null) {
          interrupted += 1;
          const doctor = await machine.run(['doctor']);
          expect(doctor.out).to.include(`Run affiliate payout batch file ${left.id} --out`);
          if (!existsSync(out)) await machine.json('payout', 'batch', 'file', String(left.id), '--out', out);
        } else if (!left) {
          expect(existsSync(out), 'no file without a batch').to.equal(false);
          expect(await machine.json('payout', 'file', '--format', 'paypal', '--out', out)).to.include({ count: affiliates });
        }
        expect(idsIn(path.basename(out))).to.have.length(affiliates);
        settled += await settle(idsIn(path.basename(out))[0] ?? '', run % 2 === 1);
      }
      expect(await count("select count(*) as count from payouts where status not in ('paid', 'failed')")).to.equal(0);
      expect(await count("select count(*) as count from payouts where status = 'failed'")).to.equal(numberOfKills);
      expect(await count("select count(*) as count from events where kind = 'payout_failed'")).to.equal(numberOfKills);
      expect(readdirSync(folder).filter((name) => name.endsWith('.part') && name.includes('run-0'))).to.deep.equal([]);
      console.log(
        `        ${numberOfKills} kills, ${interrupted} batches left without a completed file, ${settled} settled by a command that was killed`,
      );
    });
  });
});
