import { createWriteStream, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command } from 'commander';
import { withExistingDatabase } from '../context.ts';
import { exportLines } from '../import-export/exporter.ts';
import { type RecordKind, recordKinds } from '../import-export/record-reader.ts';
import { CommandError } from '../terminal/errors.ts';
import { formatCount } from '../terminal/format.ts';
import { type OutputOptions, onInterrupt, resolveOutputFile } from '../terminal/output.ts';
import { createLineMeter } from '../terminal/progress.ts';

const help = `
Writes one JSON object per line, in the format of affiliate import. To move a program to an empty database, export and import in this order:
user, coupon, registration, click, order; with the same settings and the same master key, so that returning visitors are recognised.

Not exported: passwords and keys; applications that are decided (their users and coupons are exported); and the destinations in payout
details, which never leave the database unencrypted and must be entered again. Visitors are exported as hashes, with a prefix.

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
    if (file === null) await writeToStandardOutput(inChunks(options.json ? toArray(lines) : toLines(lines)));
    else await writeToFile(file, lines, kind, options);
  });
}

async function* toLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

async function* toArray(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let separator = '[';
  for await (const line of lines) {
    yield `${separator}\n${line}`;
    separator = ',';
  }
  yield separator === '[' ? '[]\n' : '\n]\n';
}

const chunkLength = 65_536;

/** A system call for every line would cost more than the line. */
async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
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
  const counted = async function* () {
    for await (const line of lines) {
      count += 1;
      meter.show(count);
      yield `${line}\n`;
    }
  };
  const release = onInterrupt(() => rmSync(temporary, { force: true }));
  try {
    await pipeline(Readable.from(inChunks(counted())), createWriteStream(temporary, { flags: 'wx', mode: 0o600 }));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new CommandError(`${file} could not be written: ${(error as Error).message}`);
  } finally {
    release();
    meter.end();
  }
  const text = `${formatCount(count)} lines were written to ${file}.`;
  process.stdout.write(`${options.json ? JSON.stringify({ kind, file, lines: count }, null, 2) : text}\n`);
}
