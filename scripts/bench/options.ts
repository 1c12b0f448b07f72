import { parseArgs } from 'node:util';
import { type Engine, type SizeName, sizes } from './dataset/sizes.ts';
import { httpRows } from './rows.ts';
import { specialRows } from './special-rows.ts';

export interface Options {
  rows: readonly string[];
  sizes: readonly SizeName[];
  engines: readonly Engine[];
  rounds: number;
  seconds: number;
  /** Whether the pages in docs/ are written: after a whole run, or where it is asked for. */
  writesDocs: boolean;
  /** Only the pages, from the figures of the last run. */
  rendersOnly: boolean;
  builds: boolean;
  /** Whether the rows go into the figures of the last run, in place of their own former ones. */
  adds: boolean;
  isQuick: boolean;
}

export const help = `npm run bench                       everything: up to an hour, and the first time the data sets on top
npm run bench -- --quick            coupon, one page and feed at 1k orders on SQLite: about a minute
npm run bench -- --row coupon --size 1k --engine sqlite

  --row <name>      ${[...httpRows, ...specialRows].map(({ name }) => name).join(', ')}
  --size <size>     1k, 100k, 2m
  --engine <name>   sqlite, postgres
  --rounds <n>      3 by default      --seconds <n>   of each round, 2 by default
  --docs            write docs/BENCHMARKS.md and docs/bench.svg also after a part of the run
  --render          only write them, from the figures of the last run
  --add             put these rows into the last run's figures, for one that was invalid or failed
  --no-build        measure dist/ as it is
Each of row, size and engine can be given several times.`;

export class UsageError extends Error {}

const quickly = { rows: ['coupon', 'orders', 'feed'], sizes: ['1k'], engines: ['sqlite'], seconds: 1.5 } as const;

function read(args: string[]) {
  const several = { type: 'string', multiple: true } as const;
  const flag = { type: 'boolean' } as const;
  const one = { type: 'string' } as const;
  const options = { row: several, size: several, engine: several, rounds: one, seconds: one, 'no-build': flag };
  try {
    return parseArgs({ args, options: { ...options, quick: flag, docs: flag, add: flag, render: flag, help: flag } }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function chosen<Name extends string>(
  what: string,
  given: string[] | undefined,
  all: readonly Name[],
  byDefault: readonly Name[],
): readonly Name[] {
  const unknown = given?.find((name) => !all.includes(name as Name));
  if (unknown !== undefined) throw new UsageError(`There is no ${what} ${unknown}. There are ${all.join(', ')}.`);
  return (given as Name[] | undefined) ?? byDefault;
}

function positive(name: string, given: string | undefined, byDefault: number): number {
  const value = Number(given ?? byDefault);
  if (!(value > 0)) throw new UsageError(`--${name} must be a number above zero.`);
  return value;
}

export function optionsFrom(args: string[]): Options | 'help' {
  const given = read(args);
  if (given.help) return 'help';
  const allRows = [...httpRows, ...specialRows].map(({ name }) => name);
  const allSizes = Object.keys(sizes) as SizeName[];
  const allEngines: Engine[] = ['sqlite', 'postgres'];
  const isPart = given.quick || given.row || given.size || given.engine;
  const quick = given.quick ? quickly : undefined;
  return {
    rows: chosen('row', given.row, allRows, quick?.rows ?? allRows),
    sizes: chosen('size', given.size, allSizes, quick?.sizes ?? allSizes),
    engines: chosen('engine', given.engine, allEngines, quick?.engines ?? allEngines),
    rounds: Math.round(positive('rounds', given.rounds, 3)),
    seconds: positive('seconds', given.seconds, quick?.seconds ?? 2),
    writesDocs: given.docs ?? !isPart,
    rendersOnly: given.render ?? false,
    builds: !given['no-build'],
    adds: given.add ?? false,
    isQuick: given.quick ?? false,
  };
}
