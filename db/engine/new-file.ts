import { open, rm } from 'node:fs/promises';
import { codeOf } from './database-error.ts';

/** Lets `fill` write a file that did not exist, readable by us alone, and leaves none behind when it fails. */
export async function newFile(file: string, fill: () => Promise<unknown>): Promise<void> {
  await claim(file);
  try {
    await fill();
    await flush(file);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

async function claim(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new Error(`${file} exists already. A backup overwrites nothing: name a new file.`, { cause: error });
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}
