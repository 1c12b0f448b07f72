import type { Database, Statement } from 'sqlite3';
import { QueryFailedError } from 'typeorm';

/** Texts differ by their limits and offsets, so there is an end to what is kept. */
const mostKept = 200;

/**
 * Runs SQL on a handle that TypeORM owns, and keeps what was prepared: to prepare a statement takes longer than to run it, and TypeORM
 * prepares each anew.
 */
export class Statements {
  readonly #handle: Database;
  readonly #onStatement: ((sql: string) => void) | undefined;
  /** The one that was used last is at the end. */
  readonly #kept = new Map<string, Statement>();

  constructor(handle: Database, onStatement?: (sql: string) => void) {
    this.#handle = handle;
    this.#onStatement = onStatement;
  }

  async all(sql: string, values: readonly unknown[] = []): Promise<unknown[]> {
    this.#onStatement?.(sql);
    try {
      const statement = this.#kept.get(sql) ?? (await this.#prepare(sql));
      this.#kept.delete(sql);
      this.#kept.set(sql, statement);
      return await rowsOf(statement, values);
    } catch (error) {
      throw new QueryFailedError(sql, [...values], error as Error);
    }
  }

  /** SQLite closes no handle that has statements left. */
  async end(): Promise<void> {
    const statements = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(statements.map(finalized));
  }

  async #prepare(sql: string): Promise<Statement> {
    const prepared = await new Promise<Statement>((resolve, reject) => {
      const statement: Statement = this.#handle.prepare(sql, (error: Error | null) => (error ? reject(error) : resolve(statement)));
    });
    const [oldest] = this.#kept;
    if (oldest && this.#kept.size >= mostKept) {
      this.#kept.delete(oldest[0]);
      await finalized(oldest[1]);
    }
    return prepared;
  }
}

const rowsOf = (statement: Statement, values: readonly unknown[]): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    statement.all(values, (error: Error | null, rows: unknown[]) => (error ? reject(error) : resolve(rows)));
  });

const finalized = (statement: Statement): Promise<void> => new Promise((resolve) => statement.finalize(() => resolve()));
