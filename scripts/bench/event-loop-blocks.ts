import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { copyDataset, type Dataset } from './dataset/dataset.ts';
import { dialects } from './dataset/dialect.ts';
import { hostileStatements, largestShape } from './dataset/hostile.ts';
import { masterKey } from './dataset/sizes.ts';
import { temporaryFolder } from './processes.ts';
import { type BenchRequest, send } from './requests.ts';
import type { Sample, Sampler } from './results.ts';
import { median } from './statistics.ts';
import { startService, type TargetName } from './targets.ts';
import { worstRequests } from './worst-requests.ts';

const monitorFile = pathToFileURL(path.resolve('scripts/bench/targets/event-loop-monitor.mjs'));

/**
 * Sends the slowest legal requests of each operation one by one, to a data set with hostile shapes, and measures the longest block of the event
 * loop by any of them. The first round, which compiles code and validators, is not counted.
 */
export async function blockSampler(target: TargetName, dataset: Dataset): Promise<Sampler> {
  const copy = await copyDataset(dataset, `blocks-${target}`, hostileStatements(largestShape, dialects[dataset.engine], masterKey));
  const socket = path.join(temporaryFolder(), 'blocks');
  const server = await startService(copy, 1, ['--import', `${monitorFile}?${socket}`]);
  const readBlock = async (): Promise<number> => Number(await text(connect(socket)));
  const blocks = new Map<string, number[]>();
  const measure = async (operationId: string, request: BenchRequest): Promise<number> => {
    await readBlock();
    await send(server.port, request);
    const block = await readBlock();
    blocks.set(operationId, [...(blocks.get(operationId) ?? []), block]);
    return block;
  };
  const sampleRound = async (round: number): Promise<Sample> => {
    let blockMs = 0;
    for (const [operationId, requests] of Object.entries(worstRequests(largestShape)))
      for (const request of requests) blockMs = Math.max(blockMs, await measure(operationId, request(round)));
    return { blockMs };
  };
  await pause(1000);
  await sampleRound(1);
  blocks.clear();
  return {
    target,
    sample: (round) => sampleRound(round + 2),
    async close() {
      console.log(`\nLongest block of the event loop, in milliseconds (${target}):\n${listBlocks(blocks)}`);
      await server.stop();
      await copy.remove();
    },
  };
}

function listBlocks(blocks: ReadonlyMap<string, readonly number[]>): string {
  const lines = [...blocks].map(([operationId, own]) => `${operationId.padEnd(30)} ${inMs(median(own))} ${inMs(Math.max(...own))}`);
  return [`${'operation'.padEnd(30)}   median  longest`, ...lines].join('\n');
}

const inMs = (block: number): string => `${block.toFixed(1)}`.padStart(8);
