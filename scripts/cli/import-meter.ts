import type { OutputOptions } from './answer.ts';

export interface Meter {
  /** How many so far. */
  show(count: number): void;
  /** Clears the line. The seconds since the beginning. */
  end(): number;
}

const everyMilliseconds = 200;

/** One line on a terminal that tells how far it is: `128,000 lines, 11,300/s`. Nothing in a pipe, a file, or for scripts. */
export function meterOf(what: string, { json }: OutputOptions): Meter {
  const began = performance.now();
  const isShown = process.stderr.isTTY && !json;
  let shownAt = Number.NEGATIVE_INFINITY;
  const seconds = (): number => Math.max((performance.now() - began) / 1000, 0.001);
  return {
    show(count) {
      if (!isShown || performance.now() - shownAt < everyMilliseconds) return;
      shownAt = performance.now();
      const rate = Math.round(count / seconds());
      process.stderr.write(`\r\u001b[K${count.toLocaleString('en')} ${what}, ${rate.toLocaleString('en')}/s`);
    },
    end() {
      if (isShown) process.stderr.write('\r\u001b[K');
      return seconds();
    },
  };
}
