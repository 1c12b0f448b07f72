import { createReadStream, createWriteStream, mkdtempSync, type ReadStream, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../terminal/errors.ts';
import { onInterrupt } from '../terminal/output.ts';

export interface ImportSource {
  name: string;
  read(): AsyncIterable<Uint8Array>;
  /** The part that was read, from 0 to 1; null if the size is unknown. */
  part(): number | null;
  close(): Promise<void>;
}

const standardInput = '-';

/** With `isRereadable`, `read` can be called more than once, so standard input is copied to a file first. */
export async function openSource(file: string, isRereadable: boolean): Promise<ImportSource> {
  if (file !== standardInput) return openFile(file);
  return isRereadable
    ? copyStandardInput()
    : { name: '', read: () => process.stdin, part: () => null, close: async () => void process.stdin.destroy() };
}

function openFile(file: string): ImportSource {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new CommandError(`There is no file ${file}.`);
  if (stats.isDirectory()) throw new CommandError(`${file} is a folder. Name a file, or - for standard input.`);
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
