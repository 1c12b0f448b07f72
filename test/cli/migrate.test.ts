import { mkdirSync } from 'node:fs';
import { expect } from 'chai';
import { migrations } from '../../db/migrations/index.ts';
import { expectCommandError, Machine } from './machine.ts';

const names = migrations.map((Migration) => new Migration().name ?? '');

/** With a database of an earlier version. */
async function createOutdatedMachine(): Promise<Machine> {
  const machine = new Machine();
  mkdirSync(machine.dataDir);
  await machine.inside((database) => database.migrate(), { migrations: migrations.slice(0, 3) });
  return machine;
}

describe('affiliate migrate', () => {
  it('prints a line for each migration, and that the database is current', async () => {
    const machine = new Machine();
    const lines = names.map((name) => `migrated ${name}\n`).join('');
    expect(await machine.text('migrate')).to.equal(`${lines}The database is current.\n`);
    expect(await machine.text('migrate')).to.equal('The database is current.\n');
  });

  it('is not needed for a new database, also when several commands create it concurrently', async () => {
    const machine = new Machine();
    const names = ['A', 'B', 'C', 'D'];
    await Promise.all(names.map((name) => machine.json('settings', 'set', 'store.name', name)));
    expect((await machine.json<{ value: string }>('settings', 'get', 'store.name')).value).to.be.oneOf(names);
  });

  it('is required before other commands on a database of an earlier version', async () => {
    const machine = await createOutdatedMachine();
    const pending = names.length - 3;
    expectCommandError(
      await machine.run(['user', 'list', '--json']),
      `The database is not up to date: migrations to run: ${pending}. Run affiliate migrate, after a backup.`,
    );
    expect(await machine.json('migrate')).to.deep.equal({ engine: 'sqlite', applied: names.slice(3) });
    expect(await machine.json('user', 'list')).to.deep.equal([]);
  });
});
