import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { compiledProgram } from '../cli/compiled-command.ts';
import { Machine } from '../cli/machine.ts';
import { type RunningService, startService, waitUntil } from '../cli/running-service.ts';
import { forEngineOrAll, type Observer } from '../support/engines.ts';
import { seededRandom } from '../support/random.ts';
import { masterKey } from '../support/service.ts';
import type { RowQuery } from './api-client.ts';
import { createFaultFixture, expectConsistent, expectRowsExist, type FaultFixture } from './fault-fixture.ts';
import type { ShopTask } from './shop-process.ts';

// The service and an importing shop, both killed by SIGKILL while they write keys, webhooks, payouts, decisions, orders, clicks and
// applications. PROVE_KILLS: number of kills on each engine.
const numberOfKills = Number(process.env['PROVE_KILLS'] ?? 1);
const program = 'test/faults/shop-process.ts';

class KilledShop {
  readonly #child: ChildProcess;
  readonly #notebook: string;

  constructor(task: ShopTask) {
    this.#notebook = task.logFile;
    this.#child = spawn(process.execPath, [...compiledProgram(program), JSON.stringify(task)], { stdio: 'inherit' });
  }

  /** Resolves after its first commit. */
  started(): Promise<void> {
    return waitUntil(60_000, async () => existsSync(this.#notebook));
  }

  async kill(): Promise<RowQuery[]> {
    const closed = this.#child.signalCode === null ? once(this.#child, 'close') : undefined;
    this.#child.kill('SIGKILL');
    await closed;
    return readFileSync(this.#notebook, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as RowQuery);
  }
}

forEngineOrAll('sqlite', process.env['PROVE_KILLS'] !== undefined, (engine) => {
  describe('a service and an importing shop that are killed while they write', function () {
    this.timeout(180_000 + numberOfKills * 15_000);
    const seed = Date.now() % 100_000;
    const random = seededRandom(seed);
    let machine: Machine;
    let observer: Observer;
    let fixture: FaultFixture;
    const importedRows: RowQuery[] = [];
    let running: RunningService | undefined;
    let importing: KilledShop | undefined;
    before(async () => {
      const databaseUrl = await engine.freshUrl();
      machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey });
      observer = await engine.observe(databaseUrl);
      fixture = await createFaultFixture(databaseUrl, 4);
    });
    after(async () => {
      await importing?.kill();
      running?.child.kill('SIGKILL');
      await fixture?.service.stop();
    });

    const acknowledged = (): number => fixture.clients.reduce((sum, client) => sum + client.acknowledged, 0);
    const runUntilKilled = async (run: number): Promise<void> => {
      const notebook = path.join(machine.folder, `imported-${run}`);
      const { databaseUrl } = machine;
      const shop = new KilledShop({ databaseUrl, couponId: fixture.couponId, first: 1_000_000 * (run + 1), logFile: notebook });
      importing = shop;
      const service = await startService(machine);
      running = service;
      const working = fixture.clients.map(async (client) => {
        while (await client.call(service.url));
      });
      await shop.started();
      // The first run seals records from before the service has created the key.
      expect(await fixture.service.differences()).to.deep.equal([]);
      const sealing = machine.start(['ledger', 'head']);
      // A kill before anything is acknowledged would test nothing.
      const before = acknowledged();
      await waitUntil(60_000, async () => acknowledged() >= before + 10);
      await pause(200 + random.below(600));
      sealing.kill('SIGKILL');
      service.child.kill('SIGKILL');
      importedRows.push(...(await shop.kill()));
      await Promise.all([service.ended, ...working]);
    };

    it(`${numberOfKills} times keep everything they acknowledged, leave no half-written transaction and repeat no payout (seed ${seed})`, async () => {
      for (let run = 0; run < numberOfKills; run += 1) {
        await runUntilKilled(run);
        await expectConsistent(observer, fixture);
      }
      const acknowledgedRows = fixture.clients.flatMap(({ acknowledgedRows: proofs }) => proofs);
      await expectRowsExist(observer, [...acknowledgedRows, ...importedRows]);
      expect(fixture.clients.flatMap(({ unexpectedResponses: surprises }) => surprises)).to.deep.equal([]);
      console.log(
        `        ${2 * numberOfKills} kills, ${acknowledgedRows.length} acknowledged calls and ${importedRows.length} imports, all stored`,
      );
    });

    it('repeat the response to an old Idempotency-Key after a restart, and are ready', async () => {
      const service = await startService(machine);
      running = service;
      expect((await fetch(`${service.url}/readyz`)).status).to.equal(200);
      expect(fixture.clients.flatMap(({ requests }) => requests).length).to.be.greaterThan(0);
      for (const client of fixture.clients) expect(await client.findWrongReplays(service.url)).to.deep.equal([]);
      await expectConsistent(observer, fixture);
      service.child.kill('SIGTERM');
      expect((await service.ended).code).to.equal(0);
      expect(await machine.json('ledger', 'verify')).to.include({ ok: true });
    });
  });
});
