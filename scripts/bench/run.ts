import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { copyDataset, type Dataset, openDataset } from './dataset/dataset.ts';
import { stopPostgres } from './dataset/postgres.ts';
import { adminId, type Engine, type SizeName, sizes } from './dataset/sizes.ts';
import { sqlite } from './dataset/sqlite.ts';
import { describeMachine, leaveServerCore } from './machine.ts';
import { type Datasets, HttpMeasurement } from './measure-http.ts';
import type { Options } from './options.ts';
import { measureOtherRow, otherRows } from './other-rows.ts';
import { aimTable } from './report/aims.ts';
import { formatPage } from './report/markdown.ts';
import { drawSvg } from './report/svg.ts';
import { beforeTable, formatText, resultTable, summarise, type Table } from './report/tables.ts';
import { send } from './requests.ts';
import { mergeRuns, type Run, type Series } from './results.ts';
import { httpRows } from './rows.ts';
import { type Checkout, checkoutAt, installPeers, runCommand, startService } from './targets.ts';

const lastRunFile = path.join(sqlite.folder, 'last-run.json');
const readLastRun = (): Run => JSON.parse(readFileSync(lastRunFile, 'utf8')) as Run;

export async function runBench(options: Options): Promise<void> {
  if (options.rendersOnly) return writeDocs(readLastRun());
  installPeers();
  if (options.builds) build();
  leaveServerCore();
  const measured = await measureAll(options).finally(stopPostgres);
  const result = options.adds ? mergeRuns(readLastRun(), measured) : measured;
  writeFileSync(lastRunFile, JSON.stringify(result));
  printTables(result);
  if (options.writesDocs && !process.exitCode) writeDocs(result);
}

/** What is measured is what `npm start` runs. */
function build(): void {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The service does not compile. With --no-build the last build is measured.');
}

function printTables(result: Run): void {
  const { series } = result;
  const measuredAims = aimTable(result).filter((line) => line.at(-1) !== 'not measured');
  const tables: Table[] = [resultTable(series), measuredAims, beforeTable(series)];
  const texts = tables.filter(({ length }) => length > 1).map(formatText);
  console.log(['', ...texts, summarise(result), ''].join('\n\n'));
}

function writeDocs(result: Run): void {
  writeFileSync('docs/BENCHMARKS.md', formatPage(result));
  writeFileSync('docs/bench.svg', drawSvg(result));
  console.log('docs/BENCHMARKS.md and docs/bench.svg are written.');
}

interface Checkouts {
  service: Checkout;
  before?: Checkout;
}

async function measureAll(options: Options): Promise<Run> {
  const { rounds, seconds, against } = options;
  const checkouts: Checkouts = { service: checkoutAt('.'), ...(against !== undefined && { before: checkoutAt(against) }) };
  const run: Run = {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    rounds,
    seconds,
    ...(checkouts.before && { before: checkouts.before.commit }),
    series: [],
  };
  const started = performance.now();
  const report = (text: string): void => console.log(`[${((performance.now() - started) / 60_000).toFixed(1)} min] ${text}`);
  for (const engine of options.engines)
    for (const size of options.sizes)
      for await (const row of measureRows(engine, size, checkouts, options, report)) run.series.push(...row);
  return run;
}

/** Rows of one size are measured on another where theirs is not among those to measure. */
const otherRowsOf = (size: SizeName, options: Options) =>
  otherRows.filter((row) => options.rows.includes(row.name) && (row.size === size || !options.sizes.includes(row.size)));

async function* measureRows(
  engine: Engine,
  size: SizeName,
  checkouts: Checkouts,
  options: Options,
  report: (text: string) => void,
): AsyncGenerator<Series[]> {
  const requestRows = httpRows.filter(({ name }) => options.rows.includes(name));
  const others = otherRowsOf(size, options);
  if (requestRows.length + others.length === 0) return;
  report(`${engine}, ${size}: data set`);
  const datasets = await openDatasets(engine, size, checkouts);
  const measurement = new HttpMeasurement(datasets, options);
  try {
    for (const row of requestRows) {
      report(`${engine}, ${size}: ${row.title}`);
      yield await continueOnFailure(row.name, () => measurement.measure(row));
    }
  } finally {
    await measurement.stop();
  }
  for (const row of others) {
    report(`${engine}, ${size}: ${row.title}`);
    yield await continueOnFailure(row.name, () => measureOtherRow(row, datasets, Math.ceil(options.rounds / 4)));
  }
}

/** One row that fails does not end a run of an hour, but nothing is written to docs/ then. */
async function continueOnFailure(row: string, measure: () => Promise<Series[]>): Promise<Series[]> {
  try {
    return await measure();
  } catch (error) {
    console.error(`\nThe row ${row} failed.`, error);
    process.exitCode = 1;
    return [];
  }
}

async function openDatasets(engine: Engine, size: SizeName, { service, before }: Checkouts): Promise<Datasets> {
  const own = await openDataset(engine, size, service, 'service');
  if (own.isNew && size === '1k') await verifyDataset(own);
  return { service: own, ...(before && { before: await openDataset(engine, size, before, 'before') }) };
}

/** Checks that the statements fill the tables as the service itself would. @throws where they do not. */
async function verifyDataset(dataset: Dataset): Promise<void> {
  await runCommand(dataset.checkout, dataset.url, ['ledger', 'verify']);
  const copy = await copyDataset(dataset, 'verify');
  const service = await startService(copy);
  try {
    for (let id = 1; id <= sizes[dataset.size].coupons; id += 9) await verifyFigures(service.port, id);
  } finally {
    await service.stop();
    await copy.remove();
  }
}

async function verifyFigures(port: number, id: number): Promise<void> {
  const stored = await figuresOf(port, `/coupons/${id}/stats`);
  const rebuilt = await figuresOf(port, `/coupons/${id}/stats?refresh=true`);
  if (!isDeepStrictEqual(stored, rebuilt))
    throw new Error(`Coupon ${id} is filled with ${JSON.stringify(stored)}, but its orders amount to ${JSON.stringify(rebuilt)}.`);
}

async function figuresOf(port: number, path: string): Promise<object> {
  const { body } = await send(port, { path, userId: adminId });
  const { source: _, last_refreshed: __, ...figures } = body as Record<string, unknown>;
  return figures;
}
