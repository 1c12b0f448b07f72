import type { LoadResult, Phase } from './run.ts';

const ms = (milliseconds: number): string => `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;

const columns: readonly [name: string, cell: (phase: Phase) => string | number][] = [
  ['sent /s', ({ perSecond }) => perSecond],
  ['seconds', ({ seconds }) => seconds.toFixed(0)],
  ['answered', ({ answered }) => answered],
  ['shed', ({ shed }) => shed],
  ['p50', ({ latency }) => ms(latency.p50)],
  ['p99', ({ latency }) => ms(latency.p99)],
  ['p99.9', ({ latency }) => ms(latency.p999)],
  ['shed p99', ({ shed, shedLatency }) => (shed > 0 ? ms(shedLatency.p99) : '')],
  ['RSS MB start/middle/end', ({ megabytes: { start, middle, end } }) => [start, middle, end].map(Math.round).join('/')],
  ['MB/min', ({ megabytes }) => megabytes.growthPerMinute.toFixed(1)],
  ['loop delay mean/max', ({ loopDelay }) => `${ms(loopDelay.mean)}/${ms(loopDelay.max)}`],
];

/** A Markdown table, for docs/RELIABILITY.md. */
export function formatReport(results: readonly LoadResult[]): string {
  const head = ['engine', 'phase', ...columns.map(([name]) => name)];
  const rows = results.flatMap(({ engine, workers, steady, overload }) => {
    const name = workers > 1 ? `${engine}, ${workers} processes` : engine;
    const row = (phaseName: string, phase: Phase) => [name, phaseName, ...columns.map(([, cell]) => cell(phase))];
    return [row('steady', steady), ...(overload ? [row('overload', overload)] : [])];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** One sentence for each engine and each failure. */
export const formatVerdicts = (results: readonly LoadResult[]): string[] =>
  results.flatMap(({ engine, capacity, afterwards, ledgerIsSound, failures }) => [
    `${engine}: the capacity is about ${Math.round(capacity)} requests a second.${afterwards === null ? '' : ` A read after the overload: ${ms(afterwards)}.`} The ledger ${ledgerIsSound ? 'verifies' : 'DOES NOT verify'}.`,
    ...failures.map((failure) => `${engine}: FAILED. ${failure}`),
  ]);
