import type { Phase } from './phase.ts';
import type { Result } from './run.ts';

const ms = (milliseconds: number): string => `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
const mb = (megabytes: number): string => String(Math.round(megabytes));

const columns = [
  'engine',
  'phase',
  'asked /s',
  'seconds',
  'answered',
  'shed',
  'p50',
  'p99',
  'p99.9',
  'shed p99',
  'RSS MB start/middle/end',
  'MB/min',
  'loop delay mean/max',
];

function rowOf(engine: string, name: string, phase: Phase): string[] {
  const { latency, shedLatency, megabytes, loopDelay } = phase;
  return [
    engine,
    name,
    String(phase.perSecond),
    phase.seconds.toFixed(0),
    String(phase.answered),
    String(phase.shed),
    ms(latency.p50),
    ms(latency.p99),
    ms(latency.p999),
    phase.shed > 0 ? ms(shedLatency.p99) : '',
    [megabytes.start, megabytes.middle, megabytes.end].map(mb).join('/'),
    megabytes.growthPerMinute.toFixed(1),
    `${ms(loopDelay.mean)}/${ms(loopDelay.max)}`,
  ];
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** As a table, for people and for docs/RELIABILITY.md. */
export function reportOf(results: readonly Result[]): string {
  const rows = results.flatMap(({ engine, workers, steady, overload }) => {
    const name = workers > 1 ? `${engine}, ${workers} processes` : engine;
    return [rowOf(name, 'steady', steady), ...(overload ? [rowOf(name, 'overload', overload)] : [])];
  });
  return [columns, columns.map(() => '---'), ...rows].map(line).join('\n');
}

/** One sentence for each engine, and one for each thing that must not have happened. */
export const verdictsOf = (results: readonly Result[]): string[] =>
  results.flatMap(({ engine, capacity, afterwards, ledgerIsSound, failures }) => [
    `${engine}: holds about ${Math.round(capacity)} requests a second.${afterwards === null ? '' : ` A read after the overload: ${ms(afterwards)}.`} The ledger is ${ledgerIsSound ? 'sound' : 'NOT sound'}.`,
    ...failures.map((failure) => `${engine}: FAILED. ${failure}`),
  ]);
