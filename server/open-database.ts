import path from 'node:path';
import type { Database, DatabaseOptions } from '../db/database.ts';
import { parseDatabaseUrl } from '../db/database-url.ts';
import { ConfigurationError, createFolder } from './configuration.ts';

/** Opens the database that the configuration names, in a new folder where there is none. @throws ConfigurationError that says what to set. */
export async function openConfiguredDatabase(options: DatabaseOptions): Promise<Database> {
  // Imported here because it takes longer than everything else: commands print what is wrong with their arguments at once.
  const { openDatabase } = await import('../db/database.ts');
  const location = parseDatabaseUrl(options.url);
  if (location.engine === 'sqlite') createFolder(path.dirname(path.resolve(location.path)));
  try {
    return await openDatabase(options);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigurationError(
      `${message.replace(/\.?$/, '.')} DATABASE_URL sets the address of the database; by default it is a file in DATA_DIR.`,
      { cause: error },
    );
  }
}
