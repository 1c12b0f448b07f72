import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Machine } from '../cli/command-line.ts';
import { type Served, serve, until } from '../cli/served.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';
import { seededRandom } from '../support/random.ts';
import { masterKey } from '../support/service.ts';
import type { Proof } from './api-client.ts';
import { expectKept, expectWhole, makeScene, type Scene } from './scene.ts';
import type { ShopTask } from './shop-process.ts';

// The whole service and a store beside it, both ended by SIGKILL again and again while keys, webhooks, payouts, decisions, orders, visits
// and applications are written. PROVE_KILLS: how often, on each engine.
const numberOfKills = Number(process.env['PROVE_KILLS'] ?? 1);
const script = fileURLToPath(new URL('shop-process.ts', import.meta.url));

/** Its lines are what it has committed. */
class KilledShop {
  readonly #child: ChildProcess;
  readonly #notebook: string;

  constructor(task: ShopTask) {
    this.#notebook = task.notebook;
    this.#child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(task)], { stdio: 'inherit' });
  }

  /** Once it has told of something. */
  atWork(): Promise<void> {
    return until(60_000, async () => existsSync(this.#notebook));
  }

  async kill(): Promise<Proof[]> {
    this.#child.kill('SIGKILL');
    await once(this.#child, 'close');
    return readFileSync(this.#notebook, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Proof);
  }
}

forEachEngine((engine) => {
  describe('a service and a store beside it that are killed while they write', function () {
    this.timeout(120_000 + numberOfKills * 15_000);
    const seed = Date.now() % 100_000;
    const random = seededRandom(seed);
    let machine: Machine;
    let observer: Observer;
    let scene: Scene;
    const told: Proof[] = [];
    let running: Served | undefined;
    before(async () => {
      const databaseUrl = await engine.freshUrl();
      machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey });
      observer = await engine.observe(databaseUrl);
      scene = await makeScene(databaseUrl, 4);
    });
    after(async () => {
      running?.child.kill('SIGKILL');
      await scene?.service.stop();
    });

    const promises = (): number => scene.clients.reduce((sum, client) => sum + client.promises, 0);
    const oneLife = async (life: number): Promise<void> => {
      const notebook = path.join(machine.folder, `told-${life}`);
      const { databaseUrl } = machine;
      const shop = new KilledShop({ databaseUrl, couponId: scene.couponId, first: 1_000_000 * (life + 1), notebook });
      const service = await serve(machine);
      running = service;
      const working = scene.clients.map(async (client) => {
        while (await client.call(service.url));
      });
      await shop.atWork();
      // Killed before anything was acknowledged, it would prove nothing.
      const before = promises();
      await until(60_000, async () => promises() >= before + 10);
      await pause(200 + random.below(600));
      service.child.kill('SIGKILL');
      told.push(...(await shop.kill()));
      await Promise.all([service.ended, ...working]);
    };

    it(`${numberOfKills} times keep everything they acknowledged, leave nothing half done and repeat no payout (seed ${seed})`, async () => {
      for (let life = 0; life < numberOfKills; life += 1) {
        await oneLife(life);
        await expectWhole(observer, scene);
      }
      const promised = scene.clients.flatMap(({ proofs }) => proofs);
      await expectKept(observer, [...promised, ...told]);
      expect(scene.clients.flatMap(({ surprises }) => surprises)).to.deep.equal([]);
      console.log(
        `        ${2 * numberOfKills} kills, ${promised.length} calls and ${told.length} things told were acknowledged, all kept`,
      );
    });

    it('answer a payout request under its old Idempotency-Key as before, and are ready again', async () => {
      const service = await serve(machine);
      running = service;
      expect((await fetch(`${service.url}/readyz`)).status).to.equal(200);
      expect(scene.clients.flatMap(({ requests }) => requests).length).to.be.greaterThan(0);
      for (const client of scene.clients) expect(await client.replays(service.url)).to.deep.equal([]);
      await expectWhole(observer, scene);
      service.child.kill('SIGTERM');
      expect((await service.ended).code).to.equal(0);
      expect(await machine.json('ledger', 'verify')).to.include({ ok: true });
    });
  });
});
