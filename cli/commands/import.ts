import { createReadStream, createWriteStream, mkdtempSync, type ReadStream, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { createVisitorHasher, type HashVisitor } from '../../domain/clicks/record.ts';
import type { KeyRing } from '../../domain/master-key/key-ring.ts';
import { createSecrets, type Secrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { acceptHashes } from '../../domain/records/incoming.ts';
import type { RecordKind } from '../../domain/records/read-record.ts';
import { openMasterKey } from '../../server/auth/master-key.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { buildProgram, findOldestClick } from '../../site/program.ts';
import { type CommandContext, withContext } from '../context.ts';
import type { ImportContext } from '../import-export/apply-records.ts';
import { formatFieldHelp } from '../import-export/field-table.ts';
import { describeResult, describeStrictError } from '../import-export/import-result.ts';
import { importRecords, importStrictly, StrictImportError } from '../import-export/importer.ts';
import { readRecords, recordKinds } from '../import-export/record-reader.ts';
import { type CommandResult, type OutputOptions, onInterrupt, printResult, refuseUnreadable } from '../terminal/output.ts';
import { createLineMeter } from '../terminal/progress.ts';

const help = `
The file has one JSON object per line with its kind: user, coupon, order, click, registration or payout_details. Or it is CSV with a header,
all of one kind: given by --kind, or by the name of the file (orders.csv). Objects are JSON in their cell. Dates without an offset are in the
store's time zone. Users and coupons precede the records that name them; only a parent may follow later. Clicks precede the orders that
they led to.

Name the --kind of a feed that others write: lines of another kind are then refused. Users with the role administrator or manager are created
and changed only with --allow-privileged.

A coupon line that names another owner than before hands the coupon over. It is refused while the coupon has an open payout or a balance,
unless --transfer-balance gives the balance to the new owner; commission that is not cleared is then unpaid at once. Later changes of earlier
orders concern neither owner.

Importing a file again changes nothing; a changed line updates its record. An invalid line is reported with its number and does not affect
others; the command then exits with 1. With --strict nothing is imported if any line is invalid; on SQLite other writers wait until it ends.

A field that a record does not have is an error. An order that names an unknown code is refused, unless a click or a lifetime link credits it.
An order that names none and that no link credits was not referred: it is counted and not stored.

Fields (* required)
${formatFieldHelp()}

Examples
  affiliate import shop.ndjson
  affiliate import orders.csv --strict
  curl -s https://shop.example/feed | affiliate import - --kind order`;

export function addImport(program: Command): void {
  program
    .command('import')
    .argument('<file>', 'NDJSON or CSV; - for standard input')
    .description('import users, coupons, orders, clicks, applications and payout details')
    .addOption(new Option('--kind <kind>', 'of all lines; lines of another kind are refused').choices(recordKinds))
    .option('--strict', 'all or nothing: stop at the first invalid line')
    .option('--allow-privileged', 'create and change administrators and managers, too')
    .option('--transfer-balance', 'a coupon that changes hands takes its balance along; otherwise one with a balance is refused')
    .addHelpText('after', help)
    .action(printResult(runImport));
}

interface ImportCommandOptions extends OutputOptions {
  kind?: RecordKind;
  strict?: true;
  allowPrivileged?: true;
  transferBalance?: true;
}

/** More than the daily feed of a small shop. */
const manyRecords = 1000;

const runImport = (file: string, options: ImportCommandOptions): Promise<CommandResult> =>
  withContext(async (command) => {
    const source = await openSource(file, options.strict === true);
    const meter = createLineMeter(options, source.part);
    const { timezone: zone, currency } = command.settings.store;
    const read = () => readRecords(source.read(), { name: source.name, kind: options.kind, locale: { zone, currency } });
    try {
      const context = await createImportContext(command, options);
      const parts = { storage: command.database, context, progress: meter.show };
      const result = options.strict ? await importStrictly(read, parts) : await importRecords(read(), parts);
      if (result.imported >= manyRecords) await command.database.analyze();
      return describeResult(result, meter.end());
    } catch (error) {
      meter.end();
      if (error instanceof StrictImportError) return describeStrictError(error.cause);
      throw error;
    } finally {
      await source.close();
    }
  });

/** Without a usable master key, orders without visitors can still be imported. */
async function createImportContext({ database, settings, now }: CommandContext, options: ImportCommandOptions): Promise<ImportContext> {
  const notify = (sentence: string): void => void (process.stderr.isTTY && process.stderr.write(`${sentence}\n`));
  const masterKey: KeyRing | Error = await openMasterKey(database, readConfiguration(process.env), notify).catch((error: Error) => error);
  const getKey = (): KeyRing => {
    if (masterKey instanceof Error) throw masterKey;
    return masterKey;
  };
  let hash: HashVisitor | undefined;
  const hashVisitor: HashVisitor = (visitor) => (hash ??= acceptHashes(createVisitorHasher(getKey().visitorKey)))(visitor);
  let secrets: Secrets | undefined;
  const getSecrets = (): Secrets => (secrets ??= createSecrets('payout_details', getKey(), systemRandom));
  const { allowPrivileged = false, transferBalance = false } = options;
  return {
    program: buildProgram(settings),
    now,
    userId: 0,
    origin: 'file',
    allowPrivileged,
    transferBalance,
    hashVisitor,
    oldestClick: findOldestClick(settings, now),
    secrets: getSecrets,
  };
}

interface ImportSource {
  name: string;
  read(): AsyncIterable<Uint8Array>;
  /** The part that was read, from 0 to 1; null if the size is unknown. */
  part(): number | null;
  close(): Promise<void>;
}

const standardInput = '-';

/** With `isRereadable`, `read` can be called more than once, so standard input is copied to a file first. */
async function openSource(file: string, isRereadable: boolean): Promise<ImportSource> {
  if (file !== standardInput) return openFile(file);
  return isRereadable
    ? copyStandardInput()
    : { name: '', read: () => process.stdin, part: () => null, close: async () => void process.stdin.destroy() };
}

function openFile(file: string): ImportSource {
  refuseUnreadable(file, 'Name a file, or - for standard input.');
  return { name: file, ...createReader(file), close: async () => {} };
}

function createReader(file: string): Pick<ImportSource, 'read' | 'part'> {
  const { size } = statSync(file);
  let stream: ReadStream | undefined;
  return {
    read() {
      stream = createReadStream(file);
      return stream;
    },
    // A named pipe has no size.
    part: () => (size > 0 ? (stream?.bytesRead ?? 0) / size : null),
  };
}

/** In a private folder: the file has personal data. */
async function copyStandardInput(): Promise<ImportSource> {
  const folder = mkdtempSync(path.join(tmpdir(), 'affiliate-import-'));
  const copy = path.join(folder, 'standard-input');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const release = onInterrupt(remove);
  const close = async (): Promise<void> => {
    release();
    remove();
  };
  try {
    await pipeline(process.stdin, createWriteStream(copy, { mode: 0o600 }));
  } catch (error) {
    await close();
    throw error;
  }
  return { name: '', ...createReader(copy), close };
}
