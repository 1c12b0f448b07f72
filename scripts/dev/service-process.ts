/**
 * The process that serves, in three steps, so that little is left to do after a save: the libraries are loaded beforehand, our own files when
 * they are compiled, and it serves when they are found to be right. It has no import of ours at the top for that reason.
 */
import { readFileSync } from 'node:fs';

export type ServiceRequest = { step: 'load' } | { step: 'serve'; variables: Record<string, string> };
export type ServiceAnswer = { step: 'loaded' } | { step: 'failed'; sentence: string };

async function loadLibraries(): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { dependencies: object };
  // One that cannot be loaded fails again where it is needed, with a better message.
  for (const name of Object.keys(dependencies)) await import(name).catch(() => undefined);
}

async function loadService() {
  const { run } = await import('../../cli/program.ts');
  // The command loads these when it runs.
  await Promise.all([import('../../db/database.ts'), import('../../server/workers.ts'), import('../../db/engine/sqlite/storage.ts')]);
  return run;
}

let isServing = false;
let loading: ReturnType<typeof loadService> | undefined;

async function hear(request: ServiceRequest): Promise<void> {
  try {
    loading ??= loadService();
    const run = await loading;
    if (request.step === 'load') return tell({ step: 'loaded' });
    Object.assign(process.env, request.variables);
    isServing = true;
    process.exitCode = await run(['serve', '--json']);
    // The channel would keep the process.
    if (process.connected) process.disconnect();
  } catch (error) {
    tell({ step: 'failed', sentence: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

const tell = (answer: ServiceAnswer): void => void process.send?.(answer);

process.on('message', (request: ServiceRequest) => void hear(request));
// Whoever started it is gone.
process.on('disconnect', () => (isServing ? process.kill(process.pid, 'SIGTERM') : process.exit()));
await loadLibraries();
