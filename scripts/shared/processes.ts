import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pinned } from './machine.ts';

export interface ServerProcess {
  pid: number;
  port: number;
  /** From the start of the process to the line that says that it listens. */
  startMs: number;
  stop(): Promise<void>;
}

export interface NodeCommand {
  /** Everything after `node`. */
  args: string[];
  env: Record<string, string>;
  cwd?: string;
  /** One by default. */
  cores?: 'one' | 'all';
  /** Standard input, for a command that runs to its end. */
  input?: string | undefined;
}

const running = new Set<ChildProcess>();
const temporaryFolders: string[] = [];
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of temporaryFolders) rmSync(folder, { recursive: true, force: true });
});

/** Removed when the process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'affiliate-bench-'));
  temporaryFolders.push(folder);
  return folder;
}

function start({ args, env, cwd, cores = 'one', input }: NodeCommand): ChildProcess {
  const [file = process.execPath, ...rest] = [...pinned(cores), process.execPath, ...args];
  // Nothing else of the developer's environment, which could change what is measured. Logs are written, but to /dev/null.
  const child = spawn(file, rest, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', process.env['BENCH_STDERR'] ? 'inherit' : 'ignore'],
  });
  child.stdin?.end(input);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts a server and resolves when it listens. */
export async function serve(command: NodeCommand): Promise<ServerProcess> {
  const started = performance.now();
  const child = start(command);
  const port = await listeningPort(child, command);
  const pid = child.pid ?? 0;
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) await Promise.all([once(child, 'exit'), child.kill('SIGTERM')]);
  };
  return { pid, port, startMs: performance.now() - started, stop };
}

async function listeningPort(child: ChildProcess, { args }: NodeCommand): Promise<number> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const failed = once(child, 'exit').then(([code]): never => {
    throw new Error(`${args.join(' ')} ended with ${String(code)} before it listened. Run it with BENCH_STDERR=1 to see why.`);
  });
  const announced = /listening on \S+:(\d+)\s/;
  while (!announced.test(output)) await Promise.race([once(child.stdout ?? child, 'data'), failed]);
  failed.catch(() => {});
  return Number(announced.exec(output)?.[1]);
}

export interface ProcessResult {
  out: string;
  seconds: number;
  /** User and system time of all threads, as the process itself reports it when it ends. */
  cpuMicros: number;
}

const marker = 'bench-cpu-micros ';
const reportCpu = `import { writeSync } from 'node:fs';
process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(1, '\\n${marker}' + (user + system)); });`;

/** Runs a command to its end. */
export async function run({ args, ...command }: NodeCommand): Promise<ProcessResult> {
  const started = performance.now();
  // A process that has ended is gone from /proc, so it has to report by itself.
  const child = start({ ...command, args: ['--import', `data:text/javascript,${encodeURIComponent(reportCpu)}`, ...args] });
  let out = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${out}. Run it with BENCH_STDERR=1 to see why.`);
  const [printed = '', cpu] = out.split(`\n${marker}`);
  return { out: printed, seconds: (performance.now() - started) / 1000, cpuMicros: Number(cpu) };
}
