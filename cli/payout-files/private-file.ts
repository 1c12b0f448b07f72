import { closeSync, existsSync, fsyncSync, linkSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, resolveOutputFile } from '../terminal/output.ts';

/** Checked before the work begins. */
export function resolveNewFile(name: string, kind: 'payout files' | 'invoices' | 'personal data' = 'payout files'): string {
  const file = resolveOutputFile(name);
  if (existsSync(file)) throw new CommandError(`${file} exists, and ${kind} are not overwritten. Name another file.`);
  return file;
}

/**
 * A file that only its owner can read and that is never partial: it is written under a hidden name, which is linked to its own name when it
 * is complete and on disk.
 */
export class PrivateFile {
  readonly #file: string;
  readonly #part: string;

  constructor(file: string) {
    this.#file = file;
    this.#part = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.part`);
    removeAbandonedParts(file);
  }

  /** In place of what was written before. */
  write(content: string | Buffer): void {
    this.discard();
    const descriptor = openSync(this.#part, 'wx', 0o600);
    try {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** The same in pieces, for what is too large for the memory. */
  async writeAll(pieces: AsyncIterable<string>): Promise<void> {
    this.discard();
    const handle = await open(this.#part, 'wx', 0o600);
    try {
      for await (const piece of pieces) await handle.writeFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Never replaces a file that was created meanwhile. */
  complete(): void {
    try {
      linkSync(this.#part, this.#file);
      rmSync(this.#part);
    } catch (error) {
      if (existsSync(this.#file)) throw new CommandError(`${this.#file} was created meanwhile, and is not overwritten.`);
      if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
      // A file system without links.
      renameSync(this.#part, this.#file);
    }
    syncFolder(path.dirname(this.#file));
  }

  discard(): void {
    rmSync(this.#part, { force: true });
  }
}

/** So that a power cut does not lose the name. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Of commands that were killed: they contain bank details, and maybe payouts of a batch that was never committed. */
function removeAbandonedParts(file: string): void {
  const folder = path.dirname(file);
  const prefix = `.${path.basename(file)}.`;
  for (const name of readdirSync(folder)) {
    const [, pid] = name.startsWith(prefix) ? (/^(\d+)\.part$/.exec(name.slice(prefix.length)) ?? []) : [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(path.join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
