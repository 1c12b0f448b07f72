import { setTimeout as pause } from 'node:timers/promises';
import type { Dataset } from './dataset/dataset.ts';
import { ownerOf } from './dataset/sizes.ts';
import type { Reading } from './figures.ts';
import { applyLoad } from './load.ts';
import { megabytesOf } from './machine.ts';
import { startTarget } from './targets.ts';
import { wireOf } from './wire.ts';

const settleMs = 1500;

/** Time to the line that says it listens; memory after a quiet moment, and after a load on top of it. */
export async function startUp(dataset: Dataset, rounds: number): Promise<Reading[]> {
  const readings: Record<'start' | 'memory-idle' | 'memory-loaded', number[]> = { start: [], 'memory-idle': [], 'memory-loaded': [] };
  // The first start after a build reads its files from the disk.
  for (let round = -1; round < rounds; round += 1) {
    const server = await startTarget('service', dataset);
    await pause(settleMs);
    const idle = megabytesOf(server.pid);
    await applyLoad({ port: server.port, connections: 32, seconds: 3, next: coupons() });
    const loaded = megabytesOf(server.pid);
    await server.stop();
    if (round < 0) continue;
    readings.start.push(server.startedInMs);
    if (idle !== null && loaded !== null) {
      readings['memory-idle'].push(idle);
      readings['memory-loaded'].push(loaded);
    }
  }
  const place = { engine: dataset.engine, size: dataset.size, target: 'service' };
  return Object.entries(readings)
    .filter(([, values]) => values.length > 0)
    .map(([row, values]) => ({ ...place, row, unit: row === 'start' ? 'ms' : 'MB', values }));
}

function coupons(): () => ReturnType<typeof wireOf> {
  const wires = Array.from({ length: 100 }, (_, index) => wireOf({ path: `/coupons/${index + 1}`, userId: ownerOf(index + 1) }));
  let index = 0;
  return () => {
    index += 1;
    return wires[index % wires.length] as (typeof wires)[number];
  };
}
