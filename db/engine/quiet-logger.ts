import type { Logger } from 'typeorm';

const nothing = (): void => {};

/** TypeORM's own loggers print to the console, values included. Statements are reported where they are sent. */
export const quietLogger: Logger = {
  logQuery: nothing,
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
  logMigration: nothing,
  log: nothing,
};
