import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { runAfterAllTests } from '../support/cleanup.ts';
import { type CommandOutcome, type Machine, waitForExit } from './machine.ts';

export interface RunningService {
  /** Its first line of output. */
  line: string;
  url: string;
  child: ChildProcessWithoutNullStreams;
  ended: Promise<CommandOutcome>;
  /** Standard error so far. */
  log(): string;
}

/** Starts `affiliate serve` on a free port and waits until it is ready. */
export async function startService(machine: Machine, variables: Record<string, string> = {}, ...args: string[]): Promise<RunningService> {
  const child = machine.start(['serve', ...args], { PORT: '0', ENVIRONMENT: 'local', LOG_LEVEL: 'silent', ...variables });
  const ended = waitForExit(child);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  // Mocha would wait for the service of a failed test.
  runAfterAllTests(() => child.kill('SIGKILL'));
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

/** Resolves when the output is complete or the command has ended. */
export async function waitForOutput(
  child: ChildProcessWithoutNullStreams,
  isComplete: (output: string) => boolean,
): Promise<{ said: () => string; ended: Promise<CommandOutcome> }> {
  runAfterAllTests(() => child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = waitForExit(child);
  let isOver = false;
  void ended.then(() => (isOver = true));
  await waitUntil(120_000, async () => isOver || isComplete(said));
  return { said: () => said, ended };
}

/** Polls until the condition holds. */
export async function waitUntil(deadlineMs: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    // The last poll begins after the deadline, so that a slow machine does not fail the test.
    const isLast = performance.now() > deadline;
    if (await holds()) return;
    if (isLast) throw new Error(`The condition did not hold within ${deadlineMs} ms.`);
    // Polling without a pause would exceed the rate limit.
    await pause(25);
  }
}
