import { type Command, Option } from 'commander';
import { createVisitorHasher, type HashVisitor } from '../../domain/clicks/record.ts';
import { createSecrets, type Secrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { checkMasterKey } from '../../server/auth/master-key.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { buildProgram } from '../../site/program.ts';
import { type CommandContext, withContext } from '../context.ts';
import type { ImportContext } from '../import-export/apply-records.ts';
import { describeResult, describeStrictError } from '../import-export/import-result.ts';
import { openSource } from '../import-export/import-source.ts';
import { importRecords, importStrictly, StrictImportError } from '../import-export/importer.ts';
import { type RecordKind, readRecords, recordKinds } from '../import-export/record-reader.ts';
import { acceptHashes } from '../import-export/sales-records.ts';
import { type CommandResult, type OutputOptions, printResult } from '../terminal/output.ts';
import { createLineMeter } from '../terminal/progress.ts';

const help = `
The file has one JSON object per line with its kind: user, coupon, order, click, registration or payout_details. Or it is CSV with a header,
all of one kind: given by --kind, or by the name of the file (orders.csv). Objects are JSON in their cell. Dates without an offset are in the
store's time zone. Users and coupons precede the records that name them; only a parent may follow later. Clicks precede the orders that
they led to.

Name the --kind of a feed that others write: lines of another kind are then refused. Users with the role administrator or manager are created
and changed only with --allow-privileged.

Importing a file again changes nothing; a changed line updates its record. An invalid line is reported with its number and does not affect
others; the command then exits with 1. With --strict nothing is imported if any line is invalid; on SQLite other writers wait until it ends.

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
    .addHelpText('after', help)
    .action(printResult(runImport));
}

interface ImportCommandOptions extends OutputOptions {
  kind?: RecordKind;
  strict?: true;
  allowPrivileged?: true;
}

const runImport = (file: string, options: ImportCommandOptions): Promise<CommandResult> =>
  withContext(async (command) => {
    const source = await openSource(file, options.strict === true);
    const meter = createLineMeter(options, source.part);
    const { timezone: zone, currency } = command.settings.store;
    const read = () => readRecords(source.read(), { name: source.name, kind: options.kind, locale: { zone, currency } });
    try {
      const { context, claimKey } = await createImportContext(command, options);
      const parts = { storage: command.database, context, progress: meter.show };
      const result = options.strict ? await importStrictly(read, parts) : await importRecords(read(), parts);
      await claimKey();
      return describeResult(result, meter.end());
    } catch (error) {
      meter.end();
      if (error instanceof StrictImportError) return describeStrictError(error.cause);
      throw error;
    } finally {
      await source.close();
    }
  });

/** The master key is loaded on demand: orders without visitors can be imported without it. */
async function createImportContext({ database, settings, now }: CommandContext, options: ImportCommandOptions) {
  const notify = (sentence: string): void => void (process.stderr.isTTY && process.stderr.write(`${sentence}\n`));
  const { key, claim } = await checkMasterKey(database, readConfiguration(process.env), notify);
  let masterKey: string | undefined;
  const getKey = (): string => (masterKey ??= key());
  let hash: HashVisitor | undefined;
  const hashVisitor: HashVisitor = (visitor) => (hash ??= acceptHashes(createVisitorHasher(getKey())))(visitor);
  let secrets: Secrets | undefined;
  const getSecrets = (): Secrets => (secrets ??= createSecrets('payout_details', getKey(), systemRandom));
  const allowPrivileged = options.allowPrivileged === true;
  const context: ImportContext = { program: buildProgram(settings), now, userId: 0, allowPrivileged, hashVisitor, secrets: getSecrets };
  return {
    context,
    /** Binds the database to the master key, if the import has used it. */
    claimKey: async () => (masterKey === undefined ? undefined : claim()),
  };
}
