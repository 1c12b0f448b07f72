import { setTimeout as pause } from 'node:timers/promises';
import { ask } from './ask.ts';
import { copyOf, type Dataset } from './dataset/dataset.ts';
import { adminId, ownerOf, whale } from './dataset/sizes.ts';
import type { Reading } from './figures.ts';
import { applyLoad } from './load.ts';
import { startTarget } from './targets.ts';
import { wireOf } from './wire.ts';

// What is kept of it is wrong until it is rebuilt, which is what a rebuild is for.
const allOrdersOnOneCoupon = [`update orders set coupon_id = ${whale}`];

const other = ownerOf(whale) + 1;

/** From outside: somebody reads another coupon all the time, and waits the longer the longer the event loop is busy. */
export async function rebuild(dataset: Dataset, rounds: number): Promise<Reading[]> {
  const waits: number[] = [];
  const usual: number[] = [];
  const durations: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // A copy each time: a coupon is rebuilt once in a minute at most.
    const copy = await copyOf(dataset, 'rebuild', allOrdersOnOneCoupon);
    const server = await startTarget('service', copy);
    try {
      // A server that has just started waits for its own compiler.
      await reading(server.port, 1.5);
      const calm = await reading(server.port, 1.5);
      usual.push(calm.at(-1) ?? 0);
      const work = rebuilt(server.port);
      const busy = await reading(server.port, 1.5, work);
      durations.push(await work);
      waits.push(busy.at(-1) ?? 0);
    } finally {
      await server.stop();
      await copy.remove();
    }
  }
  const place = { engine: dataset.engine, size: dataset.size, target: 'service', unit: 'ms' };
  return [
    { ...place, row: 'rebuild', values: waits },
    { ...place, row: 'rebuild-usual', values: usual },
    { ...place, row: 'rebuild-duration', values: durations },
  ];
}

/** Waits in ascending order: for so many seconds, or until the work is done. */
async function reading(port: number, seconds: number, work: Promise<unknown> = pause(seconds * 1000)): Promise<Float64Array> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const wire = wireOf({ path: `/coupons/${other - 1}`, userId: other });
  const { latencies } = await applyLoad({ port, connections: 1, seconds: 120, next: () => (isDone ? null : wire) });
  await done;
  return latencies;
}

async function rebuilt(port: number): Promise<number> {
  await pause(300);
  const started = performance.now();
  const { body } = await ask(port, { path: `/coupons/${whale}/stats?refresh=true`, userId: adminId });
  const { source } = body as { source: string };
  if (source !== 'live') throw new Error(`The coupon was not rebuilt: its source is ${source}.`);
  return performance.now() - started;
}
