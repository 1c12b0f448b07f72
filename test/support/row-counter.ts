import { Client } from 'pg';
import sqlite3 from 'sqlite3';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Counts the rows that the drivers hand to JavaScript. Rows that a statement has packed into one JSON text count one by one. */
export class RowCounter {
  rows = 0;
  readonly #restore: (() => void)[] = [];

  constructor() {
    // `all` of a database calls that of a statement.
    this.#wrap(sqlite3.Statement.prototype, 'all', countingCallback);
    this.#wrap(Client.prototype, 'query', countingPromise);
  }

  stop(): void {
    for (const restore of this.#restore) restore();
  }

  #wrap(prototype: object, name: string, wrap: (original: AnyFunction, count: (rows: unknown) => void) => AnyFunction): void {
    const methods = prototype as Record<string, AnyFunction>;
    const original = methods[name] as AnyFunction;
    methods[name] = wrap(original, (rows) => {
      this.rows += Array.isArray(rows) ? rows.map(rowsIn).reduce((sum, count) => sum + count, 0) : 0;
    });
    this.#restore.push(() => (methods[name] = original));
  }
}

function rowsIn(row: unknown): number {
  const { packed } = (row ?? {}) as { packed?: unknown };
  const values: unknown = typeof packed === 'string' ? JSON.parse(packed) : undefined;
  return Array.isArray(values) && (values.length === 0 || Array.isArray(values[0])) ? values.length : 1;
}

const countingCallback = (original: AnyFunction, count: (rows: unknown) => void): AnyFunction =>
  function (...args) {
    const done = args.pop() as (error: unknown, rows: unknown) => void;
    return original.call(this, ...args, function (this: unknown, error: unknown, rows: unknown) {
      count(rows);
      done.call(this, error, rows);
    });
  };

const countingPromise = (original: AnyFunction, count: (rows: unknown) => void): AnyFunction =>
  function (...args) {
    const result = original.apply(this, args);
    if (result instanceof Promise) result.then(({ rows }: { rows?: unknown }) => count(rows)).catch(() => {});
    return result;
  };
