import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Refusal } from './refusal.ts';

/** Where the lines come from. */
export interface Source {
  name: string;
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

const standardInput = '-';

/** `again`: it may be read more than once, which standard input cannot be. */
export async function openSource(file: string, again: boolean): Promise<Source> {
  if (file !== standardInput) return fileSource(file);
  return again ? copyOfStandardInput() : { name: '', read: () => process.stdin, close: async () => void process.stdin.destroy() };
}

function fileSource(file: string): Source {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new Refusal(`There is no file ${file}.`);
  if (stats.isDirectory()) throw new Refusal(`${file} is a folder. Name a file, or - for standard input.`);
  return { name: file, read: () => createReadStream(file), close: async () => {} };
}

/** In a folder that nobody else can look into: it holds what people told about themselves. */
async function copyOfStandardInput(): Promise<Source> {
  const folder = mkdtempSync(path.join(tmpdir(), 'affiliate-import-'));
  const copy = path.join(folder, 'standard-input');
  const close = async () => rmSync(folder, { recursive: true, force: true });
  try {
    await pipeline(process.stdin, createWriteStream(copy, { mode: 0o600 }));
  } catch (error) {
    await close();
    throw error;
  }
  return { name: '', read: () => createReadStream(copy), close };
}
