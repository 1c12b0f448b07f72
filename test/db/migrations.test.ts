import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { migrations } from '../../db/migrations/index.ts';
import type { Migration } from '../../db/migrations/migration.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';
import { failureOf } from './gate.ts';
import { isSaved, savedUser } from './samples.ts';

const names = migrations.map(({ name }) => name);

describe('the list of migrations', () => {
  it('contains every file of the folder, in the order of their times', () => {
    const files = readdirSync('db/migrations').filter((file) => /^\d/.test(file));
    expect(names).to.deep.equal(files.map((file) => path.basename(file, '.ts')).toSorted());
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
    const createTable = (name: string): Migration => ({ name, up: async (run) => void (await run(`create table ${name} (id bigint)`)) });
    const broken: Migration = {
      name: 'broken',
      async up(run) {
        await run('create table half_made (id bigint)');
        await run('insert into half_made (id) values (1)');
        throw new Error('the power went out');
      },
    };

    it('runs what is pending, reports each step, and leaves nothing pending', async () => {
      const database = await engine.open({ url });
      const steps: string[] = [];
      expect(await database.pendingMigrations()).to.deep.equal(names);
      expect(await tables()).to.deep.equal([]);
      await database.migrate((step) => steps.push(step));
      expect(steps).to.deep.equal(names);
      expect(await database.pendingMigrations()).to.deep.equal([]);
    });

    if (engine.name === 'sqlite')
      it('sorts the indexes of whole tables in files, not in memory', async () => {
        const stores: unknown[] = [];
        const migration: Migration = { name: 'sorts', up: async (run) => void stores.push(await run('pragma temp_store')) };
        const database = await engine.open({ url, migrations: [migration] });
        await database.migrate();
        expect(stores).to.deep.equal([[{ temp_store: 1 }]]);
      });

    it('changes nothing when run a second time', async () => {
      const database = await engine.open({ url });
      await database.migrate();
      await savedUser(database, { login: 'ann' });
      const steps: string[] = [];
      await database.migrate((step) => steps.push(step));
      expect(steps).to.deep.equal([]);
      expect(await isSaved(database, 'ann')).to.equal(true);
    });

    it('runs only the migrations that the database has not run yet', async () => {
      await (await engine.open({ url, migrations: [createTable('first')] })).migrate();
      const steps: string[] = [];
      const later = await engine.open({ url, migrations: [createTable('first'), createTable('second')] });
      expect(await later.pendingMigrations()).to.deep.equal(['second']);
      await later.migrate((step) => steps.push(step));
      expect(steps).to.deep.equal(['second']);
      expect(await tables()).to.deep.equal(['first', 'migrations', 'second']);
    });

    it('runs each migration once when several processes migrate concurrently', async () => {
      const steps: string[] = [];
      const start = async (): Promise<void> => {
        const database = await engine.open({ url });
        await database.migrate((step) => steps.push(step));
        expect(await database.pendingMigrations()).to.deep.equal([]);
      };
      await Promise.all([start(), start(), start()]);
      expect(steps.toSorted()).to.deep.equal(names);
    });

    it('rolls a failed migration back, keeps those before it, and can be resumed', async () => {
      const database = await engine.open({ url, migrations: [createTable('before'), broken, createTable('behind')] });
      expect((await failureOf(database.migrate())).message).to.equal('the power went out');
      expect(await tables()).to.deep.equal(['before', 'migrations']);
      expect(await database.pendingMigrations()).to.deep.equal(['broken', 'behind']);
      const repaired = await engine.open({ url, migrations: [createTable('before'), createTable('broken'), createTable('behind')] });
      await repaired.migrate();
      expect(await tables()).to.deep.equal(['before', 'behind', 'broken', 'migrations']);
    });
  });
});
