/** `npm run dev`: serves from the sources, and after every save checks the contract, the types and the pages, and serves the result. */
import { FileWatcher, watchedPlaces } from './dev/file-watcher.ts';
import { DevLoop } from './dev/loop.ts';
import { print, printBad } from './dev/output.ts';
import { chooseStore, ensureStore, formatGreeting } from './dev/store.ts';

const saved = new Set<string>();
let savedSinceMs: number | undefined;
let isRunning = true;
let isEnding = false;

const store = chooseStore(process.env);
const loop = new DevLoop(store.env, process.argv.includes('--times'), (code) => {
  if (!isEnding) printBad(`The service ended by itself (${code ?? 'by a signal'}). It starts again with the next save.`);
});

const watcher = new FileWatcher(watchedPlaces, (files, sinceMs) => {
  for (const file of files) saved.add(file);
  savedSinceMs ??= sinceMs;
  if (!isRunning) void runUntilQuiet();
});

/** One run at a time; files that are saved meanwhile are part of the next one. */
async function runUntilQuiet(): Promise<void> {
  isRunning = true;
  while (saved.size > 0) {
    const files = [...saved];
    const sinceMs = savedSinceMs ?? performance.now();
    saved.clear();
    savedSinceMs = undefined;
    await loop.run(files, sinceMs).catch(report);
    if (saved.size === 0) await loop.reportBreaking().catch(report);
  }
  isRunning = false;
}

function report(error: unknown): void {
  if (!isEnding) printBad(error instanceof Error ? error.message : String(error));
}

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  watcher.close();
  saved.clear();
  await loop.stop();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));

try {
  await ensureStore(store);
  const url = await loop.start();
  if (url === null) await end(1);
  else print(formatGreeting(url, store));
  await loop.checkAll().catch(report);
  if (saved.size === 0) await loop.reportBreaking().catch(report);
  await runUntilQuiet();
} catch (error) {
  report(error);
  await end(1);
}
