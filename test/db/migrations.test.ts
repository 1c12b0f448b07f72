import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { migrations } from '../../db/migrations/index.ts';
import { migration } from '../../db/migrations/migration.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';
import { failureOf } from './gate.ts';
import { isSaved, savedUser } from './samples.ts';

const names = migrations.map((Migration) => new Migration().name ?? '');

describe('the list of migrations', () => {
  it('contains every file of the folder, in the order of their times', () => {
    const files = readdirSync('db/migrations').filter((file) => /^\d/.test(file));
    const nameOf = (file: string): string => path.basename(file, '.ts').replace(/^(\d{13})-(.*)$/, '$2-$1');
    expect(names).to.deep.equal(files.toSorted().map(nameOf));
  });
});

describe('migrating', () => {
  forEachEngine((engine) => {
    let url: string;
    let observer: Observer;
    beforeEach(async () => {
      url = await engine.emptyUrl();
      observer = await engine.observe(url);
    });

    const tables = async (): Promise<string[]> => {
      const query =
        engine.name === 'sqlite'
          ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name"
          : "select table_name as name from information_schema.tables where table_schema = 'public' order by table_name";
      return (await observer.query<{ name: string }>(query)).map(({ name }) => name);
    };
    const createTable = (name: string, number: number) =>
      migration(`${name}-209901010000${number}`, (run) => run(`create table ${name} (id bigint)`));
    const broken = migration('broken-2099010100002', async (run) => {
      await run('create table half_made (id bigint)');
      await run('insert into half_made (id) values (1)');
      throw new Error('the power went out');
    });
    const [first, second, third] = [createTable('first', 1), createTable('second', 2), createTable('third', 3)];

    it('runs what is pending, returns the names, and leaves nothing pending', async () => {
      const database = await engine.open({ url });
      expect(await database.pendingMigrations()).to.deep.equal(names);
      expect(await tables()).to.deep.equal([]);
      expect(await database.migrate()).to.deep.equal(names);
      expect(await database.pendingMigrations()).to.deep.equal([]);
    });

    it('changes nothing when run a second time', async () => {
      const database = await engine.open({ url });
      await database.migrate();
      await savedUser(database, { login: 'ann' });
      expect(await database.migrate()).to.deep.equal([]);
      expect(await isSaved(database, 'ann')).to.equal(true);
    });

    it('runs only the migrations that the database has not run yet', async () => {
      await (await engine.open({ url, migrations: [first] })).migrate();
      const later = await engine.open({ url, migrations: [first, second] });
      expect(await later.pendingMigrations()).to.deep.equal(['second-2099010100002']);
      expect(await later.migrate()).to.deep.equal(['second-2099010100002']);
      expect(await tables()).to.deep.equal(['first', 'migrations', 'second']);
    });

    it('runs each migration once when several processes migrate concurrently', async () => {
      const start = async (): Promise<string[]> => {
        const database = await engine.open({ url });
        const ran = await database.migrate();
        expect(await database.pendingMigrations()).to.deep.equal([]);
        return ran;
      };
      expect((await Promise.all([start(), start(), start()])).flat()).to.deep.equal(names);
    });

    it('finds the pending applications of /apply by their logins, and leaves those of the store', async () => {
      const before = migrations.slice(0, names.indexOf('mark-online-applications-2026111900210'));
      await (await engine.open({ url, migrations: before })).migrate();
      const applications = [
        ['ann', 'ann@other.example', ''],
        ['ann2', 'ann@else.example', ''],
        ['eve-bob', 'Eve+Bob@other.example', ''],
        ['ann@shop.example', 'ann@shop.example', ''],
        ['shopper', 'carl@shop.example', ''],
        ['dora', 'dora@shop.example', 'a friend'],
        ['58213', 'maria@shop.example', ''],
        ['an', 'anna@shop.example', ''],
        ['anna', 'anna.berg@shop.example', ''],
        ['anna992', 'anna99@other.example', ''],
        ['77', '77@other.example', ''],
        [`${'x'.repeat(58)}12`, `${'x'.repeat(64)}@other.example`, ''],
      ];
      for (const [at, [login, email, referrer]] of applications.entries())
        await observer.query(`insert into registrations (login, email, email_folded, display_name, search_folded, coupon_code, status, type, promote,
          referrer, website, custom_fields, message, created_at) values
          ('${login}', '${email}', '${email}', '', '', 'X', 'pending', 'affiliate', '', '${referrer}', '', '{}', '', ${at})`);
      await (await engine.open({ url })).migrate();
      const marked = await observer.query<{ login: string }>('select login from registrations where online = 1 order by id');
      expect(marked.map(({ login }) => login)).to.deep.equal(['ann', 'ann2', 'eve-bob', 'anna992', '77', `${'x'.repeat(58)}12`]);
    });

    it('rolls all of them back when one fails, and can be repeated', async () => {
      const database = await engine.open({ url, migrations: [first, broken, third] });
      expect((await failureOf(database.migrate())).message).to.equal('the power went out');
      expect(await tables()).to.deep.equal([]);
      const repaired = await engine.open({ url, migrations: [first, second, third] });
      expect(await repaired.migrate()).to.have.length(3);
      expect(await tables()).to.deep.equal(['first', 'migrations', 'second', 'third']);
    });

    it('refuses a database of a newer version, and one made before 2.0.0, without a change', async () => {
      const newer = await engine.open({ url, migrations: [first, second] });
      await newer.migrate();
      const older = await engine.open({ url, migrations: [first] });
      expect((await failureOf(older.migrate())).message).to.match(
        /^The database was migrated by a newer version .* second-.* restore the backup/,
      );
      const preview = await engine.emptyUrl();
      const inside = await engine.observe(preview);
      await inside.query('create table migrations (name text primary key, run_at bigint not null)');
      await inside.query("insert into migrations values ('20261115000100-create-users', 1)");
      const current = await engine.open({ url: preview });
      expect((await failureOf(current.migrate())).message).to.match(/^This database was made by a version before 2\.0\.0 and cannot be/);
      expect(await inside.query('select name from migrations')).to.have.length(1);
    });
  });
});
