import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pinned } from './machine.ts';

export interface Running {
  pid: number;
  port: number;
  /** From the start of the process to the line that says that it listens. */
  startedInMs: number;
  stop(): Promise<void>;
}

export interface Command {
  /** Everything after `node`. */
  args: string[];
  env: Record<string, string>;
  /** One where nothing else is said. */
  cores?: 'one' | 'all';
}

/** Should this process end otherwise, what it started ends with it. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function start({ args, env, cores = 'one' }: Command): ChildProcess {
  const [file = process.execPath, ...rest] = [...pinned(cores), process.execPath, ...args];
  // Nothing of what a developer's shell may hold, which would change what is measured. What it logs goes nowhere, but is written.
  const child = spawn(file, rest, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', process.env['BENCH_STDERR'] ? 'inherit' : 'ignore'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts a server and waits until it says where it listens. */
export async function serve(command: Command): Promise<Running> {
  const started = performance.now();
  const child = start(command);
  const said = await firstLine(child, command);
  const port = Number(/listening on \S+:(\d+)/.exec(said)?.[1]);
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) await Promise.all([once(child, 'exit'), child.kill('SIGTERM')]);
  };
  return { pid: child.pid ?? 0, port, startedInMs: performance.now() - started, stop };
}

async function firstLine(child: ChildProcess, { args }: Command): Promise<string> {
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const failed = once(child, 'exit').then(([code]): never => {
    throw new Error(`${args.join(' ')} ended with ${String(code)} before it listened. Run it with BENCH_STDERR=1 to see why.`);
  });
  while (!said.includes('\n')) await Promise.race([once(child.stdout ?? child, 'data'), failed]);
  failed.catch(() => {});
  return said;
}

/** Runs a command to its end and gives what it printed. */
export async function run(command: Command): Promise<{ out: string; seconds: number }> {
  const started = performance.now();
  const child = start(command);
  let out = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command.args.join(' ')} ended with ${String(code)}: ${out}. Run it with BENCH_STDERR=1 to see why.`);
  return { out, seconds: (performance.now() - started) / 1000 };
}
