import { parseArgs } from 'node:util';
import { UsageError, withUsageError } from '../shared/usage.ts';

export type Engine = 'sqlite' | 'postgres';

export interface Options {
  engines: readonly Engine[];
  minutes: number;
  /** Requests a second. Null: found out. */
  rate: number | null;
  workers: number;
  overloadSeconds: number;
  json: boolean;
  builds: boolean;
}

export const help = `npm run load                                2 minutes on each engine, then 20 seconds of overload
npm run load -- --engine sqlite --minutes 10 --rate 300

  --engine <name>       sqlite or postgres; both by default
  --minutes <n>         of steady load, 2 by default
  --rate <n>            requests a second; by default 60 % of what the machine holds, which is tried first
  --workers <n>         processes on PostgreSQL, 1 by default
  --overload <seconds>  at 4 times of what it holds, 20 by default; 0 for none
  --json                one JSON document on standard output
  --no-build            load dist/ as it is
Nine of ten requests read, over all operations that read; one writes. It ends with 1 when an answer was not as expected, when memory grew
without end, or when the ledger does not prove itself.`;

function read(args: string[]) {
  const [one, flag] = [{ type: 'string' } as const, { type: 'boolean' } as const];
  const options = { engine: { ...one, multiple: true } as const, minutes: one, rate: one, workers: one, overload: one, json: flag };
  return withUsageError(() => parseArgs({ args, options: { ...options, 'no-build': flag, help: flag } })).values;
}

function number(name: string, given: string | undefined, byDefault: number, lowest: number): number {
  const value = Number(given ?? byDefault);
  if (!(value >= lowest)) throw new UsageError(`--${name} must be a number, ${lowest} or more.`);
  return value;
}

function enginesOf(given: string[] = ['sqlite', 'postgres']): Engine[] {
  const unknown = given.find((name) => name !== 'sqlite' && name !== 'postgres');
  if (unknown !== undefined) throw new UsageError(`There is no engine ${unknown}. There are sqlite and postgres.`);
  return given as Engine[];
}

export function optionsFrom(args: string[]): Options | 'help' {
  const given = read(args);
  if (given.help) return 'help';
  const workers = Math.round(number('workers', given.workers, 1, 1));
  const engines = enginesOf(given.engine);
  if (workers > 1 && engines.includes('sqlite')) throw new UsageError('Several workers need PostgreSQL: add --engine postgres.');
  return {
    engines,
    minutes: number('minutes', given.minutes, 2, 0.05),
    rate: given.rate === undefined ? null : number('rate', given.rate, 0, 1),
    workers,
    overloadSeconds: number('overload', given.overload, 20, 0),
    json: given.json ?? false,
    builds: !given['no-build'],
  };
}
