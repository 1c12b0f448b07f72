import { Client } from 'pg';
import sqlite3 from 'sqlite3';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Counts what the drivers of this process do. */
export class DriverCounter {
  /** Handed to JavaScript. Rows that a statement has packed into one JSON text count one by one. */
  rows = 0;
  /** With those that begin and end transactions, and without their values. */
  statements: string[] = [];
  /** To PostgreSQL. Statements that are sent together are one. */
  roundTrips = 0;
  readonly #restore: (() => void)[] = [];
  /** Statements that each PostgreSQL connection has not answered yet. */
  readonly #unanswered = new WeakMap<object, number>();

  constructor() {
    // `all` and `run` of a database call those of a statement.
    this.#wrap(sqlite3.Statement.prototype, 'all', (original) => this.#countSqlite(original));
    this.#wrap(sqlite3.Statement.prototype, 'run', (original) => this.#countSqlite(original));
    this.#wrap(Client.prototype, 'query', (original) => this.#countPostgres(original));
  }

  reset(): void {
    [this.rows, this.statements, this.roundTrips] = [0, [], 0];
  }

  stop(): void {
    for (const restore of this.#restore) restore();
  }

  #wrap(prototype: object, name: string, wrap: (original: AnyFunction) => AnyFunction): void {
    const methods = prototype as Record<string, AnyFunction>;
    const original = methods[name] as AnyFunction;
    methods[name] = wrap(original);
    this.#restore.push(() => (methods[name] = original));
  }

  #countSqlite(original: AnyFunction): AnyFunction {
    const counter = this;
    return function (...args) {
      counter.statements.push((this as { sql: string }).sql);
      if (typeof args.at(-1) !== 'function') return original.apply(this, args);
      const done = args.pop() as (error: unknown, rows: unknown) => void;
      return original.call(this, ...args, function (this: unknown, error: unknown, rows: unknown) {
        counter.#countRows(rows);
        done.call(this, error, rows);
      });
    };
  }

  #countPostgres(original: AnyFunction): AnyFunction {
    const counter = this;
    return function (...args) {
      const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text;
      counter.statements.push(...text.split(/;\s*(?=\S)/));
      const client = this as { pipeline: boolean };
      const unanswered = counter.#unanswered.get(client) ?? 0;
      if (!client.pipeline || unanswered === 0) counter.roundTrips += 1;
      const result = original.apply(this, args);
      if (!(result instanceof Promise)) return result;
      counter.#unanswered.set(client, unanswered + 1);
      result
        .then(({ rows }: { rows?: unknown }) => counter.#countRows(rows))
        .catch(() => {})
        .finally(() => counter.#unanswered.set(client, (counter.#unanswered.get(client) ?? 1) - 1));
      return result;
    };
  }

  #countRows(rows: unknown): void {
    if (Array.isArray(rows)) for (const row of rows) this.rows += rowsIn(row);
  }
}

function rowsIn(row: unknown): number {
  const { packed } = (row ?? {}) as { packed?: unknown };
  const values: unknown = typeof packed === 'string' ? JSON.parse(packed) : undefined;
  return Array.isArray(values) && (values.length === 0 || Array.isArray(values[0])) ? values.length : 1;
}
