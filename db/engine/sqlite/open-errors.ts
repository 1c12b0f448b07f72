import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../database-error.ts';

/** For whoever starts a service and finds that its file cannot be used. */
const advice: Record<string, string> = {
  SQLITE_NOTADB: 'it is no SQLite database, or its beginning was overwritten. Name another file, or restore a backup',
  SQLITE_CORRUPT: 'it is damaged. Keep a copy of it and of the files beside it, then restore a backup',
  SQLITE_CANTOPEN: 'it cannot be opened. It must be a file in a folder that exists, and this user must be allowed to write to both',
  SQLITE_READONLY: 'it may not be written to. Let this user write to it and to its folder',
  SQLITE_BUSY: 'another process keeps it to itself. End that process, or try again when it is done',
  SQLITE_FULL: 'there is no room left on its disk. Make some',
  SQLITE_IOERR: 'its disk fails. Look into the log of the machine',
};

export function whyNotOpened(error: unknown): string {
  const code = codeOf(error) ?? '';
  if (advice[code] !== undefined) return `${advice[code]} (${code}).`;
  return error instanceof Error ? error.message : String(error);
}

/** SQLite would open it all the same, and fail with the first write. */
export function refuseReadOnly(file: string): void {
  for (const place of [file, path.dirname(path.resolve(file))])
    if (existsSync(place) && !isWritable(place))
      throw new Error(`${place} may not be written to by this user. SQLite writes to the file and makes others beside it.`);
}

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
