import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commissionOf } from '../../domain/commission/commission.ts';
import { consoleRow } from './console-row.ts';
import { copyDataset, type Dataset, type DatasetCopy, type Datasets } from './dataset/dataset.ts';
import { lastMoment, ownerOf, sizes, whale } from './dataset/sizes.ts';
import { blockSampler } from './event-loop-blocks.ts';
import { ledgerRows } from './ledger-rows.ts';
import { LoadGenerator } from './load.ts';
import { megabytesOf } from './machine.ts';
import { run, temporaryFolder } from './processes.ts';
import { byAdmin, repeat, send } from './requests.ts';
import type { OtherRow, Sample, Sampler } from './results.ts';
import { peersFolder, runCommand, startService, type TargetName } from './targets.ts';

const samplersOf = ({ service, before }: Datasets, sample: (dataset: Dataset) => Promise<Sample>): Sampler[] => [
  ...(before ? [{ target: 'before' as const, sample: () => sample(before) }] : []),
  { target: 'service', sample: () => sample(service) },
];

async function onCopy<Result>(dataset: Dataset, changes: string[], work: (copy: DatasetCopy) => Promise<Result>): Promise<Result> {
  const copy = await copyDataset(dataset, 'other', changes);
  return work(copy).finally(() => copy.remove());
}

export type NewOrder = ReturnType<typeof newOrders>[number];

/** Completed orders that no data set has, spread over its coupons. Earlier versions of `targets/ingest.ts` read them too. */
const newOrders = (count: number, offset: number, coupons: number) =>
  Array.from({ length: count }, (_, index) => {
    const number = offset + index;
    const total = 1000 + ((number * 7919) % 20_000);
    return {
      orderId: 100_000_000 + number,
      couponId: 1 + ((number * 31) % coupons),
      placedAt: lastMoment + number * 1000,
      status: 'completed' as const,
      total,
      discount: Math.floor(total / 10),
      shipping: 490,
      tax: 0,
      refunded: 0,
      quantity: 1,
    };
  });

/** As a row of the table, which the TypeORM peer inserts. */
const orderRowOf = (order: NewOrder): Record<string, unknown> => ({
  order_id: order.orderId,
  coupon_id: order.couponId,
  used_coupon_id: order.couponId,
  day: new Date(order.placedAt).toISOString().slice(0, 10),
  placed_at: order.placedAt,
  status: order.status,
  total_minor: order.total,
  discount_minor: order.discount,
  shipping_minor: order.shipping,
  tax_minor: order.tax,
  quantity: order.quantity,
  refunded_minor: order.refunded,
  percent_thousandths: 10_000,
  fixed_per_order_minor: 0,
  fixed_per_product_minor: 0,
  commission_minor: commissionOf(order, { percentThousandths: 10_000, fixedPerOrder: 0, fixedPerProduct: 0 }),
  commission_status: 'granted',
  granted_at: order.placedAt,
  due_at: order.placedAt,
  credited_via: 'coupon',
});

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
  const count = target === 'typeorm' ? 400 : 4000;
  // The start of the process costs as much CPU time as the orders.
  const start = await ingest(target, dataset, 0, 0);
  const { orders, seconds, cpuMicros } = await ingest(target, dataset, count, round * count);
  return { cpuMicros: (cpuMicros - start.cpuMicros) / orders, perSecond: orders / seconds };
}

async function ingest(target: TargetName, { url, size, checkout }: Dataset, count: number, offset: number) {
  const orders = newOrders(count, offset, sizes[size].coupons);
  const file = path.join(temporaryFolder(), 'orders.json');
  writeFileSync(file, JSON.stringify({ clients: 32, orders: target === 'typeorm' ? orders.map(orderRowOf) : orders }));
  const args =
    target === 'typeorm' ? [path.join(peersFolder, 'typeorm-ingest.mjs')] : ['--import', 'tsx', 'scripts/bench/targets/ingest.ts'];
  const { out, cpuMicros } = await run({ args, env: { DATABASE_URL: url, INGEST: file }, cwd: checkout.folder });
  return { ...(JSON.parse(out) as { orders: number; seconds: number }), cpuMicros };
}

const ordersPerImport = 50_000;

const importLineOf = ({ orderId, couponId, placedAt, status, ...order }: NewOrder): string => {
  const amounts = { total: order.total / 100, discount: order.discount / 100, shipping: order.shipping / 100 };
  const date = new Date(placedAt).toISOString();
  return `${JSON.stringify({ kind: 'order', order_id: orderId, coupon_id: couponId, date, status, ...amounts })}\n`;
};

/** The operator's command, from its start to its end. It may use all cores, since nothing else runs. */
function importSamplers(datasets: Datasets): Sampler[] {
  const file = path.join(temporaryFolder(), 'orders.ndjson');
  writeFileSync(file, newOrders(ordersPerImport, 0, sizes[datasets.service.size].coupons).map(importLineOf).join(''));
  return samplersOf(datasets, (dataset) =>
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

/** How long a client that reads another coupon waits at most. On a copy, since a coupon can be rebuilt once a minute. */
const sampleRebuild = (dataset: Dataset): Promise<Sample> =>
  onCopy(dataset, moveAllOrders, async (copy) => {
    const server = await startService(copy);
    try {
      await readCoupons(server.port, 1, pause(1000));
      const calmWaitMs = await readCoupons(server.port, 1, pause(1000));
      const rebuild = rebuildCoupon(server.port);
      return { waitMs: await readCoupons(server.port, 1, rebuild), calmWaitMs, rebuildMs: await rebuild };
    } finally {
      await server.stop();
    }
  });

/** Reads coupons until the work is done. Returns the longest wait in milliseconds. */
async function readCoupons(port: number, connections: number, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const coupons = Array.from({ length: 99 }, (_, index) => ({ path: `/coupons/${index + 2}`, userId: ownerOf(index + 2) }));
  const next = repeat(coupons, 'cached');
  const load = new LoadGenerator(port, connections);
  const { latencies } = await load.send(Number.POSITIVE_INFINITY, () => (isDone ? null : next())).finally(() => load.close());
  await done;
  return latencies.reduce((longest, latency) => Math.max(longest, latency), 0);
}

async function rebuildCoupon(port: number): Promise<number> {
  await pause(300);
  const started = performance.now();
  const { body } = await send(port, byAdmin(`/coupons/${whale}/stats?refresh=true`));
  const { source } = body as { source: string };
  if (source !== 'live') throw new Error(`The coupon was not rebuilt: its source is ${source}.`);
  return performance.now() - started;
}

async function blockSamplers({ service, before }: Datasets): Promise<Sampler[]> {
  return [...(before ? [await blockSampler('before', before)] : []), await blockSampler('service', service)];
}

async function sampleStart(dataset: Dataset): Promise<Sample> {
  const { pid, port, startMs, startCpuMicros, stop } = await startService(dataset);
  try {
    await pause(1500);
    const idleMegabytes = megabytesOf(pid);
    await readCoupons(port, 32, pause(2000));
    const loadedMegabytes = megabytesOf(pid);
    if (startCpuMicros === null || idleMegabytes === null || loadedMegabytes === null) return { startMs };
    return { cpuMicros: startCpuMicros, startMs, idleMegabytes, loadedMegabytes };
  } finally {
    await stop();
  }
}

export const otherRows: readonly OtherRow[] = [
  { name: 'ingest', title: 'Orders one by one, 32 clients, durable', sizes: ['100k'], samplers: ingestSamplers },
  { name: 'import', title: 'affiliate import, 50,000 orders', sizes: ['1k'], samplers: importSamplers },
  {
    name: 'rebuild',
    title: 'Rebuild of a coupon with 100,000 orders',
    sizes: ['100k'],
    samplers: (datasets) => samplersOf(datasets, sampleRebuild),
  },
  { name: 'block', title: 'Slowest legal request of each operation', sizes: ['2m'], samplers: blockSamplers },
  { name: 'start', title: 'Start', sizes: ['1k'], samplers: (datasets) => samplersOf(datasets, sampleStart) },
  consoleRow,
  ...ledgerRows,
];
