import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationError } from './configuration.ts';

const reasons: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'what lies there is read-only',
  ENOENT: 'the system takes none there',
};

/**
 * Makes the folder, and those above it. One by one, since Node's own `recursive` never comes back where the system says of a folder in an
 * existing one that it does not exist, as below /proc.
 */
export function makeFolder(folder: string): void {
  const isThere = existsSync(folder);
  if (isThere && statSync(folder).isDirectory()) return;
  if (isThere) throw new ConfigurationError(`${folder} is not a folder. Set DATA_DIR or DATABASE_URL to another place.`);
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    // Somebody else made it this moment.
    if (code === 'EEXIST') return;
    throw new ConfigurationError(
      `The folder ${folder} cannot be made: ${reasons[code] ?? message}. Set DATA_DIR or DATABASE_URL to another place.`,
    );
  }
}
