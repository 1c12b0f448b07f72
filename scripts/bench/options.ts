import { checkNames, engineNames, flag, list, parseNumber, parseOptions, text } from '../shared/options.ts';
import { type Engine, type SizeName, sizes } from './dataset/sizes.ts';
import { otherRows } from './other-rows.ts';
import { httpRows } from './rows.ts';

export interface BenchOptions {
  rows: readonly string[];
  sizes: readonly SizeName[];
  engines: readonly Engine[];
  /** Slices of each target, at least. */
  rounds: number;
  /** Length of a slice. */
  seconds: number;
  /** How long a row waits for cores that the hypervisor has given to others. */
  patienceMs: number;
  /** Folder of another checkout. */
  against?: string;
  /** Whether docs/ is written: after a whole run, or with --docs. */
  writesDocs: boolean;
  rendersOnly: boolean;
  builds: boolean;
  /** Whether the stored rows are forgotten instead of replaced one by one: in a whole run, or with --new. */
  startsNew: boolean;
  /** Whether only stored rows are measured that are not valid. */
  onlyInvalid: boolean;
  isQuick: boolean;
}

export const help = `npm run bench                       everything: about three hours, and the first time the data sets on top
npm run bench -- --quick            coupon, one page and feed at 1k orders on SQLite: about a minute
npm run bench -- --row coupon --size 1k --engine sqlite
npm run bench -- --row coupon --against ../other-checkout

  --row <name>        ${[...httpRows, ...otherRows].map(({ name }) => name).join(', ')}
  --size <size>       1k, 100k, 2m
  --engine <name>     sqlite, postgres
  --against <folder>  also measure the compiled service of another checkout of this repository, and compare
  --rounds <n>        slices of each target, 40 by default; up to three times as many where a row needs them to be valid
  --seconds <n>       length of a slice, 0.25 by default
  --patience <min>    how long a row waits in all while other virtual machines have the cores, 5 by default
  --docs              write docs/BENCHMARKS.md and docs/bench.svg also after a part of the run
  --render            only write them, from the stored rows
  --new               forget the stored rows first; without it, a part of the run replaces the rows that it measures
  --invalid           only measure stored rows again that are not valid
  --no-build          measure dist/ as it is
Row, size and engine can be repeated. Data sets and rows are stored in data/bench, or in the folder that BENCH_DATA names.`;

const quick = { rows: ['coupon', 'orders', 'feed'], sizes: ['1k'], engines: ['sqlite'], rounds: 20 } as const;

export function optionsFrom(args: string[]): BenchOptions | 'help' {
  const names = { row: list, size: list, engine: list, against: text, rounds: text, seconds: text, patience: text };
  const flags = { quick: flag, docs: flag, new: flag, invalid: flag, render: flag, 'no-build': flag, help: flag };
  const { values } = parseOptions({ args, options: { ...names, ...flags } });
  if (values.help) return 'help';
  const allRows = [...httpRows, ...otherRows].map(({ name }) => name);
  const allSizes = Object.keys(sizes) as SizeName[];
  const defaults = values.quick ? quick : { rows: allRows, sizes: allSizes, engines: engineNames, rounds: 40 };
  const isPart = values.quick || values.row || values.size || values.engine || values.invalid;
  return {
    rows: checkNames('row', values.row ?? defaults.rows, allRows),
    sizes: checkNames('size', values.size ?? defaults.sizes, allSizes),
    engines: checkNames('engine', values.engine ?? defaults.engines, engineNames),
    rounds: parseNumber('rounds', values.rounds, defaults.rounds, { min: 1, isWhole: true }),
    seconds: parseNumber('seconds', values.seconds, 0.25, { min: 0.01 }),
    patienceMs: 60_000 * parseNumber('patience', values.patience, 5, { min: 0 }),
    ...(values.against !== undefined && { against: values.against }),
    writesDocs: values.docs ?? !isPart,
    rendersOnly: values.render ?? false,
    builds: !values['no-build'],
    startsNew: values.new ?? !isPart,
    onlyInvalid: values.invalid ?? false,
    isQuick: values.quick ?? false,
  };
}
