import type { Engine } from './sizes.ts';

/** SQL that the engines spell differently. */
export interface SqlDialect {
  /** A table `n` with the whole numbers from 1 to the count as `i`, for a statement's `from`. */
  upTo(count: number): string;
  /** The day of a moment, in UTC. */
  day(moment: string): string;
  /** The same with its time, as in API responses. */
  local(moment: string): string;
  /** Lets an insert set generated ids. */
  ownIds: string;
}

const utc = (moment: string): string => `to_timestamp((${moment}) / 1000) at time zone 'UTC'`;

export const dialects: Record<Engine, SqlDialect> = {
  sqlite: {
    upTo: (count) => `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n) as n`,
    day: (moment) => `date((${moment}) / 1000, 'unixepoch')`,
    local: (moment) => `strftime('%Y-%m-%dT%H:%M:%S', (${moment}) / 1000, 'unixepoch')`,
    ownIds: '',
  },
  postgres: {
    upTo: (count) => `generate_series(1::bigint, ${count}::bigint) as n (i)`,
    day: (moment) => `to_char(${utc(moment)}, 'YYYY-MM-DD')`,
    local: (moment) => `to_char(${utc(moment)}, 'YYYY-MM-DD"T"HH24:MI:SS')`,
    ownIds: 'overriding system value',
  },
};

/** Lists of values for one statement each, which SQLite limits to a million bytes. */
export function valueLists(count: number, valuesOf: (number: number) => string): string[] {
  const values = Array.from({ length: count }, (_, index) => `(${valuesOf(index + 1)})`);
  return Array.from({ length: Math.ceil(count / 1000) }, (_, part) => values.slice(part * 1000, (part + 1) * 1000).join(', '));
}
