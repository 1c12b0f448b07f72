import { formatTable } from '../../cli/terminal/table.ts';
import { colorize } from '../../cli/terminal/text.ts';
import { count, type Tally } from '../../test/fuzz/tally.ts';

/** A tally, and where it was counted. */
export interface Line extends Tally {
  readonly engine: 'sqlite' | 'postgres';
}

const statusesOf = ({ statuses }: Tally): string =>
  [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, times]) => `${status}×${times}`)
    .join(' ');

function sums(lines: readonly Line[], of: (line: Line) => Map<string, number>): Record<string, number> {
  const all = new Map<string, number>();
  for (const line of lines) for (const [name, times] of of(line)) count(all, name, times);
  return Object.fromEntries([...all].toSorted(([, one], [, other]) => other - one));
}

/** For people. */
export function reportOf(lines: readonly Line[], seed: number): string {
  const rows = lines.map((line) => [
    line.engine,
    line.operationId,
    String(line.valid),
    String(line.mutated),
    statusesOf(line),
    line.failures.length === 0 ? '-' : String(line.failures.length),
  ]);
  const sum = (of: (line: Line) => number): number => lines.reduce((total, line) => total + of(line), 0);
  const [valid, mutated, failures] = [sum((line) => line.valid), sum((line) => line.mutated), sum((line) => line.failures.length)];
  return [
    formatTable(['engine', 'operation', 'valid', 'mutated', 'statuses seen', 'failures'], rows),
    '',
    ...Object.entries(sums(lines, ({ kinds }) => kinds)).map(([what, times]) => `${String(times).padStart(8)}  ${what}`),
    '',
    colorize(
      failures > 0 ? 'red' : 'green',
      `${valid} valid and ${mutated} mutated requests, ${failures} ${failures === 1 ? 'failure' : 'failures'}, seed ${seed}`,
    ),
  ].join('\n');
}

/** For scripts. */
export const documentOf = (lines: readonly Line[], seed: number): unknown => ({
  seed,
  valid: lines.reduce((total, { valid }) => total + valid, 0),
  mutated: lines.reduce((total, { mutated }) => total + mutated, 0),
  kinds: sums(lines, ({ kinds }) => kinds),
  callers: sums(lines, ({ callers }) => callers),
  operations: lines.map(({ engine, operationId, valid, mutated, statuses, failures }) => ({
    ...{ engine, operation: operationId, valid, mutated, statuses: Object.fromEntries(statuses), failures },
  })),
});
