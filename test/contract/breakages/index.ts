import { accessBreakages } from './access.ts';
import { answersBreakages } from './answers.ts';
import { operationsBreakages } from './operations.ts';
import { siteBreakages } from './site.ts';
import { valuesBreakages } from './values.ts';
import { wordsBreakages } from './words.ts';

export { allowances } from './allowances.ts';

const files = [accessBreakages, operationsBreakages, answersBreakages, wordsBreakages, valuesBreakages, siteBreakages];

/** Each breaks the contract in one way, and says which rule notices and in which words. */
export const breakages = files.flatMap((byRule) =>
  Object.entries(byRule).flatMap(([rule, list]) => list.map((breakage) => ({ rule, at: breakage.break.at, ...breakage }))),
);
