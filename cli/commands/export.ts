import { createWriteStream, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command } from 'commander';
import { withExistingDatabase } from '../context.ts';
import { exportLines } from '../import-export/exporter.ts';
import { type Kind, kinds } from '../import-export/kinds.ts';
import { CommandError } from '../terminal/errors.ts';
import { type OutputOptions, onInterrupt, resolveOutputFile } from '../terminal/output.ts';
import { createLineMeter, type ProgressMeter } from '../terminal/progress.ts';

const help = `
Writes one JSON object per line, as affiliate import reads them. To move a program into an empty one, export and import in this order:
user, coupon, registration, click, order; on the same settings, and with the same master key, so that visitors are known again.

What is not exported: passwords and keys; applications that are decided (their users and coupons are); and the details of payout details,
which never leave the database in the clear: they have to be given anew. Of visitors only the hash is known, and marked as one.

With --json it is one array instead of lines; with --out too, it tells what was written.

Examples
  affiliate export order > orders.ndjson
  affiliate export user --out users.ndjson`;

export function addExport(program: Command): void {
  program
    .command('export')
    .addArgument(new Argument('<kind>', 'what is exported').choices(kinds))
    .description('write all records of one kind, in the format of affiliate import')
    .option('--out <file>', 'write to a file, replacing what is in it (default: standard output)')
    .addHelpText('after', help)
    .action(runExport);
}

interface ExportOptions extends OutputOptions {
  out?: string;
}

async function runExport(kind: Kind, options: ExportOptions): Promise<void> {
  const file = options.out === undefined ? null : resolveOutputFile(options.out);
  return withExistingDatabase(async ({ database: storage, settings }) => {
    const { timezone: zone, currency } = settings.store;
    const lines = exportLines(kind, { storage, store: { zone, currency } });
    if (file === null) await toStandardOutput(inPieces(options.json ? asArray(lines) : asLines(lines)));
    else await toFile(file, lines, kind, options);
  });
}

async function* asLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

async function* asArray(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '[';
  for await (const line of lines) {
    yield `${before}\n${line}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

const pieceLength = 65_536;

/** A write for every line would cost more than the line. */
async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

async function toStandardOutput(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(text), process.stdout, { end: false });
  } catch (error) {
    // `affiliate export order | head` has read what it wanted.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** Under another name first, so that a file of this name is always whole. For the owner alone: it tells of people. */
async function toFile(file: string, lines: AsyncIterable<string>, kind: Kind, options: ExportOptions): Promise<void> {
  const unfinished = `${file}.${process.pid}.part`;
  const meter = createLineMeter(options);
  const counted = { lines: 0 };
  const release = onInterrupt(() => rmSync(unfinished, { force: true }));
  try {
    await pipeline(
      Readable.from(inPieces(asLines(counting(lines, counted, meter)))),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600 }),
    );
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new CommandError(`${file} could not be written: ${(error as Error).message}`);
  } finally {
    release();
    meter.end();
  }
  const text = `${counted.lines.toLocaleString('en')} lines were written to ${file}.`;
  process.stdout.write(`${options.json ? JSON.stringify({ kind, file, lines: counted.lines }, null, 2) : text}\n`);
}

async function* counting(lines: AsyncIterable<string>, counted: { lines: number }, meter: ProgressMeter): AsyncGenerator<string> {
  for await (const line of lines) {
    counted.lines += 1;
    meter.show(counted.lines);
    yield line;
  }
}
