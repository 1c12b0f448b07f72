import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { migrations } from '../../db/migrations/index.ts';
import { beside, expectRefusal, Machine, type Outcome, outcomeOf } from '../cli/command-line.ts';
import { commandLine } from '../cli/compiled.ts';
import { serve } from '../cli/served.ts';

// What an operator reads when the database file is not what it should be. Each is the real command, started on a file that was damaged
// before. Whether a file may be written to is nothing to root, who is left without that power here (setpriv of util-linux).

const isRoot = process.getuid?.() === 0;
const withoutPower = ['--bounding-set=-dac_override', '--inh-caps=-dac_override'];

interface Damage {
  what: string;
  to(file: string): void;
  says: RegExp;
}

const overwrite = (file: string, bytes: Buffer, at: number): void => {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
};

const restore = 'restore a backup';
const damages: Damage[] = [
  {
    what: 'a file with garbage at its beginning',
    to: (file) => overwrite(file, Buffer.alloc(100, 'x'), 0),
    says: new RegExp(`^Could not open the SQLite file .*it is not an SQLite database.*${restore}`),
  },
  {
    what: 'a file of text',
    to: (file) => writeFileSync(file, 'a list of things to do'),
    says: new RegExp(`^Could not open the SQLite file .*it is not an SQLite database.*${restore}`),
  },
  {
    what: 'a file cut off in the middle',
    to: (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
    says: new RegExp(`^Could not open the SQLite file .*it is damaged.*${restore}`),
  },
  {
    what: 'a file cut off in its first page',
    to: (file) => truncateSync(file, 2000),
    says: new RegExp(`^Could not open the SQLite file .*it is damaged.*${restore}`),
  },
  {
    what: 'a file with garbage everywhere but in its first pages',
    to: (file) => overwrite(file, Buffer.alloc(statSync(file).size - 8192, 0xab), 8192),
    says: new RegExp(`^Could not open the SQLite file .*it is damaged.*${restore}`),
  },
  {
    what: 'a folder in the place of the file',
    to(file) {
      rmSync(file);
      mkdirSync(file);
    },
    says: /^Could not open the SQLite file .*(cannot be opened|may not be written to)/,
  },
];

/** A machine with a database of its own that has data in it. */
async function machineWith(template: string): Promise<Machine> {
  const machine = new Machine({ PORT: '0', LOG_LEVEL: 'silent', ENVIRONMENT: 'local' });
  mkdirSync(machine.dataDir);
  copyFileSync(template, fileOf(machine));
  return machine;
}

const fileOf = ({ databaseUrl }: Machine): string => databaseUrl.slice('sqlite:'.length);

/** As a user whom permissions bind. */
const asAnyUser = async (machine: Machine, args: readonly string[]): Promise<Outcome> => {
  if (!isRoot) return machine.run(args);
  const env = { ...process.env, DATA_DIR: machine.dataDir, PORT: '0', LOG_LEVEL: 'silent', ENVIRONMENT: 'local', DATABASE_URL: undefined };
  const child = spawn('setpriv', [...withoutPower, process.execPath, ...commandLine(), ...args], { env });
  child.stdin.end();
  return outcomeOf(child);
};

const canDropPower = (): boolean => {
  if (!isRoot) return true;
  try {
    execFileSync('setpriv', [...withoutPower, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('a SQLite file that is not what it should be', () => {
  const template = path.join(new Machine().folder, 'template.sqlite');
  let outcomes: Map<Damage, Outcome>;
  before(async () => {
    const machine = new Machine();
    await machine.addUser('boss', 'administrator');
    copyFileSync(fileOf(machine), template);
    outcomes = await beside(damages, async ({ to }) => {
      const damaged = await machineWith(template);
      to(fileOf(damaged));
      return damaged.run(['serve']);
    });
  });

  for (const damage of damages)
    it(`keeps the service from starting, with one sentence that says what to do: ${damage.what}`, () => {
      expectRefusal(outcomes.get(damage) as Outcome, damage.says);
    });

  for (const what of ['file', 'folder'] as const)
    it(`keeps the service from starting when the ${what} is read-only (as root skipped where setpriv cannot drop its power)`, async function () {
      if (!canDropPower()) return this.skip();
      const machine = await machineWith(template);
      // The service keeps its key in there too.
      await machine.run(['doctor']);
      await chmod(what === 'file' ? fileOf(machine) : machine.dataDir, what === 'file' ? 0o400 : 0o500);
      const outcome = await asAnyUser(machine, ['migrate']);
      await chmod(machine.dataDir, 0o700);
      expectRefusal(outcome, /^Could not open the SQLite file .* may not be written to by this user\. .*\n$/);
    });

  it('is refused when a newer version has migrated it, by every command, and left as it is', async () => {
    const machine = await machineWith(template);
    const newer = { name: '20990101000000-of-tomorrow', up: async () => {} };
    await machine.inside((database) => database.migrate(), { migrations: [...migrations, newer] });
    const says =
      /^The database was migrated by a newer version of affiliate, up to 20990101000000-of-tomorrow, .*Run that version, or restore/;
    for (const args of [['serve'], ['migrate'], ['user', 'list']]) expectRefusal(await machine.run(args), says);
    const doctor = await machine.run(['doctor']);
    expect([doctor.code, doctor.out]).to.satisfy(([code, out]: [number, string]) => code === 1 && out.includes('newer version'));
    expect(await machine.inside((database) => database.pendingMigrations(), { migrations: [...migrations, newer] })).to.deep.equal([]);
  });

  it('of an older version is migrated by the service, with its rows', async () => {
    const machine = new Machine();
    mkdirSync(machine.dataDir);
    await machine.inside((database) => database.migrate(), { migrations: migrations.slice(0, 4) });
    const { url, child, ended } = await serve(machine);
    expect((await fetch(`${url}/readyz`)).status).to.equal(200);
    child.kill('SIGTERM');
    expect((await ended).code).to.equal(0);
    expect(await machine.json('ledger', 'verify')).to.include({ ok: true });
  });

  it('without its write-ahead log is the last state that was moved into it, sound in itself', async () => {
    const machine = await machineWith(template);
    const first = await serve(machine);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(existsSync(`${fileOf(machine)}-wal`)).to.equal(true);
    for (const end of ['-wal', '-shm']) rmSync(fileOf(machine) + end);
    expect(await machine.json('ledger', 'verify')).to.include({ ok: true });
    expect(await machine.json<{ login: string }[]>('user', 'list')).to.have.length(1);
  });
});
