import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from './refusal.ts';

/** A file that is to be written, as a whole path. Told before the work begins, and in plain words: what the system says names no remedy. */
export function targetFile(given: string): string {
  if (given === '') throw new Refusal('The name of the file is empty. Name the file that is to be written.');
  const file = path.resolve(given);
  const folder = path.dirname(file);
  if (!isFolder(folder)) throw new Refusal(`There is no folder ${folder}. Create it, or name a file in another one.`);
  if (isFolder(file)) throw new Refusal(`${file} is a folder. Name a file in it.`);
  if (!isWritable(folder)) throw new Refusal(`This user may not write to the folder ${folder}. Name a file in another one.`);
  return file;
}

const isFolder = (place: string): boolean => existsSync(place) && statSync(place).isDirectory();

export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
