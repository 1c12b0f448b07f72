import { createReadStream, createWriteStream, mkdtempSync, type ReadStream, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../terminal/errors.ts';
import { onInterrupt } from '../terminal/output.ts';

/** Where the lines come from. */
export interface Source {
  name: string;
  read(): AsyncIterable<Uint8Array>;
  /** How much of it was read, from 0 to 1; null where its end is not known. */
  part(): number | null;
  close(): Promise<void>;
}

const standardInput = '-';

/** `again`: it may be read more than once, which standard input cannot be. */
export async function openSource(file: string, again: boolean): Promise<Source> {
  if (file !== standardInput) return fileSource(file);
  return again
    ? copyOfStandardInput()
    : { name: '', read: () => process.stdin, part: () => null, close: async () => void process.stdin.destroy() };
}

function fileSource(file: string): Source {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new CommandError(`There is no file ${file}.`);
  if (stats.isDirectory()) throw new CommandError(`${file} is a folder. Name a file, or - for standard input.`);
  return { name: file, ...readable(file), close: async () => {} };
}

function readable(file: string): Pick<Source, 'read' | 'part'> {
  const { size } = statSync(file);
  let stream: ReadStream | undefined;
  return {
    read() {
      stream = createReadStream(file);
      return stream;
    },
    // A pipe with a name has no size.
    part: () => (size > 0 ? (stream?.bytesRead ?? 0) / size : null),
  };
}

/** In a folder that nobody else can look into: it holds what people told about themselves. */
async function copyOfStandardInput(): Promise<Source> {
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
  return { name: '', ...readable(copy), close };
}
