import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../database-error.ts';

/** What to do about a database file that cannot be used. */
const advice: Record<string, string> = {
  SQLITE_NOTADB: 'it is not an SQLite database, or its beginning was overwritten. Name another file, or restore a backup',
  SQLITE_CORRUPT: 'it is damaged. Keep a copy of it and of the files beside it, then restore a backup',
  SQLITE_CANTOPEN: 'it cannot be opened. It must be a file in a folder that exists, and this user must be allowed to write to both',
  SQLITE_READONLY: 'it may not be written to. Let this user write to it and to its folder',
  SQLITE_BUSY: 'another process has locked it. Stop that process, or try again when it has finished',
  SQLITE_FULL: 'its disk is full. Free some space',
  SQLITE_IOERR: 'its disk reports errors. Check the system log',
};

export function describeOpenError(error: unknown): string {
  const code = errorCode(error) ?? '';
  if (advice[code] !== undefined) return `${advice[code]} (${code}).`;
  return error instanceof Error ? error.message : String(error);
}

/** SQLite would open a read-only file and fail with the first write. */
export function refuseReadOnly(file: string): void {
  for (const place of [file, path.dirname(path.resolve(file))])
    if (existsSync(place) && !isWritable(place))
      throw new Error(`${place} may not be written to by this user. SQLite writes to the file and creates others beside it.`);
}

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
