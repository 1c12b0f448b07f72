import { isDeepStrictEqual } from 'node:util';

/** What an export leaves out: a value that a new record has anyway. */
export const unless = <Value>(value: Value, usual: unknown): Value | undefined =>
  value === usual || (typeof value === 'object' && isDeepStrictEqual(value, usual)) ? undefined : value;
