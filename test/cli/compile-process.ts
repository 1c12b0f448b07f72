import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { buildPrograms } from '../../scripts/build/programs.ts';

// Compiles the programs that tests start. Its first argument is the task as JSON.

export interface CompileTask {
  files: string[];
  options: Parameters<typeof buildPrograms>[1];
  /** Runs `affiliate`. */
  launcher: string;
}

const { files, options, launcher }: CompileTask = JSON.parse(process.argv[2] ?? '');
await Promise.all([
  buildPrograms(files, options),
  buildPrograms([path.join(options.root, 'cli/process.ts')], { ...options, format: 'cjs' }),
]);
// The first start of a service compiles what the others need.
const DATA_DIR = path.join(options.outdir, 'data');
const env = { PATH: process.env['PATH'], DATA_DIR, PORT: '0', LOG_LEVEL: 'error', TEST_WRITE_CODE_CACHE: '1' };
const child = spawn(process.execPath, [launcher, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
const ended = once(child, 'exit');
child.stdout.once('data', () => child.kill('SIGTERM'));
const [code] = (await ended) as [number | null];
if (code !== 0) throw new Error(`affiliate serve ended with ${code} when its code was to be cached.`);
