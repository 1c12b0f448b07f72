import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { copyDataset, type Dataset, type DatasetCopy } from './dataset/dataset.ts';
import { adminId, ownerOf, type SizeName, sizes, whale } from './dataset/sizes.ts';
import { interleave, type Sampler } from './interleave.ts';
import { LoadGenerator, type NextRequest } from './load.ts';
import { megabytesOf } from './machine.ts';
import type { Datasets } from './measure-http.ts';
import { importLineOf, newOrders, orderRowOf } from './new-orders.ts';
import { run, temporaryFolder } from './processes.ts';
import { repeat, send } from './requests.ts';
import type { Sample, Series } from './results.ts';
import { peersFolder, runCommand, startService, type TargetName } from './targets.ts';

/** A row that is no load of requests: each sample is a process of its own. */
export interface OtherRow {
  name: string;
  title: string;
  size: SizeName;
  samplers(datasets: Datasets): Sampler[] | Promise<Sampler[]>;
}

/** Samples are longer than slices, and fewer. */
export async function measureOtherRow(row: OtherRow, datasets: Datasets, rounds: number): Promise<Series[]> {
  const { engine, size } = datasets.service;
  return interleave({ row: row.name, engine, size }, await row.samplers(datasets), { least: rounds, most: rounds * 2 });
}

const samplerOfEach = ({ service, before }: Datasets, sample: (dataset: Dataset, round: number) => Promise<Sample>): Sampler[] => [
  ...(before ? [{ target: 'before' as const, sample: (round: number) => sample(before, round) }] : []),
  { target: 'service', sample: (round) => sample(service, round) },
];

async function onCopy<Result>(dataset: Dataset, changes: string[], work: (copy: DatasetCopy) => Promise<Result>): Promise<Result> {
  const copy = await copyDataset(dataset, 'other', changes);
  return work(copy).finally(() => copy.remove());
}

const clients = 32;
const ordersPerSample: Partial<Record<TargetName, number>> = { typeorm: 400 };

/** Each order in a transaction of its own, durable before the same client sends the next. */
async function ingestSamplers({ service, before }: Datasets): Promise<Sampler[]> {
  const copies: [TargetName, DatasetCopy][] = [['service', await copyDataset(service, 'ingest-service')]];
  if (before) copies.unshift(['before', await copyDataset(before, 'ingest-before')]);
  if (service.engine === 'sqlite') copies.unshift(['typeorm', await copyDataset(service, 'ingest-typeorm')]);
  return copies.map(([target, copy]) => ({
    target,
    sample: (round) => sampleIngest(target, copy, round),
    close: () => copy.remove(),
  }));
}

async function sampleIngest(target: TargetName, dataset: Dataset, round: number): Promise<Sample> {
  const count = ordersPerSample[target] ?? 4000;
  // Its start costs as much CPU time as the orders.
  const start = await ingest(target, dataset, 0, 0);
  const { orders, seconds, cpuMicros } = await ingest(target, dataset, count, round * count);
  return { cpuMicros: (cpuMicros - start.cpuMicros) / orders, perSecond: orders / seconds };
}

async function ingest(target: TargetName, { url, size, checkout }: Dataset, count: number, offset: number) {
  const orders = newOrders(count, offset, sizes[size].coupons);
  const file = path.join(temporaryFolder(), 'orders.json');
  writeFileSync(file, JSON.stringify({ clients, orders: target === 'typeorm' ? orders.map(orderRowOf) : orders }));
  const args =
    target === 'typeorm' ? [path.join(peersFolder, 'typeorm-ingest.mjs')] : ['--import', 'tsx', 'scripts/bench/targets/ingest.ts'];
  const { out, cpuMicros } = await run({ args, env: { DATABASE_URL: url, INGEST: file }, cwd: checkout.folder });
  return { ...(JSON.parse(out) as { orders: number; seconds: number }), cpuMicros };
}

const ordersPerImport = 50_000;

/** The operator's command, from its start to its end. It may use all cores, since nothing else runs. */
function importSamplers(datasets: Datasets): Sampler[] {
  const file = path.join(temporaryFolder(), 'orders.ndjson');
  const orders = newOrders(ordersPerImport, 0, sizes[datasets.service.size].coupons);
  writeFileSync(file, orders.map((order) => `${JSON.stringify(importLineOf(order))}\n`).join(''));
  return samplerOfEach(datasets, (dataset) =>
    onCopy(dataset, [], async ({ checkout, url }) => {
      const { out, seconds, cpuMicros } = await runCommand(checkout, url, ['import', file, '--json'], 'all');
      const { imported } = JSON.parse(out) as { imported: number };
      if (imported !== ordersPerImport) throw new Error(`${imported} orders were imported instead of ${ordersPerImport}.`);
      return { cpuMicros: cpuMicros / ordersPerImport, perSecond: ordersPerImport / seconds };
    }),
  );
}

// The stored figures are wrong until the rebuild, as they are where one is needed.
const moveAllOrders = [`update orders set coupon_id = ${whale}`];

const otherCoupon = whale + 1;

/** How long a client that reads another coupon waits at most, because the event loop or the database is busy. On a copy, since rebuilds are limited. */
const sampleRebuild = (dataset: Dataset): Promise<Sample> =>
  onCopy(dataset, moveAllOrders, async (copy) => {
    const server = await startService(copy);
    try {
      await longestWait(server.port, pause(1000));
      const calmWaitMs = await longestWait(server.port, pause(1000));
      const rebuild = rebuildCoupon(server.port);
      return { waitMs: await longestWait(server.port, rebuild), calmWaitMs, rebuildMs: await rebuild };
    } finally {
      await server.stop();
    }
  });

async function longestWait(port: number, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const next = repeat([{ path: `/coupons/${otherCoupon}`, userId: ownerOf(otherCoupon) }], 'cached');
  const load = new LoadGenerator(port, 1);
  const { latencies } = await load.send(Number.POSITIVE_INFINITY, () => (isDone ? null : next())).finally(() => load.close());
  await done;
  return latencies.reduce((longest, latency) => Math.max(longest, latency), 0);
}

async function rebuildCoupon(port: number): Promise<number> {
  await pause(300);
  const started = performance.now();
  const { body } = await send(port, { path: `/coupons/${whale}/stats?refresh=true`, userId: adminId });
  const { source } = body as { source: string };
  if (source !== 'live') throw new Error(`The coupon was not rebuilt: its source is ${source}.`);
  return performance.now() - started;
}

const settleMs = 1500;
const loadMs = 2000;

async function sampleStart(dataset: Dataset): Promise<Sample> {
  const server = await startService(dataset);
  await pause(settleMs);
  const idleMegabytes = megabytesOf(server.pid);
  await loadCoupons(server.port);
  const loadedMegabytes = megabytesOf(server.pid);
  await server.stop();
  const { startMs, startCpuMicros } = server;
  return startCpuMicros === null || idleMegabytes === null || loadedMegabytes === null
    ? { startMs }
    : { cpuMicros: startCpuMicros, startMs, idleMegabytes, loadedMegabytes };
}

async function loadCoupons(port: number): Promise<void> {
  const coupons = Array.from({ length: 100 }, (_, index) => ({ path: `/coupons/${index + 1}`, userId: ownerOf(index + 1) }));
  const next = repeat(coupons, 'cached');
  const until = performance.now() + loadMs;
  const load = new LoadGenerator(port, 32);
  const untilDone: NextRequest = () => (performance.now() < until ? next() : null);
  await load.send(Number.POSITIVE_INFINITY, untilDone).finally(() => load.close());
}

export const otherRows: readonly OtherRow[] = [
  { name: 'ingest', title: 'Orders one by one, 32 clients, durable', size: '100k', samplers: ingestSamplers },
  { name: 'import', title: 'affiliate import, 50,000 orders', size: '1k', samplers: importSamplers },
  {
    name: 'rebuild',
    title: 'Rebuild of a coupon with 100,000 orders',
    size: '100k',
    samplers: (datasets) => samplerOfEach(datasets, sampleRebuild),
  },
  { name: 'start', title: 'Start', size: '1k', samplers: (datasets) => samplerOfEach(datasets, sampleStart) },
];
