import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { compiledCommand } from '../cli/compiled-command.ts';
import { Machine } from '../cli/machine.ts';
import { forEachEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { masterKey } from '../support/service.ts';
import { subscribed } from '../support/webhooks.ts';
import { commandsUnder } from './guide.ts';

/** Runs commands of docs/guides/run-in-production.md as they stand, with `npx affiliate` being the program under test. */
function follow(commands: string, machine: Machine, variables: Record<string, string>): { code: number | null; out: string; err: string } {
  const bin = path.join(machine.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const program = [process.execPath, ...compiledCommand()].map((part) => `'${part}'`).join(' ');
  writeFileSync(path.join(bin, 'npx'), `#!/bin/sh\nshift\nexec ${program} "$@"\n`);
  chmodSync(path.join(bin, 'npx'), 0o755);
  const env = { PATH: `${bin}:${process.env['PATH']}`, DATA_DIR: machine.dataDir, ENVIRONMENT: 'local', ...variables };
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', commands], { env, cwd: machine.folder, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

/** The number that PostgreSQL's programs go by; 0 where there is none. */
function majorOfDump(): number {
  try {
    return Number(/(\d+)/.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8', stdio: 'pipe' }))?.[1]);
  } catch {
    return 0;
  }
}

forEachEngine((engine) => {
  const needs = engine.name === 'postgres' ? " (by real pg_dump: skipped where there is none of the server's version)" : '';
  describe(`a backup that was taken while others write${needs}`, () => {
    let store: PayoutStore;
    before(async function () {
      if (engine.name !== 'postgres') return;
      const observer = await engine.observe(await engine.emptyUrl());
      const [row] = await observer.query<{ major: number }>("select current_setting('server_version_num')::int / 10000 as major");
      if (majorOfDump() < (row?.major ?? 0)) this.skip();
    });
    beforeEach(async () => {
      store = await openPayoutStore(engine);
      await store.set('store.name', 'Fjell');
      await store.set('store.url', 'https://fjell.example');
      await subscribed(store.admin, 'http://127.0.0.1:1/hook');
    });
    afterEach(() => store.service.stop());

    /** Sells and pays until it is told to stop; what it answers is what was acknowledged. */
    const business = (): { acknowledged: number[]; stop(): Promise<void> } => {
      const acknowledged: number[] = [];
      const closing = new AbortController();
      const running = (async () => {
        while (!closing.signal.aborted) {
          await store.earn(10);
          const { body } = await store.affiliate.post('/payouts', { json: { coupon_id: store.couponId } });
          await store.admin.post(`/payouts/${body.id}/status`, { json: { status: 'paid' } });
          acknowledged.push(body.id);
        }
      })();
      const stop = (): Promise<void> => {
        closing.abort();
        return running;
      };
      return { acknowledged, stop };
    };

    it('is restored by the commands of the guide: nothing acknowledged is missing, the ledger is sound, secrets can be read', async () => {
      const machine = new Machine({ DATABASE_URL: store.service.databaseUrl, MASTER_KEY: masterKey });
      const backup = path.join(machine.folder, 'backup');
      const { acknowledged, stop } = business();
      while (acknowledged.length < 3) await store.earn(1);
      const before = [...acknowledged];
      const answer = await machine.json('backup', backup);
      await stop();
      expect(answer).to.deep.include({ file: backup, engine: engine.name, master_key: { included: false, file: null } });

      const restored = new Machine(engine.name === 'postgres' ? { DATABASE_URL: await engine.emptyUrl() } : {});
      mkdirSync(restored.dataDir);
      const keyCopy = path.join(machine.folder, 'key');
      writeFileSync(keyCopy, `${masterKey}\n`);
      const variables = { BACKUP: backup, KEY_COPY: keyCopy, ...(engine.name === 'postgres' && { DATABASE_URL: restored.databaseUrl }) };
      const done = follow(commandsUnder(`Restore on ${engine.name === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`), restored, variables);
      expect([done.code, done.err], done.out).to.deep.equal([0, '']);
      expect(done.out)
        .to.match(/The ledger is sound/)
        .and.to.match(/ok +secrets /)
        .and.not.to.match(/^problem/m);

      const statuses = await restored.inside((database) =>
        database.read(({ payouts }) => Promise.all(before.map(async (id) => (await payouts.byId(id))?.status))),
      );
      expect(statuses).to.deep.equal(before.map(() => 'paid'));
    });
  });
});

describe('affiliate backup', () => {
  it('reminds that the master key is not in the copy, and names the file to back up', async () => {
    const machine = new Machine();
    await machine.addUser('ada', 'administrator');
    const key = path.join(machine.dataDir, 'master.key');
    const backup = (file: string) => machine.text('backup', path.join(machine.folder, file));
    expect(await backup('one')).to.match(
      /\([\d,]+ bytes\)\.\nThe master key is not in the copy, .*There is none at .*master\.key yet\.\n$/,
    );
    writeFileSync(key, 'k'.repeat(64), { mode: 0o600 });
    expect(await backup('two')).to.include(`Keep a copy of ${key} in another place.`);
  });

  it('copies a database that is older than the program, as the upgrade guide requires', async () => {
    const machine = new Machine();
    mkdirSync(machine.dataDir);
    const { migrations } = await import('../../db/migrations/index.ts');
    await machine.inside((database) => database.migrate(), { migrations: migrations.slice(0, 3) });
    const copy = path.join(machine.folder, 'copy');
    await machine.text('backup', copy);
    expect(existsSync(copy)).to.equal(true);
    await machine.text('migrate');
    cpSync(copy, path.join(machine.dataDir, 'affiliate.sqlite'));
    const pending = await machine.inside((database) => database.pendingMigrations());
    expect(pending).to.have.length(migrations.length - 3);
  });

  it('fails without a copy where there is no database', async () => {
    const machine = new Machine();
    const { code, err } = await machine.run(['backup', path.join(machine.folder, 'copy')]);
    expect([code, existsSync(machine.dataDir), existsSync(path.join(machine.folder, 'copy'))]).to.deep.equal([1, false, false]);
    expect(err).to.match(
      /^There is no database at .*affiliate\.sqlite\. Set DATA_DIR or DATABASE_URL, or run affiliate migrate to create one\.\n$/,
    );
  });
});
