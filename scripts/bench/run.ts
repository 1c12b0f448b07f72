import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { benchFolder, datasetOf } from './dataset/dataset.ts';
import { stopPostgres } from './dataset/postgres.ts';
import type { Engine, SizeName } from './dataset/sizes.ts';
import { type Figure, type Run, together } from './figures.ts';
import { Group } from './group.ts';
import { description, leaveServerCore } from './machine.ts';
import type { Options } from './options.ts';
import { installPeers } from './peers.ts';
import { Progress } from './progress.ts';
import { aimTable } from './report/aims.ts';
import { markdownOf } from './report/markdown.ts';
import { svgOf } from './report/svg.ts';
import { figureTable, readingTable } from './report/tables.ts';
import { httpRows } from './rows.ts';
import { specialRows } from './special-rows.ts';
import { verify } from './verify.ts';

const lastRun = path.join(benchFolder, 'last-run.json');

export async function runBench(options: Options): Promise<void> {
  if (options.rendersOnly) return writeDocs(JSON.parse(readFileSync(lastRun, 'utf8')) as Run);
  installPeers(console.log);
  if (options.builds) build();
  leaveServerCore();
  const measured = await measureAll(options).finally(stopPostgres);
  const result = options.adds ? together(JSON.parse(readFileSync(lastRun, 'utf8')) as Run, measured) : measured;
  mkdirSync(benchFolder, { recursive: true });
  writeFileSync(lastRun, JSON.stringify(result));
  console.log(`\n${[figureTable(result.figures), readingTable(result.readings), aimTable(result)].filter(Boolean).join('\n\n')}\n`);
  if (options.writesDocs && !process.exitCode) writeDocs(result);
}

/** What is measured is what `npm start` runs. */
function build(): void {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The service does not compile. With --no-build the last one that did is measured.');
}

function writeDocs(result: Run): void {
  writeFileSync('docs/BENCHMARKS.md', markdownOf(result));
  writeFileSync('docs/bench.svg', svgOf(result));
  console.log('docs/BENCHMARKS.md and docs/bench.svg are written.');
}

async function measureAll(options: Options): Promise<Run> {
  const { rounds, seconds } = options;
  const result: Run = {
    date: new Date().toISOString().slice(0, 10),
    machine: description(),
    rounds,
    secondsPerRound: seconds,
    figures: [],
    readings: [],
  };
  const progress = new Progress(stepsOf(options));
  for (const engine of options.engines) for (const size of options.sizes) await measureOn(engine, size, options, result, progress);
  return result;
}

const httpRowsOf = ({ rows }: Options) => httpRows.filter(({ name }) => rows.includes(name));

const specialRowsOf = (engine: Engine, size: SizeName, { rows, sizes }: Options) =>
  specialRows.filter(
    (row) =>
      rows.includes(row.name) &&
      row.engines.includes(engine) &&
      (row.sizes.includes(size) || !row.sizes.some((each) => sizes.includes(each))),
  );

const stepsOf = (options: Options): number =>
  options.engines
    .flatMap((engine) => options.sizes.map((size) => httpRowsOf(options).length + specialRowsOf(engine, size, options).length))
    .reduce((sum, each) => sum + each, 0);

async function measureOn(engine: Engine, size: SizeName, options: Options, result: Run, progress: Progress): Promise<void> {
  const special = specialRowsOf(engine, size, options);
  if (httpRowsOf(options).length + special.length === 0) return;
  progress.say(`${engine}, ${size}: data set`);
  const dataset = await datasetOf(engine, size);
  if (dataset.isNew && size === '1k') await verify(dataset);
  const group = new Group(dataset, options);
  try {
    for (const row of httpRowsOf(options)) {
      progress.step(`${engine}, ${size}: ${row.title}`);
      await goOn(row.name, async () => void result.figures.push(...inOrder(await group.measure(row, options.isQuick))));
    }
  } finally {
    await group.stop();
  }
  for (const row of special) {
    progress.step(`${engine}, ${size}: ${row.title}`);
    await goOn(row.name, async () => void result.readings.push(...(await row.measure(dataset, options.rounds))));
  }
}

/** After an hour, one row that fails must not take the others with it. Nothing is written to docs/ then. */
async function goOn(row: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(`\nThe row ${row} failed.`, error);
    process.exitCode = 1;
  }
}

/** The floor first, the service last. */
const inOrder = (figures: Figure[]): Figure[] => {
  const rank = ({ target }: Figure): number =>
    ['floor', 'limit', 'fastify', 'fastify-offset', 'express', 'service', 'service-2'].indexOf(target);
  return figures.toSorted((one, other) => rank(one) - rank(other));
};
