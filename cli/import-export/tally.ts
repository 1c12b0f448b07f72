import type { BadLine } from './text-lines.ts';

/** What became of lines. */
export interface Tally {
  imported: number;
  unchanged: number;
  /** Orders that nobody referred. They are among the unchanged: nothing is kept of them. */
  unattributed: number;
  /** How many, also where not all are listed. */
  refused: number;
  errors: BadLine[];
}

/** A file of millions of lines may be bad in every one. Nobody reads so many, and the memory is for others too. */
const mostErrors = 100_000;

export const emptyTally = (): Tally => ({ imported: 0, unchanged: 0, unattributed: 0, refused: 0, errors: [] });

export function addTo(sum: Tally, part: Tally): void {
  sum.imported += part.imported;
  sum.unchanged += part.unchanged;
  sum.unattributed += part.unattributed;
  for (const error of part.errors) refuse(sum, error);
}

export function refuse(tally: Tally, error: BadLine): void {
  tally.refused += 1;
  if (tally.errors.length < mostErrors) tally.errors.push(error);
}

export function count(tally: Tally, outcome: 'recorded' | 'changed' | 'unchanged' | 'unattributed'): void {
  if (outcome === 'recorded' || outcome === 'changed') tally.imported += 1;
  else tally.unchanged += 1;
  if (outcome === 'unattributed') tally.unattributed += 1;
}
