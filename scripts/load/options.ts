import { checkNames, type EngineName, engineNames, flag, list, parseNumber, parseOptions, text } from '../shared/options.ts';
import { UsageError } from '../shared/usage.ts';

export interface Options {
  engines: readonly EngineName[];
  minutes: number;
  /** Requests per second. Null: 60 % of the measured capacity. */
  rate: number | null;
  workers: number;
  overloadSeconds: number;
  json: boolean;
  builds: boolean;
}

export const help = `npm run load                                2 minutes on each engine, then 20 seconds of overload
npm run load -- --engine sqlite --minutes 10 --rate 300

  --engine <name>       sqlite or postgres; both by default
  --minutes <n>         of steady load, 2 by default
  --rate <n>            requests per second; by default 60 % of the capacity, which is measured first
  --workers <n>         processes on PostgreSQL, 1 by default
  --overload <seconds>  at 4 times the capacity, 20 by default; 0 for none
  --json                one JSON document on standard output
  --no-build            load dist/ as it is
Nine of ten requests are reads, over all operations that read; one is a write. Exits with 1 when a response is not as expected, when
memory keeps growing, or when the ledger does not verify.`;

export function optionsFrom(args: string[]): Options | 'help' {
  const options = { engine: list, minutes: text, rate: text, workers: text, overload: text, json: flag, 'no-build': flag, help: flag };
  const { values } = parseOptions({ args, options });
  if (values.help) return 'help';
  const workers = parseNumber('workers', values.workers, 1, { min: 1, isWhole: true });
  const engines = checkNames('engine', values.engine ?? engineNames, engineNames);
  if (workers > 1 && engines.includes('sqlite')) throw new UsageError('Several workers need PostgreSQL: add --engine postgres.');
  return {
    engines,
    minutes: parseNumber('minutes', values.minutes, 2, { min: 0.05 }),
    rate: values.rate === undefined ? null : parseNumber('rate', values.rate, 0, { min: 1 }),
    workers,
    overloadSeconds: parseNumber('overload', values.overload, 20, { min: 0 }),
    json: values.json ?? false,
    builds: !values['no-build'],
  };
}
