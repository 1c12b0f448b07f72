import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem, type } from 'node:os';

const cores = availableParallelism();

/** Whether a process can be held to one core here: then what is measured and what measures do not take turns on it. */
export const canPin = cores > 1 && spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0;

const serverCore = '0';
const everyCore = `0-${cores - 1}`;
/** All but the server's. */
const ownCores = cores > 2 ? `1-${cores - 1}` : '1';

/** What comes before a command so that it runs on the server's core alone, or on all of them. */
export const pinned = (cores: 'one' | 'all'): string[] => (canPin ? ['taskset', '-c', cores === 'one' ? serverCore : everyCore] : []);

function moveSelf(to: string): void {
  if (canPin) execFileSync('taskset', ['-a', '-c', '-p', to, String(process.pid)], { stdio: 'ignore' });
}

/** Keeps this process, which makes the load, off the server's core. */
export const leaveServerCore = (): void => moveSelf(ownCores);

/** What is started meanwhile may use all cores for as long as it lives. */
export async function onAllCores<Result>(work: () => Promise<Result>): Promise<Result> {
  moveSelf(everyCore);
  return work().finally(leaveServerCore);
}

/** For the report. Nothing that names the machine. */
export function description(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const pinning = canPin ? 'server on one core, load from another' : 'not pinned to cores, so figures scatter more';
  return `${cpu?.model.trim() || process.arch}, ${cores} cores, ${memory} GB; ${type()}, Node.js ${process.version}; ${pinning}`;
}

/** The process and those that it has started. */
function familyOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [pid];
  const children = readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(familyOf)];
}

const ticksPerSecond = 100;

/** Processor time so far, in seconds. Null where the system does not tell. */
export function cpuSecondsOf(pid: number): number | null {
  if (!existsSync('/proc/self/stat')) return null;
  const seconds = familyOf(pid).map((member) => {
    const fields = readFileSync(`/proc/${member}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  });
  return seconds.reduce((sum, each) => sum + each, 0);
}

/** Resident memory in megabytes. Null where the system does not tell. */
export function megabytesOf(pid: number): number | null {
  if (!existsSync('/proc/self/status')) return null;
  const sizes = familyOf(pid).map((member) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${member}/status`, 'utf8'))?.[1] ?? 0));
  return sizes.reduce((sum, each) => sum + each, 0) / 1024;
}
