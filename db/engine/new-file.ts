import { open, rm } from 'node:fs/promises';
import { errorCode } from './database-error.ts';

/** Creates a file with mode 0600, lets `fill` write it, and removes it when that fails. @throws if the file exists. */
export async function writeNewFile(file: string, fill: () => Promise<unknown>): Promise<void> {
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
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new Error(`${file} exists already. A backup overwrites nothing: name a new file.`, { cause: error });
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}
