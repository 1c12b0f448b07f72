import { accessBreakages } from './access.ts';
import { answersBreakages } from './answers.ts';
import type { Breakage } from './change.ts';
import { operationsBreakages } from './operations.ts';
import { siteBreakages } from './site.ts';
import { valuesBreakages } from './values.ts';
import { wordsBreakages } from './words.ts';

export { allowances } from './allowances.ts';

/** Each breaks the contract in one way, and says which rule notices, where and in which words. */
export const breakages: readonly Breakage[] = [
  ...accessBreakages,
  ...operationsBreakages,
  ...answersBreakages,
  ...wordsBreakages,
  ...valuesBreakages,
  ...siteBreakages,
];
