import { formatCount, formatProgress, formatQuantity } from './format.ts';
import { type OutputOptions, onInterrupt } from './output.ts';
import { displayWidth, supportsBlockCharacters } from './text.ts';

/** One line on a terminal that is replaced while work is in progress. Writes nothing to a pipe or a file, nor with `--json`. */
export interface StatusLine {
  show(text: string): void;
  clear(): void;
}

const intervalMs = 100;
const emptyLine = '\r\u001b[K';

export function createStatusLine({ json }: OutputOptions): StatusLine {
  if (!process.stderr.isTTY || json) return { show: () => {}, clear: () => {} };
  const erase = (): void => void process.stderr.write(emptyLine);
  let shownAt = Number.NEGATIVE_INFINITY;
  let release: (() => void) | undefined;
  return {
    show(text) {
      if (performance.now() - shownAt < intervalMs) return;
      shownAt = performance.now();
      release ??= onInterrupt(erase);
      process.stderr.write(emptyLine + truncate(text, process.stderr.columns));
    },
    clear() {
      release?.();
      if (release) erase();
      release = undefined;
    },
  };
}

/** A line that wraps cannot be erased. */
const truncate = (text: string, columns: number): string =>
  columns > 0 && displayWidth(text) >= columns ? text.slice(0, columns - 1) : text;

const showElapsedEveryMs = 1000;

/** Runs `work` and shows the elapsed seconds on a terminal once it takes longer than one. */
export async function showElapsed<Result>(what: string, options: OutputOptions, work: () => Promise<Result>): Promise<Result> {
  const line = createStatusLine(options);
  const start = performance.now();
  const timer = setInterval(() => line.show(`${what} … ${Math.round((performance.now() - start) / 1000)} s`), showElapsedEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    line.clear();
  }
}

export interface ProgressMeter {
  /** With the number of lines so far. */
  show(lines: number): void;
  /** Clears the line and returns the elapsed seconds. */
  end(): number;
}

/** Shows `█████░░░░░  45 %  128,000 lines, 11,300/s` on a terminal. `part` returns the part that is done, from 0 to 1; null if unknown. */
export function createLineMeter(options: OutputOptions, part: () => number | null = () => null): ProgressMeter {
  const start = performance.now();
  const line = createStatusLine(options);
  const seconds = (): number => Math.max((performance.now() - start) / 1000, 0.001);
  return {
    show(lines) {
      const done = part();
      const bar = done === null ? '' : `${formatProgress(done, !supportsBlockCharacters())}  `;
      line.show(`${bar}${formatQuantity(lines, 'line')}, ${formatCount(Math.round(lines / seconds()))}/s`);
    },
    end() {
      line.clear();
      return seconds();
    },
  };
}
