import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Datasets, openDatasets } from './dataset/dataset.ts';
import { stopPostgres } from './dataset/postgres.ts';
import { sqlite } from './dataset/sqlite.ts';
import { describeMachine, leaveServerCore } from './machine.ts';
import { HttpMeasurement } from './measure-http.ts';
import type { BenchOptions } from './options.ts';
import { countRows, estimateSeconds, type Part, planParts } from './plan.ts';
import { aimTable } from './report/aims.ts';
import { growthCharts } from './report/growth.ts';
import { formatPage } from './report/markdown.ts';
import { formatSamples } from './report/samples.ts';
import { drawSvg } from './report/svg.ts';
import { beforeTable, formatText, resultTable, summarise } from './report/tables.ts';
import { interleave, keyOf, mergeRuns, type OtherRow, type Run, type Series } from './results.ts';
import { type Checkout, checkoutAt, installPeers } from './targets.ts';

const lastRunFile = path.join(sqlite.folder, 'last-run.json');
const readLastRun = (): Run => JSON.parse(readFileSync(lastRunFile, 'utf8')) as Run;

export async function runBench(options: BenchOptions): Promise<void> {
  if (options.rendersOnly) return writeDocs(readLastRun());
  installPeers();
  if (options.builds) build();
  leaveServerCore();
  const stored = existsSync(lastRunFile) ? readLastRun() : undefined;
  const last = options.startsNew ? undefined : stored;
  const parts = planParts(options, stored);
  const minutes = Math.ceil(estimateSeconds(parts, options, stored) / 60);
  console.log(`${countRows(parts)} rows, about ${minutes} min, and on top the data sets that do not exist yet.`);
  let result = last;
  try {
    for await (const measured of measureAll(parts, options)) {
      result = last ? mergeRuns(last, measured) : measured;
      // After each row, so that an interrupted run can be continued.
      if (!options.isQuick) writeFileSync(lastRunFile, JSON.stringify(result));
    }
  } finally {
    await stopPostgres();
  }
  if (result) report(result, options);
}

function report(result: Run, options: BenchOptions): void {
  const measuredAims = aimTable(result).filter((line) => line.at(-1) !== 'not measured');
  const tables = [resultTable(result.series), measuredAims, beforeTable(result.series)].filter(({ length }) => length > 1);
  console.log(['', ...tables.map(formatText), summarise(result), ''].join('\n\n'));
  if (options.writesDocs && !process.exitCode) writeDocs(result);
}

/** What is measured is what `npm start` runs. */
function build(): void {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The service does not compile. With --no-build the last build is measured.');
}

function writeDocs(result: Run): void {
  writeFileSync('docs/BENCHMARKS.md', formatPage(result));
  writeFileSync('docs/bench.svg', drawSvg(result));
  writeFileSync('docs/bench-samples.ndjson', formatSamples(result));
  for (const [file, chart] of growthCharts(result)) writeFileSync(`docs/images/${file}`, chart);
  console.log('docs/BENCHMARKS.md and its pictures are written.');
}

/** Yields the run so far after each row. */
async function* measureAll(parts: readonly Part[], options: BenchOptions): AsyncGenerator<Run> {
  const own = checkoutAt('.');
  const before = options.against === undefined ? undefined : checkoutAt(options.against);
  const run: Run = {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    commit: own.commit,
    ...(before && { before: before.commit }),
    series: [],
    secondsPerRound: {},
  };
  const progress = { row: 0, of: countRows(parts) };
  for (const part of parts) {
    let started = performance.now();
    for await (const row of measureRows(part, progress, options, own, before)) {
      const [first] = row;
      if (first) Object.assign(run.secondsPerRound ?? {}, { [keyOf(first)]: (performance.now() - started) / 1000 / options.rounds });
      started = performance.now();
      run.series.push(...row);
      yield run;
    }
  }
}

async function* measureRows(
  { engine, size, requestRows, others }: Part,
  progress: { row: number; of: number },
  options: BenchOptions,
  own: Checkout,
  before?: Checkout,
): AsyncGenerator<Series[]> {
  const say = (text: string): void => console.log(`[${(performance.now() / 60_000).toFixed(1)} min] ${engine}, ${size}: ${text}`);
  const announce = (title: string): void => say(`${title} (row ${++progress.row} of ${progress.of})`);
  say('data set');
  const datasets = await openDatasets(engine, size, own, before);
  const measurement = new HttpMeasurement(datasets, options);
  try {
    for (const row of requestRows) {
      announce(row.title);
      yield await continueOnFailure(row.name, () => measurement.measure(row));
    }
  } finally {
    await measurement.stop();
  }
  for (const row of others) {
    announce(row.title);
    yield await continueOnFailure(row.name, () => measureOtherRow(row, datasets, options));
  }
}

/** Samples take longer than slices, so there are fewer. */
async function measureOtherRow(row: OtherRow, datasets: Datasets, options: BenchOptions): Promise<Series[]> {
  const { engine, size } = datasets.service;
  const least = Math.ceil(options.rounds / 4);
  const rounds = { least, most: least * 2, patienceMs: options.patienceMs };
  return interleave({ row: row.name, engine, size }, await row.samplers(datasets), rounds);
}

/** One row that fails does not end a run of an hour, but docs/ is not written then. */
async function continueOnFailure(row: string, measure: () => Promise<Series[]>): Promise<Series[]> {
  try {
    return await measure();
  } catch (error) {
    console.error(`\nThe row ${row} failed.`, error);
    process.exitCode = 1;
    return [];
  }
}
