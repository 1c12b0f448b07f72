import { counted } from '../terminal/amounts.ts';
import type { OutputOptions } from '../terminal/output.ts';
import { progressBar, statusLine } from '../terminal/status-line.ts';
import { knowsBlocks } from '../terminal/terminal.ts';

export interface Meter {
  /** How many so far. */
  show(count: number): void;
  /** Clears the line. The seconds since the beginning. */
  end(): number;
}

/** Tells on a terminal how far it is: `█████░░░░░  45 %  128,000 lines, 11,300/s`. How much of the whole is done is not always known. */
export function meterOf(what: string, options: OutputOptions, part: () => number | null = () => null): Meter {
  const began = performance.now();
  const line = statusLine(options);
  const seconds = (): number => Math.max((performance.now() - began) / 1000, 0.001);
  return {
    show(count) {
      const done = part();
      const bar = done === null ? '' : `${progressBar(done, !knowsBlocks())}  `;
      line.show(`${bar}${counted(count)} ${what}, ${counted(Math.round(count / seconds()))}/s`);
    },
    end() {
      line.clear();
      return seconds();
    },
  };
}
