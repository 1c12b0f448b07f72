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
import { migration } from '../../db/migrations/migration.ts';
import { compiledCommand } from '../cli/compiled-command.ts';
import { type CommandOutcome, expectCommandError, Machine, mapConcurrently, waitForExit } from '../cli/machine.ts';
import { startService } from '../cli/running-service.ts';

// The error messages for a damaged database file, by the real command. Permissions do not apply to root, so setpriv (util-linux) drops that
// capability.

const isRoot = process.getuid?.() === 0;
const dropCapability = ['--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-dac_override,-dac_read_search'];

interface Damage {
  what: string;
  apply(file: string): void;
  message: RegExp;
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
    apply: (file) => overwrite(file, Buffer.alloc(100, 'x'), 0),
    message: new RegExp(`^Could not open the SQLite file .*it is not an SQLite database.*${restore}`),
  },
  {
    what: 'a file of text',
    apply: (file) => writeFileSync(file, 'a list of things to do'),
    message: new RegExp(`^Could not open the SQLite file .*it is not an SQLite database.*${restore}`),
  },
  {
    what: 'a file cut off in the middle',
    apply: (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
    message: new RegExp(`^Could not open the SQLite file .*it is damaged.*${restore}`),
  },
  {
    what: 'a file cut off in its first page',
    apply: (file) => truncateSync(file, 2000),
    message: new RegExp(`^Could not open the SQLite file .*it is damaged.*${restore}`),
  },
  {
    what: 'a file with garbage everywhere but in its first pages',
    apply: (file) => overwrite(file, Buffer.alloc(statSync(file).size - 8192, 0xab), 8192),
    message: new RegExp(`^Could not open the SQLite file .*it is damaged.*${restore}`),
  },
  {
    what: 'a folder in the place of the file',
    apply(file) {
      rmSync(file);
      mkdirSync(file);
    },
    message: /^Could not open the SQLite file .*(cannot be opened|may not be written to)/,
  },
];

/** A machine with a copy of the template database. */
async function machineWith(template: string): Promise<Machine> {
  const machine = new Machine({ PORT: '0', LOG_LEVEL: 'silent', ENVIRONMENT: 'local' });
  mkdirSync(machine.dataDir);
  copyFileSync(template, fileOf(machine));
  return machine;
}

const fileOf = ({ databaseUrl }: Machine): string => databaseUrl.slice('sqlite:'.length);

/** Runs a command with file permissions enforced. */
const runUnprivileged = async (machine: Machine, args: readonly string[]): Promise<CommandOutcome> => {
  if (!isRoot) return machine.run(args);
  const env = { ...process.env, DATA_DIR: machine.dataDir, PORT: '0', LOG_LEVEL: 'silent', ENVIRONMENT: 'local', DATABASE_URL: undefined };
  const child = spawn('setpriv', [...dropCapability, process.execPath, ...compiledCommand(), ...args], { env });
  child.stdin.end();
  return waitForExit(child);
};

const canDropCapability = (): boolean => {
  if (!isRoot) return true;
  try {
    execFileSync('setpriv', [...dropCapability, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('a SQLite file', () => {
  const template = path.join(new Machine().folder, 'template.sqlite');
  let outcomes: Map<Damage, CommandOutcome>;
  before(async () => {
    const machine = new Machine();
    await machine.addUser('boss', 'administrator');
    copyFileSync(fileOf(machine), template);
    outcomes = await mapConcurrently(damages, async ({ apply }) => {
      const damaged = await machineWith(template);
      apply(fileOf(damaged));
      return damaged.run(['serve']);
    });
  });

  for (const damage of damages)
    it(`with damage stops the service at its start with one sentence that says what to do: ${damage.what}`, () => {
      expectCommandError(outcomes.get(damage) as CommandOutcome, damage.message);
    });

  for (const what of ['file', 'folder'] as const)
    it(`stops the service at its start when the ${what} is read-only (skipped for root where setpriv cannot drop the capability)`, async function () {
      if (!canDropCapability()) return this.skip();
      const machine = await machineWith(template);
      // Creates the master key, which is in the same folder.
      await machine.run(['doctor']);
      await chmod(what === 'file' ? fileOf(machine) : machine.dataDir, what === 'file' ? 0o400 : 0o500);
      const outcome = await runUnprivileged(machine, ['migrate']);
      await chmod(machine.dataDir, 0o700);
      expectCommandError(outcome, /^Could not open the SQLite file .* may not be written to by this user\. .*\n$/);
    });

  it('in a data folder that the user may not read is named by doctor, with what to do', async function () {
    if (!canDropCapability()) this.skip();
    const machine = await machineWith(template);
    await chmod(machine.dataDir, 0o000);
    const { code, out } = await runUnprivileged(machine, ['doctor']);
    await chmod(machine.dataDir, 0o700);
    expect([code, out]).to.satisfy(
      ([found, text]: [number, string]) => found === 1 && /problem +data folder +\S+ may not read /.test(text),
    );
  });

  it('migrated by a newer version is refused by every command and left unchanged', async () => {
    const machine = await machineWith(template);
    const newer = migration('newer-2099010100000', async () => {});
    await machine.inside((database) => database.migrate(), { migrations: [...migrations, newer] });
    const message =
      /^The database was migrated by a newer version of affiliate, which has newer-2099010100000\. Run that version, or restore/;
    for (const args of [['serve'], ['migrate'], ['user', 'list']]) expectCommandError(await machine.run(args), message);
    const doctor = await machine.run(['doctor']);
    expect([doctor.code, doctor.out]).to.satisfy(([code, out]: [number, string]) => code === 1 && out.includes('newer version'));
    expect(await machine.inside((database) => database.pendingMigrations(), { migrations: [...migrations, newer] })).to.deep.equal([]);
  });

  it('without its write-ahead log has the state of the last checkpoint, and its ledger verifies', async () => {
    const machine = await machineWith(template);
    const first = await startService(machine);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(existsSync(`${fileOf(machine)}-wal`)).to.equal(true);
    for (const end of ['-wal', '-shm']) rmSync(fileOf(machine) + end);
    expect(await machine.json('ledger', 'verify')).to.include({ ok: true });
    expect(await machine.json<{ login: string }[]>('user', 'list')).to.have.length(1);
  });
});
