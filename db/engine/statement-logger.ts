import type { Logger } from 'typeorm';

const nothing = (): void => {};

/** TypeORM's own loggers print to the console, values included. */
export function createStatementLogger(onStatement: (sql: string) => void = nothing): { logger: Logger } {
  return {
    logger: {
      logQuery: (sql) => onStatement(sql),
      logQueryError: nothing,
      logQuerySlow: nothing,
      logSchemaBuild: nothing,
      logMigration: nothing,
      log: nothing,
    },
  };
}
