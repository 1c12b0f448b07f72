import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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
  return `${cpu?.model.trim() || process.arch}, ${cores} cores, ${memory} GB; ${type()}, Node.js ${process.version}`;
}

/** The fallback where a process has ended meanwhile, or there is no /proc. */
function orIfAbsent<Value>(read: () => Value, fallback: Value): Value {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/** The process and its descendants. */
function processTree(pid: number): number[] {
  const children = orIfAbsent(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), '');
  return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(processTree)];
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

const tickMicros = 10_000;

/** Of descendants that have ended, to a tick: `cutime` and `cstime` of /proc/<pid>/stat. */
function endedMicros(pid: number): number {
  const stat = orIfAbsent(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * tickMicros;
}

/** Of its threads. From schedstat, which counts nanoseconds; /proc/<pid>/stat counts ticks of 10 ms, 5 % of a slice. */
function threadMicros(pid: number): number {
  const threads = orIfAbsent(() => readdirSync(`/proc/${pid}/task`), []);
  const nanoseconds = threads.map((thread) => orIfAbsent(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), '0'));
  return sum(nanoseconds.map((line) => Number(line.split(' ')[0]))) / 1000;
}

/**
 * Returns a function that returns the user and system time since, in microseconds, of the process and its descendants, of which some may end
 * meanwhile, as those of PostgreSQL do. The kernel brings a counter up to date when its thread goes to sleep: it is exact once all are idle.
 */
export function cpuTimer(pid: number): () => number {
  const total = (): number => sum(processTree(pid).map((each) => threadMicros(each) + endedMicros(each)));
  const before = total();
  return () => Math.max(0, total() - before);
}

/** Resident memory. Zero where there is no /proc. */
export const megabytesOf = (pid: number): number =>
  sum(
    processTree(pid).map((each) => {
      const status = orIfAbsent(() => readFileSync(`/proc/${each}/status`, 'utf8'), '');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    }),
  );
