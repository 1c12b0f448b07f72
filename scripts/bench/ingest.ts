import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './child.ts';
import { type Copy, copyOf, type Dataset } from './dataset/dataset.ts';
import { sizes } from './dataset/sizes.ts';
import type { Reading } from './figures.ts';
import { incomingOrders, lineOf, rowOf } from './new-orders.ts';
import { compiledCommand, peersFolder, serviceEnvironment, type TargetName, temporaryFolder } from './targets.ts';

const clients = 32;
const ordersPerRound = { service: 6000, typeorm: 600 };
const importedPerRound = 50_000;

interface Counted {
  orders: number;
  seconds: number;
}

/** Each order in a transaction of its own, on the disk before the next one of the same client. */
export async function ingest(dataset: Dataset, rounds: number): Promise<Reading[]> {
  const targets: ('service' | 'typeorm')[] = dataset.engine === 'sqlite' ? ['typeorm', 'service'] : ['service'];
  const folder = temporaryFolder();
  const copies = new Map<TargetName, Copy>();
  const perSecond = new Map<TargetName, number[]>(targets.map((name) => [name, []]));
  for (const name of targets) copies.set(name, await copyOf(dataset, `ingest-${name}`));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const name of targets) {
        const { orders, seconds } = await ingested(name, copies.get(name) ?? dataset, folder, round);
        perSecond.get(name)?.push(orders / seconds);
      }
    }
  } finally {
    for (const copy of copies.values()) await copy.remove();
  }
  const place = { row: 'ingest', engine: dataset.engine, size: dataset.size, unit: 'orders/s' };
  return [...perSecond].map(([target, values]) => ({ ...place, target, values }));
}

async function ingested(name: 'service' | 'typeorm', { url, size }: Dataset, folder: string, round: number): Promise<Counted> {
  const count = ordersPerRound[name];
  const incoming = incomingOrders(count, round * count, sizes[size].coupons);
  const file = path.join(folder, 'orders.json');
  writeFileSync(file, JSON.stringify({ clients, orders: name === 'typeorm' ? incoming.map(rowOf) : incoming }));
  const args = name === 'typeorm' ? [path.join(peersFolder, 'typeorm-ingest.mjs')] : ['--import', 'tsx', 'scripts/bench/targets/ingest.ts'];
  const { out } = await run({ args, env: { DATABASE_URL: url, INGEST: file } });
  return JSON.parse(out) as Counted;
}

/** The operator's command, from its start to its end. It has the machine to itself, as there is nobody who makes a load. */
export async function importing(dataset: Dataset, rounds: number): Promise<Reading[]> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'orders.ndjson');
  const perSecond: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const copy = await copyOf(dataset, 'import');
    const orders = incomingOrders(importedPerRound, 0, sizes[dataset.size].coupons);
    writeFileSync(file, orders.map((order) => `${JSON.stringify(lineOf(order))}\n`).join(''));
    const env = serviceEnvironment(copy.url, folder);
    const { out, seconds } = await run({ args: [compiledCommand, 'import', file, '--json'], env, cores: 'all' });
    const { imported } = JSON.parse(out) as { imported: number };
    if (imported !== importedPerRound) throw new Error(`${imported} orders were imported instead of ${importedPerRound}.`);
    perSecond.push(importedPerRound / seconds);
    await copy.remove();
  }
  return [{ row: 'import', engine: dataset.engine, size: dataset.size, target: 'service', unit: 'orders/s', values: perSecond }];
}
