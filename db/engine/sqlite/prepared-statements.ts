import { LRUCache } from 'lru-cache';
import type { Database, Statement } from 'sqlite3';
import { QueryFailedError } from 'typeorm';

/** Statement texts differ by their limits and offsets, so the cache is bounded. */
const maxStatements = 200;

/** SQLite looks up a name such as `$1` among all names before it, so a list of thousands takes seconds. A numbered `?1` is found directly. */
export const numberParameters = (sql: string): string => sql.replaceAll(/\$(\d+)/g, '?$1');

/** Runs SQL on a handle that TypeORM owns, with prepared statements: preparing takes longer than running, and TypeORM prepares each time. */
export class PreparedStatements {
  readonly #handle: Database;
  readonly #onStatement: ((sql: string) => void) | undefined;
  readonly #statements = new LRUCache<string, Statement>({
    max: maxStatements,
    dispose: (statement, _sql, reason) => void (reason === 'evict' && finalize(statement)),
  });

  constructor(handle: Database, onStatement?: (sql: string) => void) {
    this.#handle = handle;
    this.#onStatement = onStatement;
  }

  report(sql: string): void {
    this.#onStatement?.(sql);
  }

  async all(sql: string, values: readonly unknown[] = []): Promise<unknown[]> {
    this.report(sql);
    try {
      return await fetchRows(this.#statements.get(sql) ?? (await this.#prepare(sql)), values);
    } catch (error) {
      throw new QueryFailedError(sql, [...values], error as Error);
    }
  }

  /** Must run before the handle closes: SQLite closes no handle that has statements left. */
  async finalizeAll(): Promise<void> {
    const statements = [...this.#statements.values()];
    this.#statements.clear();
    await Promise.all(statements.map(finalize));
  }

  async #prepare(sql: string): Promise<Statement> {
    const prepared = await new Promise<Statement>((resolve, reject) => {
      const statement: Statement = this.#handle.prepare(numberParameters(sql), (error: Error | null) =>
        error ? reject(error) : resolve(statement),
      );
    });
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

const fetchRows = (statement: Statement, values: readonly unknown[]): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    statement.all(values, (error: Error | null, rows: unknown[]) => (error ? reject(error) : resolve(rows)));
  });

const finalize = (statement: Statement): Promise<void> => new Promise((resolve) => statement.finalize(() => resolve()));
