import { formatTable } from '../../cli/terminal/table.ts';
import { colorize } from '../../cli/terminal/text.ts';
import { count, type FuzzTally } from '../../test/fuzz/fuzz-tally.ts';
import type { EngineName } from '../shared/options.ts';

export interface TallyOfEngine extends FuzzTally {
  readonly engine: EngineName;
}

const formatStatuses = ({ statuses }: FuzzTally): string =>
  [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, times]) => `${status}×${times}`)
    .join(' ');

/** The sum of a count over all tallies, highest first. */
function sumCounts(tallies: readonly FuzzTally[], countsOf: (tally: FuzzTally) => Map<string, number>): Record<string, number> {
  const all = new Map<string, number>();
  for (const tally of tallies) for (const [name, times] of countsOf(tally)) count(all, name, times);
  return Object.fromEntries([...all].toSorted(([, one], [, other]) => other - one));
}

const sum = (tallies: readonly FuzzTally[], of: (tally: FuzzTally) => number): number =>
  tallies.reduce((total, tally) => total + of(tally), 0);

export function formatReport(tallies: readonly TallyOfEngine[], seed: number): string {
  const rows = tallies.map((tally) => [
    tally.engine,
    tally.operationId,
    String(tally.valid),
    String(tally.mutated),
    formatStatuses(tally),
    tally.failures.length === 0 ? '-' : String(tally.failures.length),
  ]);
  const failures = sum(tallies, (tally) => tally.failures.length);
  const requests = `${sum(tallies, ({ valid }) => valid)} valid and ${sum(tallies, ({ mutated }) => mutated)} mutated requests`;
  return [
    formatTable(['engine', 'operation', 'valid', 'mutated', 'statuses', 'failures'], rows),
    '',
    ...Object.entries(sumCounts(tallies, ({ kinds }) => kinds)).map(([kind, times]) => `${String(times).padStart(8)}  ${kind}`),
    '',
    colorize(failures > 0 ? 'red' : 'green', `${requests}, ${failures} ${failures === 1 ? 'failure' : 'failures'}, seed ${seed}`),
  ].join('\n');
}

export const jsonReport = (tallies: readonly TallyOfEngine[], seed: number): unknown => ({
  seed,
  valid: sum(tallies, ({ valid }) => valid),
  mutated: sum(tallies, ({ mutated }) => mutated),
  kinds: sumCounts(tallies, ({ kinds }) => kinds),
  callers: sumCounts(tallies, ({ callers }) => callers),
  operations: tallies.map(({ engine, operationId, valid, mutated, statuses, failures }) => ({
    ...{ engine, operation: operationId, valid, mutated, statuses: Object.fromEntries(statuses), failures },
  })),
});
