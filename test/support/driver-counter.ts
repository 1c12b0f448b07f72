import { Client } from 'pg';
import sqlite3 from 'sqlite3';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Counts what the drivers of this process do. */
export class DriverCounter {
  /** Handed to JavaScript. Rows that a statement has packed into one JSON text count one by one. */
  rows = 0;
  /** With those that begin and end transactions, and without their values. */
  statements: string[] = [];
  /** To PostgreSQL, one after the other: statements that do not wait for each other's answers are one. */
  roundTrips = 0;
  /** The round trip of the last answer. */
  #answered = 0;
  readonly #restore: (() => void)[] = [];
  /** The round trip of the last statement of each PostgreSQL connection. Without pipelining the next one waits for it. */
  readonly #last = new WeakMap<object, number>();

  constructor() {
    // `all` and `run` of a database call those of a statement.
    for (const name of ['all', 'run']) this.#wrap(sqlite3.Statement.prototype, name, (...call) => this.#countSqlite(...call));
    this.#wrap(Client.prototype, 'query', (...call) => this.#countPostgres(...call));
  }

  reset(): void {
    [this.rows, this.statements, this.roundTrips, this.#answered] = [0, [], 0, 0];
  }

  stop(): void {
    for (const restore of this.#restore) restore();
  }

  #wrap(prototype: object, name: string, around: (self: object, args: unknown[], original: AnyFunction) => unknown): void {
    const methods = prototype as Record<string, AnyFunction>;
    const original = methods[name] as AnyFunction;
    methods[name] = function (...args) {
      return around(this as object, args, original);
    };
    this.#restore.push(() => (methods[name] = original));
  }

  #countSqlite(statement: object, args: unknown[], original: AnyFunction): unknown {
    this.statements.push((statement as { sql: string }).sql);
    if (typeof args.at(-1) !== 'function') return original.apply(statement, args);
    const done = args.pop() as (error: unknown, rows: unknown) => void;
    const countRows = (rows: unknown): void => this.#countRows(rows);
    return original.call(statement, ...args, function (this: unknown, error: unknown, rows: unknown) {
      countRows(rows);
      done.call(this, error, rows);
    });
  }

  #countPostgres(client: object, args: unknown[], original: AnyFunction): unknown {
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text;
    this.statements.push(...text.split(/;\s*(?=\S)/));
    const isPipelined = (client as { pipeline: boolean }).pipeline;
    const trip = 1 + Math.max(this.#answered, isPipelined ? 0 : Math.min(this.#last.get(client) ?? 0, this.roundTrips));
    this.#last.set(client, trip);
    this.roundTrips = Math.max(this.roundTrips, trip);
    const result = original.apply(client, args);
    if (!(result instanceof Promise)) return result;
    const onAnswer = (): void => {
      if (this.roundTrips >= trip) this.#answered = Math.max(this.#answered, trip);
    };
    result.then(({ rows }: { rows?: unknown }) => this.#countRows(rows)).catch(() => {});
    result.then(onAnswer, onAnswer);
    return result;
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
