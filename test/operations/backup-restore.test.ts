import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import { dropRestored } from '../../db/engine/postgres/dump.ts';
import { systemClock } from '../../domain/clock.ts';
import { createConfirmation } from '../../domain/confirmation.ts';
import { systemRandom } from '../../domain/random.ts';
import { issueDevice } from '../../domain/users/device.ts';
import { issueToken } from '../../domain/users/one-time-token.ts';
import { issueInvitation } from '../../domain/users/password-links.ts';
import { startSession } from '../../domain/users/sign-in.ts';
import type { User } from '../../domain/users/user.ts';
import { expectCommandError, Machine } from '../cli/machine.ts';
import { startService, waitForOutput } from '../cli/running-service.ts';
import { forEachEngine } from '../support/engines.ts';
import { pdf } from '../support/invoices.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { masterKey } from '../support/service.ts';
import { subscribed } from '../support/webhooks.ts';

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
      // The command seals at the time of the machine.
      store = await openPayoutStore(engine, { clock: systemClock });
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

    it('is restored: nothing acknowledged is missing, the ledger is sound, secrets can be read', async () => {
      const machine = new Machine({ DATABASE_URL: store.service.databaseUrl, MASTER_KEY: masterKey });
      const backup = path.join(machine.folder, 'backup');
      writeFileSync(path.join(machine.folder, 'invoice.pdf'), pdf());
      await machine.text('invoice', 'add', '--user', 'trail', '--coupon', 'TRAIL10', path.join(machine.folder, 'invoice.pdf'));
      const { acknowledged, stop } = business();
      while (acknowledged.length < 3) await store.earn(1);
      const before = [...acknowledged];
      const { head } = await machine.json<{ head: string }>('ledger', 'head');
      const answer = await machine.json('backup', backup, '--verify');
      await stop();
      const invoices = { folder: `${backup}.invoices`, count: 1 };
      expect(answer).to.deep.include({
        verified: true,
        file: backup,
        invoices,
        engine: engine.name,
        master_key: { included: false, file: null },
      });

      const url = engine.name === 'postgres' ? { DATABASE_URL: await engine.emptyUrl() } : {};
      const restored = new Machine({ MASTER_KEY: masterKey, ENVIRONMENT: 'local', ...url });
      const sqlite = {
        restored: path.join(restored.dataDir, 'affiliate.sqlite'),
        taken: /^There is a database at .* already\. Add --replace/,
      };
      const other = engine.name === 'sqlite' ? 'PostgreSQL' : 'SQLite';
      const elsewhere = new Machine({ DATABASE_URL: engine.name === 'sqlite' ? 'postgres://127.0.0.1:1/none' : 'sqlite:none.sqlite' });
      expectCommandError(
        await elsewhere.run(['restore', backup]),
        new RegExp(`is a backup of a (SQLite|PostgreSQL) database, and DATABASE_URL names ${other}\\. Restore it on`),
      );
      const files = { count: 1, lost: [], former: null };
      const result = { file: backup, engine: engine.name, migrations: 0, former: null, invoices: files, master_key_problem: null };
      const answered = await restored.json<{ last_event: number }>('restore', backup);
      expect(answered).to.deep.include(result);
      expect(await restored.inside((database) => database.query(({ events }) => events.lastId()))).to.equal(answered.last_event);
      expectCommandError(
        await restored.run(['restore', backup]),
        engine.name === 'postgres' ? /^The database has tables already\. Create an empty one/ : sqlite.taken,
      );
      if (engine.name === 'sqlite') {
        // Files of the backup's own folder may be lost: those that are there are used.
        renameSync(`${backup}.invoices`, `${backup}.moved`);
        writeFileSync(path.join(restored.dataDir, 'invoices', '2'), 'handed in since');
        const { former, invoices } = await restored.json<{ former: string; invoices: { former: string } }>('restore', '--replace', backup);
        expect(invoices).to.deep.include({ count: 1, lost: [] });
        expect(readdirSync(invoices.former)).to.have.members(['1', '2']);
        expect(readdirSync(path.join(restored.dataDir, 'invoices'))).to.deep.equal(['1']);
        expect(former).to.match(/affiliate\.sqlite\.before-\d{8}T\d{6}Z$/);
        expect([statSync(sqlite.restored).mode & 0o777, existsSync(former)]).to.deep.equal([0o600, true]);
      }
      expect(await restored.text('doctor'))
        .to.match(/ok +secrets /)
        .and.to.match(/ok +invoices /)
        .and.not.to.match(/^problem/m);

      expect(await restored.json('ledger', 'verify', '--against', head)).to.include({ ok: true });
      const statuses = await restored.inside((database) =>
        database.read(({ payouts }) => Promise.all(before.map(async (id) => (await payouts.byId(id))?.status))),
      );
      expect(statuses).to.deep.equal(before.map(() => 'paid'));
    });
  });
});

/** Of the schema that PostgreSQL has from the beginning, and which is empty then. */
const objects = `
  select relname from pg_class where relnamespace = 'public'::regnamespace
  union all select proname from pg_proc where pronamespace = 'public'::regnamespace
  union all select typname from pg_type where typnamespace = 'public'::regnamespace`;

describe('a backup whose ledger is not sound (by real pg_dump: skipped where there is none of the version of the server)', () => {
  forEachEngine((engine) => {
    if (engine.name === 'sqlite') return;

    it('is dropped with all that it brought: tables, views and functions', async () => {
      const url = await engine.freshUrl();
      const { query } = await engine.observe(url);
      await dropRestored(url);
      expect(await query(objects)).to.deep.equal([]);
      await (await engine.open({ url })).migrate();
      expect(await query(objects)).not.to.deep.equal([]);
    });

    it('leaves the database of PostgreSQL as empty as it was, so that a sound one can be restored', async function () {
      const observer = await engine.observe(await engine.emptyUrl());
      const [row] = await observer.query<{ major: number }>("select current_setting('server_version_num')::int / 10000 as major");
      if (majorOfDump() < (row?.major ?? 0)) this.skip();
      const url = await engine.freshUrl();
      const machine = new Machine({ DATABASE_URL: url, MASTER_KEY: masterKey });
      await machine.addUser('ada', 'administrator');
      const [sound, unsound] = ['sound', 'unsound'].map((name) => path.join(machine.folder, name)) as [string, string];
      await machine.text('backup', sound);
      const source = await engine.observe(url);
      await source.query("insert into payout_days values ('all', 0, '2026-11-02', 'paid', 2, 100)");
      await machine.text('backup', unsound);
      const target = await engine.emptyUrl();
      const restored = new Machine({ DATABASE_URL: target, MASTER_KEY: masterKey });
      expectCommandError(await restored.run(['restore', unsound]), /^The ledger of the backup has differences: /m);
      const left = await (await engine.observe(target)).query(objects);
      expect(left).to.deep.equal([]);
      await restored.text('restore', sound);
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

  it('brings no session, link, confirmation or known browser back, but keeps the links of applications; keys only without --revoke-keys', async () => {
    const machine = new Machine();
    await machine.text('user', 'create', '--login', 'ada', '--email', 'ada@example.com', '--role', 'administrator');
    await machine.text('key', 'create', '--user', 'ada', '--scopes', 'read');
    const now = Date.now();
    const context = { now, random: systemRandom };
    await machine.inside((database) =>
      database.write(async (transaction) => {
        const user = (await transaction.users.byLoginOrEmail('ada')) as User;
        await transaction.users.setPasswordHash(user.id, 'a hash');
        const browser = { device: '', address: '' };
        await startSession(transaction, { user, passwordHash: 'a hash' }, browser, context);
        await issueDevice(transaction, user.id, undefined, context);
        await issueInvitation(transaction, user, context);
        await transaction.appPasswords.insert({ userId: user.id, name: 'shop', hash: 'a hash', createdAt: now });
        await issueToken(transaction, { purpose: 'confirm-application', lifetimeMs: 1e9 }, now, systemRandom);
        await createConfirmation(transaction, { userId: user.id, keyId: 1, request: '' }, context);
      }),
    );
    const backup = path.join(machine.folder, 'backup.sqlite');
    await machine.text('backup', backup);
    const tables = ['sessions', 'devices', 'confirmations', 'app_passwords', 'one_time_tokens'];
    const left = async (...options: string[]) => {
      const answer = await machine.json<{ revoked_keys: number | null }>('restore', '--replace', backup, ...options);
      const file = new sqlite3.Database(path.join(machine.dataDir, 'affiliate.sqlite'));
      const count = (sql: string) =>
        new Promise<number>((resolve, reject) =>
          file.get(`select count(*) as rows from ${sql}`, (error, row: { rows: number }) => (error ? reject(error) : resolve(row.rows))),
        );
      const rows: Record<string, number> = {};
      for (const table of tables) rows[table] = await count(table);
      rows['applications'] = await count("one_time_tokens where purpose = 'confirm-application'");
      rows['keys'] = await count('api_keys where revoked_at is null');
      await new Promise((resolve) => file.close(resolve));
      return { ...rows, revoked: answer.revoked_keys };
    };
    const ended = { sessions: 0, devices: 0, confirmations: 0, one_time_tokens: 1, applications: 1 };
    expect(await left()).to.deep.equal({ ...ended, app_passwords: 1, keys: 1, revoked: null });
    expect(await left('--revoke-keys')).to.deep.equal({ ...ended, app_passwords: 0, keys: 0, revoked: 2 });
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

/** Payouts that were counted, but do not exist. */
const addWrongCount = (file: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const handle = new sqlite3.Database(file);
    handle.run("insert into payout_days values ('all', 0, '2026-11-02', 'paid', 2, 100)", (error) => {
      handle.close(() => (error ? reject(error) : resolve()));
    });
  });

describe('affiliate backup --folder', () => {
  it('names copies by their time, verifies them by restoring, and keeps the newest; a copy that is not sound deletes no other', async () => {
    const machine = new Machine();
    await machine.addUser('ada', 'administrator');
    const folder = path.join(machine.folder, 'copies');
    mkdirSync(folder);
    for (const name of ['affiliate-20261101T030000Z.sqlite', 'affiliate-20261102T030000Z.sqlite', 'notes'])
      writeFileSync(path.join(folder, name), '');
    const flags = ['--folder', folder, '--keep', '2', '--verify'];
    const { file, verified, deleted } = await machine.json<{ file: string; verified: boolean; deleted: string[] }>('backup', ...flags);
    expect([path.dirname(file), verified, deleted]).to.deep.equal([folder, true, ['affiliate-20261101T030000Z.sqlite']]);
    // The next copy may be of the same second.
    renameSync(file, path.join(folder, 'affiliate-20261103T030000Z.sqlite'));
    const left = ['affiliate-20261102T030000Z.sqlite', 'affiliate-20261103T030000Z.sqlite', 'notes'];
    expect(readdirSync(folder)).to.have.members(left);
    await addWrongCount(path.join(machine.dataDir, 'affiliate.sqlite'));
    expectCommandError(
      await machine.run(['backup', ...flags]),
      /Z\.sqlite was written, but it could not be verified; no older copy was deleted\. The ledger of the backup has differences: 1\./,
    );
    expect(readdirSync(folder)).to.include.members(left).and.have.length(4);
    expectCommandError(await machine.run(['backup', 'x', '--folder', folder]), 'Name the file of the copy, or a folder with --folder.');
    expectCommandError(
      await machine.run(['backup', 'x', '--keep', '3']),
      /^--keep deletes older copies in a folder: name it with --folder\.$/m,
    );
  });
});

describe('affiliate restore', () => {
  it('refuses what is no sound backup, and while the service runs; the former database can be restored', async () => {
    const machine = new Machine({ PORT: '0', ENVIRONMENT: 'local', LOG_LEVEL: 'silent' });
    await machine.addUser('ada', 'administrator');
    const [copy, broken, unsound] = ['copy', 'broken', 'unsound'].map((name) => path.join(machine.folder, name)) as [
      string,
      string,
      string,
    ];
    await machine.text('backup', copy);
    cpSync(copy, broken);
    truncateSync(broken, statSync(copy).size / 2);
    cpSync(copy, unsound);
    await addWrongCount(unsound);
    const refused = async (file: string, reason: RegExp) =>
      expectCommandError(await machine.run(['restore', '--replace', path.join(machine.folder, file)]), reason);
    await refused('nothing', /^There is no .*nothing\. Name a copy/);
    await refused('broken', /^The backup is (damaged: .*|not a SQLite database, or is damaged)\. Use/m);
    writeFileSync(path.join(machine.folder, 'empty'), '');
    await refused('empty', /^The file has no tables of this service: it is empty, or not a backup\. Use another one\.$/m);
    await refused(
      'unsound',
      /^The ledger of the backup has differences: 1\. Those of this database are listed by affiliate ledger verify; for a restore, use an older backup\.$/m,
    );
    const worker = machine.start(['worker'], { ENVIRONMENT: 'local', LOG_LEVEL: 'silent' });
    await waitForOutput(worker, (output) => output.includes('\n'));
    await refused('copy', /^Another process has .*affiliate\.sqlite open, for example affiliate worker, or a command\. Stop it first\.$/m);
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    const { child, ended } = await startService(machine);
    await refused('copy', /^Process \d+ serves .*\. Stop the service first\.$/m);
    await machine.addUser('bob', 'administrator');
    child.kill('SIGKILL');
    await ended;
    expect(readdirSync(machine.dataDir).filter((name) => /restoring|before/.test(name))).to.deep.equal([]);

    // What a killed service has left in the log is in the file that is named.
    const { former } = await machine.json<{ former: string }>('restore', '--replace', copy);
    expect(readdirSync(machine.dataDir).filter((name) => name.includes('before'))).to.deep.equal([path.basename(former)]);
    expect(await machine.json('user', 'list')).to.have.length(1);
    await machine.text('restore', '--replace', former);
    expect(await machine.json('user', 'list')).to.have.length(2);
  });

  it('as root, leaves files that belong to the owner of the folder (skipped for other users)', async function () {
    if (process.getuid?.() !== 0) return this.skip();
    const machine = new Machine();
    await machine.addUser('ada', 'administrator');
    const copy = path.join(machine.folder, 'copy');
    await machine.text('backup', copy);
    chownSync(machine.dataDir, 65534, 65534);
    expect(await machine.text('restore', '--replace', copy)).to.match(/copy is the database now\. Its ledger is sound\.\nThe former/);
    const owners = readdirSync(machine.dataDir).map((name) => statSync(path.join(machine.dataDir, name)).uid);
    expect(new Set(owners)).to.deep.equal(new Set([65534]));
  });
});
