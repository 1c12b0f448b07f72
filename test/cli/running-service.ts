import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { atTheEnd } from '../support/ending.ts';
import { type CommandOutcome, type Machine, waitForExit } from './machine.ts';

export interface RunningService {
  /** What it printed when it was ready. */
  line: string;
  url: string;
  child: ChildProcessWithoutNullStreams;
  ended: Promise<CommandOutcome>;
  /** What it has written to standard error so far. */
  log(): string;
}

/** `affiliate serve` on a port of its own, once it is ready. */
export async function startService(machine: Machine, variables: Record<string, string> = {}, ...args: string[]): Promise<RunningService> {
  const child = machine.start(['serve', ...args], { PORT: '0', ENVIRONMENT: 'local', LOG_LEVEL: 'silent', ...variables });
  const ended = waitForExit(child);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  // A test that fails half-way leaves its service running, and mocha would wait for it.
  atTheEnd(() => child.kill('SIGKILL'));
  const line = await firstLine(child, ended);
  return { line, url: /https?:\/\/[^"\s]+/.exec(line)?.[0] ?? '', child, ended, log: () => log };
}

async function firstLine(child: ChildProcessWithoutNullStreams, ended: Promise<CommandOutcome>): Promise<string> {
  const gone = ended.then(({ err }): never => {
    throw new Error(`It ended before it was ready: ${err}`);
  });
  let out = '';
  while (!out.includes('\n')) out += String(await Promise.race([once(child.stdout, 'data'), gone]));
  return out;
}

/** What a command says, once that is enough or the command has ended. */
export async function waitForOutput(
  child: ChildProcessWithoutNullStreams,
  isEnough: (said: string) => boolean,
): Promise<{ said: () => string; ended: Promise<CommandOutcome> }> {
  atTheEnd(() => child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = waitForExit(child);
  let isOver = false;
  void ended.then(() => (isOver = true));
  await waitUntil(120_000, async () => isOver || isEnough(said));
  return { said: () => said, ended };
}

/** Looks again and again until it holds, so that a test takes as long as the thing itself. */
export async function waitUntil(deadlineMs: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    // The last look begins after the deadline, so that a slow machine is no failure.
    const isLast = performance.now() > deadline;
    if (await holds()) return;
    if (isLast) throw new Error(`It did not come true within ${deadlineMs} ms.`);
    // Looking without a break would run into the rate limit.
    await pause(25);
  }
}
