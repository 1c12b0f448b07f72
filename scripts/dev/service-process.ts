/**
 * The process that serves. It starts in three steps, so that little remains to be done after a save: it loads the libraries ahead of time,
 * the compiled files once they are written, and serves once they are checked. It imports no file of the service statically for that reason.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type ServiceRequest = { step: 'load' } | { step: 'serve'; env: Record<string, string> };
export type ServiceResponse = { step: 'loaded' } | { step: 'failed'; error: string };

async function loadLibraries(): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { dependencies: object };
  // One that cannot be loaded fails again where it is imported, with a better message.
  for (const name of Object.keys(dependencies)) await import(name).catch(() => undefined);
}

async function loadService() {
  const { run } = await import('../../cli/program.ts');
  // The command loads these when it runs.
  await Promise.all([import('../../db/database.ts'), import('../../server/workers.ts'), import('../../db/engine/sqlite/storage.ts')]);
  // A contract that cannot be loaded is refused here, while the former process still serves.
  const { loadContract } = await import('../../server/contract/contract.ts');
  const { handlers } = await import('../../handlers/index.ts');
  const { backend } = loadContract(fileURLToPath(new URL('../../generated/openapi.json', import.meta.url)));
  // As createApi does: a handler of an operation that is gone is refused here too.
  for (const operationId of Object.keys(handlers)) backend.register(operationId, () => undefined);
  return run;
}

let isServing = false;
let loading: ReturnType<typeof loadService> | undefined;

async function handle(request: ServiceRequest): Promise<void> {
  const respond = (response: ServiceResponse): void => void process.send?.(response);
  try {
    loading ??= loadService();
    const run = await loading;
    if (request.step === 'load') return respond({ step: 'loaded' });
    Object.assign(process.env, request.env);
    isServing = true;
    process.exitCode = await run(['serve', '--json']);
    // An open channel keeps the process alive.
    if (process.connected) process.disconnect();
  } catch (error) {
    respond({ step: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

process.on('message', (request: ServiceRequest) => void handle(request));
// The parent has ended.
process.on('disconnect', () => (isServing ? process.kill(process.pid, 'SIGTERM') : process.exit()));
await loadLibraries();
