import type { Dialect } from '../engine/dialect.ts';

export interface Migration {
  /** The name of its file: `<time>-<what>`. Databases record it, so it never changes. */
  readonly name: string;
  up(run: (sql: string) => Promise<unknown>, dialect: Dialect): Promise<void>;
}
