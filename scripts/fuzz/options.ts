import { parseArgs } from 'node:util';
import { UsageError, withUsageError } from '../shared/usage.ts';

const engines = ['sqlite', 'postgres'] as const;

export interface Options {
  seed: number;
  /** Of valid and of mutated requests each, for each operation. */
  runs: number;
  operations: readonly string[];
  engines: readonly ('sqlite' | 'postgres')[];
  json: boolean;
  holds: boolean;
}

export const help = `npm run fuzz                          every operation on both engines, with a seed of its own
npm run fuzz -- --seed 7 --operation post_keys --engine sqlite

  --seed <n>          repeats a run: the same seed tries the same requests
  --runs <n>          valid and mutated requests each, for each operation: 300 by default
  --operation <id>    only this one; can be given several times. deleted_stays_gone makes, uses and deletes keys and webhooks
  --engine <name>     sqlite, postgres; both by default
  --hold              leaves the service running after a failure, so that its curl line can be sent
  --json              one JSON document on standard output, nothing else
  --help              this page
Exits with 1 when an answer should have been another one.`;

function read(args: string[]) {
  const several = { type: 'string', multiple: true } as const;
  const [one, flag] = [{ type: 'string' } as const, { type: 'boolean' } as const];
  const options = { seed: one, runs: one, operation: several, engine: several, hold: flag, json: flag, help: flag };
  return withUsageError(() => parseArgs({ args, options })).values;
}

function whole(name: string, given: string | undefined, byDefault: number, least: number): number {
  const value = given === undefined ? byDefault : Number(given === '' ? Number.NaN : given);
  if (!Number.isSafeInteger(value) || value < least)
    throw new UsageError(`--${name} must be a whole number from ${least}, not "${given}".`);
  return value;
}

function chosen<Name extends string>(what: string, given: readonly string[] | undefined, all: readonly Name[]): readonly Name[] {
  const unknown = given?.find((name) => !all.includes(name as Name));
  if (unknown !== undefined) throw new UsageError(`There is no ${what} ${unknown}. There are ${all.join(', ')}.`);
  return (given as Name[] | undefined) ?? all;
}

/** The operations are those that the contract has. */
export function optionsFrom(args: string[], operations: readonly string[]): Options | 'help' {
  const given = read(args);
  if (given.help) return 'help';
  return {
    seed: whole('seed', given.seed, Math.floor(Math.random() * 1e9), 0),
    runs: whole('runs', given.runs, 300, 1),
    operations: chosen('operation', given.operation, operations),
    engines: chosen('engine', given.engine, engines),
    json: given.json ?? false,
    holds: given.hold ?? false,
  };
}
