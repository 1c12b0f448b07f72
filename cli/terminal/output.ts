import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { CommandError } from './errors.ts';

/** The result of a command: JSON for scripts, text for people. */
export interface CommandResult {
  json: unknown;
  text: string;
  /** Why the command exits with 1 although it has a result. */
  failure?: string;
}

export interface OutputOptions {
  json?: true;
}

/** Commander's action for a command with one result. Only this writes to standard output, so `--json` prints exactly one document. */
export const printResult =
  <Args extends unknown[]>(run: (...args: Args) => Promise<CommandResult>) =>
  async (...args: [...Args, Command]): Promise<void> => {
    const command = args.at(-1) as Command;
    const { json, text, failure } = await run(...(args.slice(0, -1) as Args));
    process.stdout.write(`${command.opts<OutputOptions>().json ? JSON.stringify(json, null, 2) : text}\n`);
    if (failure !== undefined) throw new CommandError(failure);
  };

/** The absolute path of a file to write. Checked before the work begins; the system's own errors suggest no remedy. */
export function resolveOutputFile(name: string): string {
  if (name === '') throw new CommandError('The file name is empty. Name the file to write.');
  const file = path.resolve(name);
  const folder = path.dirname(file);
  if (!isFolder(folder)) throw new CommandError(`There is no folder ${folder}. Create it, or name a file in another one.`);
  if (isFolder(file)) throw new CommandError(`${file} is a folder. Name a file in it.`);
  if (!isWritable(folder)) throw new CommandError(`This user may not write to the folder ${folder}. Name a file in another one.`);
  return file;
}

const isFolder = (name: string): boolean => existsSync(name) && statSync(name).isDirectory();

export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `cleanUp` on Ctrl-C, then ends the process by the same signal, which shells rely on. Returns a function that removes the handler. */
export function onInterrupt(cleanUp: () => void): () => void {
  const release = (): void => {
    for (const signal of interrupts) process.off(signal, handle);
  };
  const handle = (signal: NodeJS.Signals): void => {
    release();
    cleanUp();
    // Other handlers run first: the last one ends the process.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  for (const signal of interrupts) process.on(signal, handle);
  return release;
}
