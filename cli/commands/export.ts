import { createWriteStream, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command } from 'commander';
import type { StoreLocale } from '../../domain/records/formats.ts';
import type { RecordKind } from '../../domain/records/read-record.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { withExistingDatabase } from '../context.ts';
import { type ExportFormat, exportFormats } from '../import-export/export-formats.ts';
import { recordKinds } from '../import-export/record-reader.ts';
import { formatQuantity } from '../terminal/format.ts';
import { CommandError, type OutputOptions, onInterrupt, resolveOutputFile } from '../terminal/output.ts';
import { createLineMeter } from '../terminal/progress.ts';

const help = `
Writes one JSON object per line, in the format of affiliate import. To move a program to an empty database, export and import in this order:
user, coupon, registration, click, order; with the same settings and the same master key, so that returning visitors are recognised.
The import of users needs --allow-privileged if there are administrators or managers among them.

Not exported: passwords and keys; applications that are decided (their users and coupons are exported); and the destinations in payout
details, which never leave the database unencrypted and must be entered again. Visitors are exported as hashes, with a prefix.

Orders of Stripe and Paddle are exported under the numbers that this service assigned, from 5000000000000000 upward: import refuses these
lines. affiliate backup keeps such orders.

With --json the output is one array instead of lines; with --out too, it is a summary of the file.

Examples
  affiliate export order > orders.ndjson
  affiliate export user --out users.ndjson`;

export function addExport(program: Command): void {
  program
    .command('export')
    .addArgument(new Argument('<kind>', 'the kind of records').choices(recordKinds))
    .description('write all records of one kind, in the format of affiliate import')
    .option('--out <file>', 'write to a file and replace its content (default: standard output)')
    .addHelpText('after', help)
    .action(runExport);
}

interface ExportOptions extends OutputOptions {
  out?: string;
}

async function runExport(kind: RecordKind, options: ExportOptions): Promise<void> {
  const file = options.out === undefined ? null : resolveOutputFile(options.out);
  return withExistingDatabase(async ({ database, settings }) => {
    const { timezone: zone, currency } = settings.store;
    const lines = exportLines(kind, database, { zone, currency });
    if (file === null) await writeToStandardOutput(joinLines(lines, options.json === true));
    else await writeToFile(file, lines, kind, options);
  });
}

const pageSize = 1000;

/**
 * All records of a kind by ascending key, one JSON object per line, as an import reads them. Each page is a read transaction of its own: the
 * consumer may be slow, and SQLite cannot checkpoint its log during a long read. Records added meanwhile have a higher key, so none is
 * written twice or skipped.
 */
export async function* exportLines(kind: RecordKind, storage: UnitOfWork<Repositories>, locale: StoreLocale): AsyncGenerator<string> {
  const format: ExportFormat<unknown> = exportFormats[kind];
  for (let after = 0; ; ) {
    const records = await storage.read(({ exports }) => format.page(exports, after, pageSize));
    for (const record of records) yield JSON.stringify({ kind, ...format.write(record, locale) });
    if (records.length < pageSize) return;
    after = format.keyOf(records.at(-1));
  }
}

const chunkLength = 65_536;

/** In large chunks, because a system call for every line would cost more than the line. */
async function* joinLines(lines: AsyncIterable<string>, isArray: boolean, onLine?: (count: number) => void): AsyncGenerator<string> {
  let chunk = isArray ? '[' : '';
  let count = 0;
  for await (const line of lines) {
    count += 1;
    onLine?.(count);
    chunk += isArray ? `${count > 1 ? ',' : ''}\n${line}` : `${line}\n`;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield isArray ? `${chunk}${count > 0 ? '\n' : ''}]\n` : chunk;
}

async function writeToStandardOutput(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(text), process.stdout, { end: false });
  } catch (error) {
    // `affiliate export order | head` closes the pipe early.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** Writes to a temporary name first, so that the file is always complete. Readable by the owner only: it has personal data. */
async function writeToFile(file: string, lines: AsyncIterable<string>, kind: RecordKind, options: ExportOptions): Promise<void> {
  const temporary = `${file}.${process.pid}.part`;
  const meter = createLineMeter(options);
  let count = 0;
  const onLine = (lineCount: number): void => {
    count = lineCount;
    meter.show(count);
  };
  const release = onInterrupt(() => rmSync(temporary, { force: true }));
  try {
    await pipeline(Readable.from(joinLines(lines, false, onLine)), createWriteStream(temporary, { flags: 'wx', mode: 0o600 }));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new CommandError(`${file} could not be written: ${(error as Error).message}`);
  } finally {
    release();
    meter.end();
  }
  const text = `${formatQuantity(count, 'line')} ${count === 1 ? 'was' : 'were'} written to ${file}.`;
  process.stdout.write(`${options.json ? JSON.stringify({ kind, file, lines: count }, null, 2) : text}\n`);
}
