import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { migrations } from '../../db/migrations/index.ts';
import { compiledProgram } from '../cli/compiled-command.ts';
import { Machine } from '../cli/machine.ts';
import { startService } from '../cli/running-service.ts';
import { forEachEngine } from '../support/engines.ts';
import { masterKey } from '../support/service.ts';
import type { MigrationTask } from './migration-process.ts';

// A process that is killed after the statements of a migration and before its commit. PROVE_MIGRATIONS: in how many migrations on each
// engine, spread over the list.
const numberOfKills = Math.min(Number(process.env['PROVE_MIGRATIONS'] ?? 1), migrations.length);
const program = 'test/faults/migration-process.ts';
const names = migrations.map((Migration) => new Migration().name ?? '');
const killedIn = Array.from(
  { length: numberOfKills },
  (_, index) => names[Math.floor(((index + 0.5) * names.length) / numberOfKills)] ?? '',
);

forEachEngine((engine) => {
  describe('a migration', function () {
    this.timeout(180_000 + numberOfKills * 30_000);
    const children: ChildProcess[] = [];
    after(() => {
      for (const child of children) child.kill('SIGKILL');
    });

    const startAndStopIn = async (databaseUrl: string, stopIn: string): Promise<ChildProcess> => {
      const task: MigrationTask = { databaseUrl, stopIn };
      const child = spawn(process.execPath, [...compiledProgram(program), JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      const ended = once(child, 'close').then(([code]) =>
        Promise.reject(new Error(`the migrating process ended with ${code} before ${stopIn}`)),
      );
      await Promise.race([once(child.stdout, 'data'), ended]);
      return child;
    };

    it(`that is killed before its commit, in ${numberOfKills} of ${names.length}, leaves no change, and the next start completes it`, async () => {
      for (const name of killedIn) {
        const databaseUrl = await engine.emptyUrl();
        const child = await startAndStopIn(databaseUrl, name);
        child.kill('SIGKILL');
        await once(child, 'close');
        const machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey });
        expect(await machine.inside((database) => database.pendingMigrations())).to.deep.equal(names);
        const { url, child: service, ended } = await startService(machine);
        expect((await fetch(`${url}/readyz`)).status).to.equal(200);
        service.kill('SIGTERM');
        expect((await ended).code).to.equal(0);
        expect(await machine.inside((database) => database.pendingMigrations())).to.deep.equal([]);
      }
    });

    it('that is killed while two other processes wait to migrate is completed by them, each migration once', async () => {
      const databaseUrl = await engine.emptyUrl();
      const name = names[3] ?? '';
      const child = await startAndStopIn(databaseUrl, name);
      const migrating = [1, 2].map(async () => (await engine.open({ url: databaseUrl })).migrate());
      child.kill('SIGKILL');
      expect((await Promise.all(migrating)).flat()).to.deep.equal(names);
    });
  });
});
