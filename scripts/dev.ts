/** `npm run dev`: serves from the sources, and after every save looks at the contract, the types and the pages, and serves anew. */
import { greeting } from './dev/greeting.ts';
import { Loop } from './dev/loop.ts';
import { say, sayBad } from './dev/messages.ts';
import { watchedPlaces } from './dev/rooms.ts';
import { Service } from './dev/service.ts';
import { storeIn } from './dev/store.ts';
import { Watch } from './dev/watch.ts';

const store = storeIn(process.env);

let isEnding = false;
const service = new Service(store.environment, (code) => {
  if (!isEnding) sayBad(`The service ended by itself (${code ?? 'by a signal'}). It starts again with the next save.`);
});
const loop = new Loop(service, process.argv.includes('--times'));

const saved = new Set<string>();
let since: number | undefined;
let isRunning = true;
let runs = 0;

/** One run at a time. What is saved meanwhile is looked at in the next. */
async function runUntilQuiet(): Promise<void> {
  isRunning = true;
  while (saved.size > 0) {
    const files = [...saved];
    const sinceMs = since ?? performance.now();
    saved.clear();
    since = undefined;
    runs += 1;
    await loop.run(files, sinceMs).catch(report);
  }
  isRunning = false;
}

function report(error: unknown): void {
  if (!isEnding) sayBad(error instanceof Error ? error.message : String(error));
}

/** Nobody who has just started it waits in front of it; who saves at once is served first. */
const idleMs = 2000;

async function warmUpWhenIdle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  await loop.warmUp(() => !isEnding && runs === 0);
}

const watch = new Watch(watchedPlaces, (files, sinceMs) => {
  for (const file of files) saved.add(file);
  since ??= sinceMs;
  if (!isRunning) void runUntilQuiet();
});

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  watch.close();
  saved.clear();
  await loop.end();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));

async function main(): Promise<void> {
  if (!(await store.ensure())) return end(1);
  const url = await loop.begin();
  if (url === null) return end(1);
  say(greeting(url, store.name, store.credentials()));
  await loop.lookAtAll().catch(report);
  await runUntilQuiet();
  await warmUpWhenIdle();
}

await main().catch(async (error: unknown) => {
  report(error);
  await end(1);
});
