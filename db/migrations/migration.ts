import type { Dialect } from '../engine/dialect.ts';

export interface Migration {
  /** The name of its file: `<time>-<what>`. What a database has run is remembered by it. */
  readonly name: string;
  up(run: (sql: string) => Promise<unknown>, dialect: Dialect): Promise<void>;
}
