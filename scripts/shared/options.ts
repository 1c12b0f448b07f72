import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './usage.ts';

export const text = { type: 'string' } as const;
export const list = { type: 'string', multiple: true } as const;
export const flag = { type: 'boolean' } as const;

export const engineNames = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof engineNames)[number];

/** `parseArgs` that throws a `UsageError`. */
export function parseOptions<const Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** @throws UsageError where one of the names does not exist. */
export function checkNames<Name extends string>(what: string, names: readonly string[], all: readonly Name[]): readonly Name[] {
  const unknown = names.find((name) => !all.includes(name as Name));
  if (unknown !== undefined) throw new UsageError(`There is no ${what} ${unknown}. There are ${all.join(', ')}.`);
  return names as Name[];
}

interface NumberRange {
  min: number;
  max?: number;
  isWhole?: boolean;
}

/** The number behind `--name`, or the default where the option is absent. */
export function parseNumber(
  name: string,
  value: string | undefined,
  byDefault: number,
  { min, max = Infinity, isWhole }: NumberRange,
): number {
  const number = value === undefined ? byDefault : Number(value.trim() || Number.NaN);
  if (number >= min && number <= max && (!isWhole || Number.isSafeInteger(number))) return number;
  const range = max === Infinity ? `${min} or more` : `from ${min} to ${max}`;
  throw new UsageError(`--${name} must be a ${isWhole ? 'whole ' : ''}number, ${range}, not "${value}".`);
}
