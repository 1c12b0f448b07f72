import type { Run } from '../results.ts';

const significantDigits = 6;

const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(significantDigits)) : value;

/** What the page is computed from: a line about the run, then one for each target of each row. */
export function formatSamples({ series, ...about }: Run): string {
  return [about, ...series].map((line) => `${JSON.stringify(line, rounded)}\n`).join('');
}
