import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Proof } from './long-checks.ts';

export interface Proved {
  name: string;
  holds: boolean;
  seconds: number;
  /** What it said last. */
  verdict: string;
}

const folder = 'data/prove';
const tellEveryMilliseconds = 60_000;

export const logOf = ({ name }: Pick<Proof, 'name'>): string => path.join(folder, `${name}.log`);

/** All that it says goes to a file; here it is enough to see that it is still going on. */
export async function runProof(proof: Proof, say: (sentence: string) => void): Promise<Proved> {
  mkdirSync(folder, { recursive: true });
  const started = performance.now();
  const minutes = (): string => ((performance.now() - started) / 60_000).toFixed(0);
  const still = setInterval(() => say(`  … ${minutes()} min, see ${logOf(proof)}`), tellEveryMilliseconds);
  const { code, lines } = await output(proof);
  clearInterval(still);
  return { name: proof.name, holds: code === 0, seconds: (performance.now() - started) / 1000, verdict: lines.at(-1) ?? '' };
}

function output(proof: Proof): Promise<{ code: number | null; lines: string[] }> {
  const log = createWriteStream(logOf(proof));
  const child = spawn(process.execPath, proof.args, { env: { ...proof.env, ...process.env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      log.write(chunk);
      text = (text + chunk.toString()).slice(-2000);
    });
  const lines = (): string[] => text.split('\n').filter((line) => line.trim() !== '');
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, lines: [error.message] }));
    child.on('close', (code) => log.end(() => resolve({ code, lines: lines() })));
  });
}
