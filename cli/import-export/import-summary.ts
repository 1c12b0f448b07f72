import { formatCount as number } from '../terminal/format.ts';
import { type CommandResult } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';
import type { Tally } from './tally.ts';
import type { BadLine } from './text-lines.ts';

/** More than anybody reads on a screen. */
const mostShown = 50;

// A reason may quote the file, and an escape sequence in it would move the operator's cursor.
const shown = ({ line, reason }: BadLine): string => `line ${line}: ${printable(reason)}`;

export function importAnswer(tally: Tally, seconds: number): CommandResult {
  const { imported, unchanged, unattributed, refused, errors } = tally;
  const total = imported + unchanged + refused;
  const counts = `${number(imported)} imported, ${number(unchanged)} unchanged, ${number(refused)} refused`;
  const notes = [
    ...errors.slice(0, mostShown).map(shown),
    ...(errors.length > mostShown ? [`… and ${number(refused - mostShown)} more. With --json all are listed.`] : []),
    ...(unattributed > 0 ? [`Nobody referred ${number(unattributed)} of the orders; they are not kept.`] : []),
    `${number(total)} lines in ${seconds.toFixed(1)} s (${number(Math.round(total / seconds))}/s): ${counts}.`,
  ];
  return { json: { imported, unchanged, errors }, text: notes.join('\n'), ...(refused > 0 && { failure: failureOf(tally) }) };
}

function failureOf({ refused, errors }: Tally): string {
  const listed = errors.length < refused ? ` The first ${number(errors.length)} are listed.` : '';
  return `${refused === 1 ? '1 line was' : `${number(refused)} lines were`} refused; everything else was imported.${listed}`;
}

export const strictAnswer = (bad: BadLine): CommandResult => ({
  json: { imported: 0, unchanged: 0, errors: [bad] },
  text: shown(bad),
  failure: `Line ${bad.line} was refused, so nothing was imported.`,
});
