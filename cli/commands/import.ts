import { type Command, Option } from 'commander';
import { visitorHasher } from '../../domain/clicks/visitor.ts';
import { systemRandom } from '../../domain/random.ts';
import { secretsOf } from '../../domain/secrets.ts';
import { keyOfDatabase } from '../../server/auth/master-key-check.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { buildProgram } from '../../site/program.ts';
import { type CommandContext, withContext } from '../context.ts';
import type { Circumstances } from '../import-export/apply-record.ts';
import { openSource, type Source } from '../import-export/import-source.ts';
import { importAnswer, strictAnswer } from '../import-export/import-summary.ts';
import { importAllOrNothing, importLines, StrictStop } from '../import-export/importer.ts';
import { takingHashes } from '../import-export/kinds/visitor.ts';
import { type Kind, kinds } from '../import-export/kinds.ts';
import { type ProgramLine, readLine } from '../import-export/program-lines.ts';
import { rawLines } from '../import-export/raw-lines.ts';
import type { BadLine } from '../import-export/text-lines.ts';
import { type CommandResult, type OutputOptions, printResult } from '../terminal/output.ts';
import { createLineMeter } from '../terminal/progress.ts';

const help = `
The file has one JSON object per line, which names its kind: user, coupon, order, click, registration or payout_details. Or it is CSV with
a header, all of one kind: --kind says which, or the name of the file does (orders.csv). Values that are objects are JSON in their cell.
Dates without an offset are the store's time. Users and coupons come before what names them; a parent may come later. Clicks come before
the orders they led to.

Importing a file again changes nothing; a line that has changed is an update. A bad line is told with its number and costs no other; the
command then ends with 1. With --strict nothing is imported unless all is well; on SQLite nobody else can write until it is done.

Examples
  affiliate import shop.ndjson
  affiliate import orders.csv --strict
  curl -s https://shop.example/feed | affiliate import - --kind order`;

export function addImport(program: Command): void {
  program
    .command('import')
    .argument('<file>', 'NDJSON or CSV; - for standard input')
    .description('import users, coupons, orders, clicks, applications and payout details')
    .addOption(new Option('--kind <kind>', 'of lines that do not say themselves').choices(kinds))
    .option('--strict', 'all or nothing: stop at the first bad line')
    .addHelpText('after', help)
    .action(printResult(runImport));
}

interface ImportOptions extends OutputOptions {
  kind?: Kind;
  strict?: true;
}

function runImport(file: string, options: ImportOptions): Promise<CommandResult> {
  return withContext(async (session) => {
    const source = await openSource(file, options.strict === true);
    const meter = createLineMeter(options, source.part);
    try {
      const { circumstances, settle } = await circumstancesOf(session);
      const parts = { storage: session.database, circumstances, progress: meter.show };
      const lines = () => linesOf(source, options.kind, session);
      const done = options.strict ? await importAllOrNothing(lines, parts) : await importLines(lines(), parts);
      await settle();
      return importAnswer(done, meter.end());
    } catch (error) {
      meter.end();
      if (error instanceof StrictStop) return strictAnswer(error.bad);
      throw error;
    } finally {
      await source.close();
    }
  });
}

async function* linesOf(source: Source, kind: Kind | undefined, { settings }: CommandContext): AsyncGenerator<(ProgramLine | BadLine)[]> {
  const { timezone: zone, currency } = settings.store;
  for await (const lines of rawLines(source.read(), { name: source.name, kind }))
    yield lines.map((line) => ('reason' in line ? line : readLine(line, { zone, currency })));
}

/** The master key is asked for by lines that need it: whoever brings orders needs none. */
async function circumstancesOf({
  database,
  settings,
  now,
}: CommandContext): Promise<{ circumstances: Circumstances; settle(): Promise<void> }> {
  const notice = (sentence: string): void => void (process.stderr.isTTY && process.stderr.write(`${sentence}\n`));
  const { key, settle } = await keyOfDatabase(database, readConfiguration(process.env), notice);
  let isUsed = false;
  const masterKey = once(() => {
    isUsed = true;
    return key();
  });
  const hash = once(() => takingHashes(visitorHasher(masterKey())));
  const secrets = once(() => secretsOf('payout_details', masterKey(), systemRandom));
  return {
    circumstances: { program: buildProgram(settings), now, userId: 0, hashVisitor: (visitor) => hash()(visitor), secrets },
    settle: async () => (isUsed ? settle() : undefined),
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
