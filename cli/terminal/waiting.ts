import type { OutputOptions } from './output.ts';
import { statusLine } from './status-line.ts';

const patienceMs = 1000;

/** On a terminal, what takes longer than a second says so, and for how long already. */
export async function whileBusy<Result>(what: string, options: OutputOptions, work: () => Promise<Result>): Promise<Result> {
  const line = statusLine(options);
  const began = performance.now();
  const timer = setInterval(() => line.show(`${what} … ${Math.round((performance.now() - began) / 1000)} s`), patienceMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    line.clear();
  }
}
