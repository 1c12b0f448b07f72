import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuTimer, megabytesOf } from '../shared/machine.ts';
import { temporaryFolder } from '../shared/processes.ts';
import { type Dataset, databasePid, orderLine, sizes, writeLines } from './dataset.ts';
import { LoadGenerator } from './load.ts';
import type { Sample } from './measure.ts';
import { type BenchRequest, send, signDelivery, wireRequest } from './requests.ts';
import { runAffiliate, startService } from './targets.ts';

/** Runs a command on so many orders. Its CPU time is that of the process and of PostgreSQL, divided by the orders. */
async function sampleCommand(dataset: Dataset, args: string[], orders: number): Promise<Sample> {
  const pid = databasePid(dataset);
  const databaseMicros = pid === null ? null : cpuTimer(pid);
  const { cpuMicros, seconds } = await runAffiliate(dataset, args);
  const database = databaseMicros && databaseMicros() / orders;
  return { value: cpuMicros / orders + (database ?? 0), perSecond: orders / seconds, ...(database !== null && { database }) };
}

/** Enough that the start of the command, a third of a second, is a tenth of it. */
const ordersPerImport = 30_000;

export function sampleImport(dataset: Dataset, round: number): Promise<Sample> {
  const first = 10_000_000 + round * ordersPerImport;
  const lines = Array.from({ length: ordersPerImport }, (_, n) =>
    orderLine(first + n, 1 + (n % sizes.small.coupons), Date.UTC(2026, 0, 1, 0, 0, n)),
  );
  return sampleCommand(dataset, ['import', writeLines(lines)], ordersPerImport);
}

export const sampleVerify = (dataset: Dataset): Promise<Sample> =>
  sampleCommand(dataset, ['ledger', 'verify'], sizes.small.orders + sizes.small.payable);

export async function sampleStart(dataset: Dataset): Promise<Sample> {
  const { startMs, stop } = await startService(dataset);
  await stop();
  return { value: startMs };
}

export async function sampleMemory(dataset: Dataset): Promise<Sample> {
  const { pid, stop } = await startService(dataset);
  await pause(1500);
  const value = megabytesOf(pid);
  await stop();
  return { value };
}

/** Of requests to the two workers of one command, which share all cores. Their CPU time would not show how long they wait for each other. */
export async function sampleTwoProcesses(dataset: Dataset, request: (n: number) => BenchRequest): Promise<Sample> {
  const { port, stop } = await startService(dataset, { env: { WORKERS: '2' }, cores: 'all' });
  const load = new LoadGenerator(port, 32);
  let sent = 0;
  const next = () => wireRequest(request(sent++), dataset.tokens);
  // Until code is compiled.
  await load.send(1500, next);
  const { requests, seconds } = await load.send(1500, next);
  load.close();
  await stop();
  return { value: (1_000_000 * seconds) / requests, perSecond: requests / seconds };
}

/** Loaded into the service: from SIGUSR2 to the exit it watches the event loop, and then writes the longest block in milliseconds to a file. */
const blockMonitor = (file: string): string => `
  import { writeFileSync } from 'node:fs';
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  process.once('SIGUSR2', () => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    process.once('exit', () => writeFileSync(${JSON.stringify(file)}, String(delay.max / 1e6 - 1)));
  });`;

/** Of what takes longest: the largest pages, a report of three years, a hundred orders at once, a delivery of a million levels. */
const largeRequests = (n: number, { shop }: Dataset): BenchRequest[] => {
  const order = (at: number) => ({ order_id: 3_000_000 + 100 * n + at, coupon_id: 1, date: '2026-01-01', status: 'completed', total: 10 });
  const orders = JSON.stringify(Array.from({ length: 100 }, (_, at) => order(at)));
  return [
    ...['/coupons/1/orders', '/coupons', '/affiliates', '/payouts', '/events'].map((list) => `${list}?per_page=100&n=${n}`),
    `/reports/summary?from=2023-01-0${1 + (n % 9)}&to=2025-12-31&top=50`,
    `/clicks/stats?from=2023-01-0${1 + (n % 9)}&to=2025-12-31&interval=day`,
    `/coupons/1/stats?from=2023-01-0${1 + (n % 9)}&to=2025-12-31&interval=day`,
  ]
    .map((path): BenchRequest => ({ path, as: 'admin' }))
    .concat({ path: '/store/orders', as: 'admin', method: 'POST', body: orders })
    .concat({ ...signDelivery(shop, '['.repeat(1_000_000)), expect: 413 });
};

export async function sampleBlock(dataset: Dataset, round: number): Promise<Sample> {
  const file = path.join(temporaryFolder(), 'block');
  const monitor = `data:text/javascript,${encodeURIComponent(blockMonitor(file))}`;
  const { pid, port, stop } = await startService(dataset, { args: ['--import', monitor] });
  // The first time, code and validators are compiled.
  for (const request of largeRequests(2 * round, dataset)) await send(port, request, dataset.tokens);
  process.kill(pid, 'SIGUSR2');
  for (const request of largeRequests(2 * round + 1, dataset)) await send(port, request, dataset.tokens);
  await stop();
  return { value: Number(readFileSync(file, 'utf8')) };
}
