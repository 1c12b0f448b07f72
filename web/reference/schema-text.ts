import { type Contract, schemaName } from './contract.ts';
import type { Schema } from './openapi.ts';

/** What a value is, in one short line: `array of Payout`, `integer or null`, `Day`. */
export function typeText(contract: Contract, schema: Schema): string {
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return [...new Set(choices.map((choice) => typeText(contract, choice)))].join(' or ');
  const resolved = contract.resolve(schema);
  if (resolved.type === 'array') return `array of ${typeText(contract, resolved.items ?? {})}`;
  const name = schemaName(schema);
  if (name !== undefined && isRecord(resolved)) return name;
  return plainType(resolved);
}

export const isRecord = ({ type, properties }: Schema): boolean => type === 'object' || properties !== undefined;

function plainType({ type, properties, enum: values, const: fixed }: Schema): string {
  if (type !== undefined) return [type].flat().join(' or ');
  if (properties) return 'object';
  const value = fixed ?? values?.[0];
  return value === undefined ? 'any' : typeof value;
}

/** The bounds of a value, each as a few words. */
export function bounds(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format, pattern } = schema;
  return [
    // Every integer ends there; saying so would tell nothing.
    between(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    between(minLength, maxLength, ' characters'),
    between(minItems, maxItems, ' items'),
    format === 'calendar-day' ? 'YYYY-MM-DD' : (format ?? ''),
    pattern === undefined || format !== undefined ? '' : `matches ${pattern}`,
  ].filter((text) => text !== '');
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? '' : `at most ${most}${unit}`;
}

/** The schema behind whatever is around it: the items of an array, the one choice that is not null. */
export function innerSchema(contract: Contract, schema: Schema): Schema {
  const resolved = contract.resolve(schema);
  const choice = (resolved.oneOf ?? resolved.anyOf)?.find(({ type }) => type !== 'null');
  if (choice) return innerSchema(contract, { ...choice });
  return resolved.type === 'array' && resolved.items ? innerSchema(contract, resolved.items) : resolved;
}
