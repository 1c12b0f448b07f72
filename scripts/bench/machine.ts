import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem, type } from 'node:os';

const cores = availableParallelism();

/** Server and load generator each have a core of their own where that is possible. */
const canPin = cores > 1 && spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0;

const serverCore = '0';
const everyCore = `0-${cores - 1}`;
const loadCores = cores > 2 ? `1-${cores - 1}` : '1';

/** Prefix of a command that runs on the server's core, or on all. */
export const pinned = (cores: 'one' | 'all'): string[] => (canPin ? ['taskset', '-c', cores === 'one' ? serverCore : everyCore] : []);

function moveSelf(to: string): void {
  if (canPin) execFileSync('taskset', ['-a', '-c', '-p', to, String(process.pid)], { stdio: 'ignore' });
}

/** Keeps this process, the load generator, off the server's core. */
export const leaveServerCore = (): void => moveSelf(loadCores);

/** Processes started by `work` inherit all cores. */
export async function onAllCores<Result>(work: () => Promise<Result>): Promise<Result> {
  moveSelf(everyCore);
  return work().finally(leaveServerCore);
}

/** For the report. Names no machine. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const pinning = canPin ? 'server on one core, load from another' : 'not pinned to cores';
  return `${cpu?.model.trim() || process.arch}, ${cores} cores, ${memory} GB; ${type()}, Node.js ${process.version}; ${pinning}`;
}

const hasProc = existsSync('/proc/self/task');

/** The default where a process has ended meanwhile. */
function orIfEnded<Value>(read: () => Value, fallback: Value): Value {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/** The process and its descendants. */
function processTree(pid: number): number[] {
  const children = orIfEnded(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), '');
  return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(processTree)];
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * User and system time so far of all threads of the process and its descendants. Null where there is no /proc.
 * Read from schedstat, which counts nanoseconds; /proc/<pid>/stat counts ticks of 10 ms, 4 % of a slice. The kernel brings it up to date whenever
 * a thread goes to sleep, so it is exact once the server is idle, as it is before and after a slice.
 */
export function cpuMicrosOf(pid: number): number | null {
  return hasProc ? sum([...cpuByThread(pid).values()]) : null;
}

function cpuByThread(pid: number): Map<string, number> {
  const tasks = processTree(pid).map((each) => `/proc/${each}/task`);
  const threads = tasks.flatMap((folder) => orIfEnded(() => readdirSync(folder), []).map((thread) => `${folder}/${thread}`));
  return new Map(
    threads.map((thread) => [thread, Number(orIfEnded(() => readFileSync(`${thread}/schedstat`, 'utf8'), '0').split(' ', 1)[0]) / 1000]),
  );
}

/** Starts to measure a tree of processes of which some may end meanwhile, as those of PostgreSQL do with their connection. */
export function cpuTimer(pid: number): () => number {
  const before = cpuByThread(pid);
  return () => sum([...cpuByThread(pid)].map(([thread, micros]) => Math.max(0, micros - (before.get(thread) ?? 0))));
}

/** All cores together. Zero where there is no /proc, and on a machine that is not virtual. */
function stolenTicks(): { stolen: number; all: number } {
  if (!hasProc) return { stolen: 0, all: 0 };
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // user, nice, system, idle, iowait, irq, softirq, steal; guests are counted as user.
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { stolen: ticks[7] ?? 0, all: sum(ticks) };
}

/** Starts to watch. Returns the part of the time of all cores that the hypervisor has given to others since. */
export function stealTimer(): () => number {
  const before = stolenTicks();
  return () => {
    const now = stolenTicks();
    return (now.stolen - before.stolen) / Math.max(1, now.all - before.all);
  };
}

/** Resident memory in megabytes. Null where there is no /proc. */
export function megabytesOf(pid: number): number | null {
  if (!hasProc) return null;
  const sizes = processTree(pid).map((each) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${each}/status`, 'utf8'))?.[1] ?? 0));
  return sum(sizes) / 1024;
}
