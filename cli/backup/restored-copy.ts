import { chmodSync, chownSync, copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { migrations as allMigrations } from '../../db/migrations/index.ts';
import { dayOf } from '../../domain/dates.ts';
import type { Invoice } from '../../domain/invoices/invoice.ts';
import { endRestoredAccess, revokeAllKeys } from '../../domain/keys/restored-access.ts';
import type { SealingKey } from '../../domain/ledger/sealing-key.ts';
import { openSealingKey } from '../../domain/master-key/key-ownership.ts';
import { inWords } from '../../domain/money.ts';
import type { Repositories } from '../../domain/repositories.ts';
import { verifyLedger } from '../../domain/verification/verify.ts';
import { describeKeyProblem, findMasterKeys } from '../../server/auth/master-key.ts';
import type { Configuration } from '../../server/configuration.ts';
import { syncPath } from '../../server/invoices/invoice-files.ts';
import { openConfiguredDatabase } from '../../server/open-database.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { CommandError, formatError } from '../terminal/output.ts';

/** What was found in a restored copy. */
export interface RestoredCopy {
  /** Migrations that it needed: a backup may be older than the program. */
  migrations: number;
  invoices: Pick<Invoice, 'id' | 'sha256'>[];
  /** Null if the master key of this installation belongs to it. */
  keyProblem: string | null;
  /** The id of its newest event. */
  lastEvent: number;
  /** Keys and application passwords. Null if they stay valid. */
  revokedKeys: number | null;
}

interface RestoreAccess {
  /** Of a copy that becomes the database. */
  endsAccess?: true;
  revokesKeys?: boolean;
}

/** Brings a restored copy up to date and recomputes its ledger. @throws CommandError if it cannot be used. */
export async function checkRestored(
  url: string,
  configuration: Configuration,
  { endsAccess, revokesKeys = false }: RestoreAccess = {},
): Promise<RestoredCopy> {
  const database = await openConfiguredDatabase({ url }).catch((error: unknown) => {
    throw url.startsWith('sqlite:') ? new CommandError('The backup is not a SQLite database, or is damaged. Use another one.') : error;
  });
  try {
    const damage = await database.integrityProblem();
    if (damage !== null) throw new CommandError(`The backup is damaged: ${damage}. Use an older one.`);
    const migrations = (await database.pendingMigrations()).length;
    if (migrations === allMigrations.length)
      throw new CommandError('The file has no tables of this service: it is empty, or not a backup. Use another one.');
    await database.migrate();
    await database.analyze();
    const checked = await database.read(async (db) => {
      const { store } = buildSettings((await db.settings.all()).values).settings;
      const key = await findSealingKey(db, configuration);
      const { total } = await verifyLedger(db, { written: (amount) => inWords(amount, store.currency), key });
      if (total > 0)
        throw new CommandError(
          `The ledger of the backup has differences: ${total}. Those of this database are listed by affiliate ledger verify; for a restore, use an older backup.`,
        );
      const keyProblem = describeKeyProblem(await db.masterKeys.proof(), findKeys(configuration), configuration);
      const found = { migrations, invoices: await db.invoices.list({}), keyProblem, lastEvent: await db.events.lastId() };
      return { ...found, zone: store.timezone };
    });
    if (endsAccess) await database.write(endRestoredAccess);
    const now = Date.now();
    const moment = { now, today: dayOf(now, checked.zone) };
    const revokedKeys = revokesKeys ? await database.write((transaction) => revokeAllKeys(transaction, moment)) : null;
    return { ...checked, revokedKeys };
  } finally {
    await database.close();
  }
}

/** Null if it is not sealed, or the master key of this installation does not belong to it. */
async function findSealingKey({ masterKeys }: Repositories, configuration: Configuration): Promise<SealingKey | null> {
  const stored = await masterKeys.storedKey('sealing_key');
  const keys = findKeys(configuration) ?? [];
  try {
    return stored === null ? null : openSealingKey(stored, { keys: () => keys });
  } catch {
    return null;
  }
}

function findKeys(configuration: Configuration): readonly string[] | null {
  try {
    return findMasterKeys(configuration);
  } catch (error) {
    throw new CommandError(formatError(error));
  }
}

/** The files of a SQLite database. */
const suffixes = ['', '-wal', '-shm'];

/** Copies the backup to a file beside `target`, which `work` may move there. What is left of it is removed. */
export async function withSqliteCopy<Result>(backup: string, target: string, work: (copy: string) => Promise<Result>): Promise<Result> {
  const copy = `${target}.restoring`;
  const remove = (): void => {
    for (const suffix of suffixes) rmSync(copy + suffix, { force: true });
  };
  refuseDatabaseInUse(backup);
  remove();
  try {
    copyFileSync(backup, copy);
    chmodSync(copy, 0o600);
    return await work(copy);
  } finally {
    remove();
  }
}

/** The file of a running service is not a backup: its newest data is in the file beside it. */
function refuseDatabaseInUse(file: string): void {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log && log.size > 0)
    throw new CommandError(`${file} is a database in use, and not a backup: there is a ${file}-wal. affiliate backup creates a backup.`);
}

/**
 * Moves the copy to its place. The database that was there gets another name, which is returned; null if there was none. Callers keep other
 * processes out of it: they would go on with the renamed file.
 */
export async function replaceDatabase(copy: string, target: string, now: number): Promise<string | null> {
  await syncPath(copy);
  const former = existsSync(target) ? `${target}.before-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}` : null;
  if (former !== null) for (const suffix of suffixes) if (existsSync(target + suffix)) renameSync(target + suffix, former + suffix);
  renameSync(copy, target);
  await syncPath(path.dirname(target));
  return former;
}

/** What root has created there belongs to the owner of the folder, who runs the service. */
export function giveToOwner(target: string): void {
  if (process.getuid?.() !== 0) return;
  const [folder, name] = [path.dirname(target), path.basename(target)];
  const { uid, gid } = statSync(folder);
  for (const file of readdirSync(folder)) if (file.startsWith(name)) chownSync(path.join(folder, file), uid, gid);
}
