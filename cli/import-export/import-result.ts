import { formatCount, formatQuantity } from '../terminal/format.ts';
import type { CommandResult } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';
import type { LineError } from './text-lines.ts';

export interface ImportResult {
  imported: number;
  unchanged: number;
  /** Orders that name no coupon and that no link credits. They are not stored. */
  notReferred: number;
  /** The number of errors, also of those that are not listed. */
  refused: number;
  errors: LineError[];
}

/** Limits memory: every one of millions of lines may be invalid. */
const maxErrors = 100_000;

export const emptyResult = (): ImportResult => ({ imported: 0, unchanged: 0, notReferred: 0, refused: 0, errors: [] });

export function addResult(sum: ImportResult, part: ImportResult): void {
  sum.imported += part.imported;
  sum.unchanged += part.unchanged;
  sum.notReferred += part.notReferred;
  for (const error of part.errors) addError(sum, error);
}

export function addError(result: ImportResult, error: LineError): void {
  result.refused += 1;
  if (result.errors.length < maxErrors) result.errors.push(error);
}

export function countOutcome(result: ImportResult, outcome: 'recorded' | 'changed' | 'unchanged' | 'unattributed'): void {
  if (outcome === 'recorded' || outcome === 'changed') result.imported += 1;
  else if (outcome === 'unattributed') result.notReferred += 1;
  else result.unchanged += 1;
}

const maxErrorsShown = 50;

// A reason may quote the file, and an escape sequence in it would move the operator's cursor.
const formatLineError = ({ line, reason }: LineError): string => `line ${line}: ${printable(reason)}`;

export function describeResult({ imported, unchanged, notReferred, refused, errors }: ImportResult, seconds: number): CommandResult {
  const total = imported + unchanged + notReferred + refused;
  const counts = [
    `${formatCount(imported)} imported`,
    `${formatCount(unchanged)} unchanged`,
    ...(notReferred > 0 ? [`${formatCount(notReferred)} not referred`] : []),
    `${formatCount(refused)} refused`,
  ].join(', ');
  const lines = [
    ...errors.slice(0, maxErrorsShown).map(formatLineError),
    ...(errors.length > maxErrorsShown ? [`… and ${formatCount(refused - maxErrorsShown)} more. With --json all are listed.`] : []),
    ...(notReferred > 0
      ? [`Not stored, because they name no coupon and no click or lifetime link credits them: ${formatQuantity(notReferred, 'order')}.`]
      : []),
    `${formatQuantity(total, 'line')} in ${seconds.toFixed(1)} s (${formatCount(Math.round(total / seconds))}/s): ${counts}.`,
  ];
  const listed = errors.length < refused ? ` The first ${formatCount(errors.length)} are listed.` : '';
  const failure = `${refused === 1 ? '1 line was' : `${formatCount(refused)} lines were`} refused${total > refused ? '; everything else was imported' : ''}.${listed}`;
  return { json: { imported, unchanged, not_referred: notReferred, errors }, text: lines.join('\n'), ...(refused > 0 && { failure }) };
}

export const describeStrictError = (error: LineError): CommandResult => ({
  json: { imported: 0, unchanged: 0, not_referred: 0, errors: [error] },
  text: formatLineError(error),
  failure: `Line ${error.line} was refused, so nothing was imported.`,
});
