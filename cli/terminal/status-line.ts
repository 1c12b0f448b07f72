import { uponInterrupt } from './interrupts.ts';
import type { OutputOptions } from './output.ts';
import { padded, widthOf } from './terminal.ts';

/** One line on a terminal that changes while something goes on. Nothing in a pipe, a file, or for scripts. */
export interface StatusLine {
  show(text: string): void;
  clear(): void;
}

const everyMilliseconds = 100;
const emptyLine = '\r\u001b[K';

export function statusLine({ json }: OutputOptions): StatusLine {
  if (!process.stderr.isTTY || json) return { show: () => {}, clear: () => {} };
  const erase = (): void => void process.stderr.write(emptyLine);
  let shownAt = Number.NEGATIVE_INFINITY;
  let release: (() => void) | undefined;
  return {
    show(text) {
      if (performance.now() - shownAt < everyMilliseconds) return;
      shownAt = performance.now();
      release ??= uponInterrupt(erase);
      process.stderr.write(emptyLine + withinLine(text, process.stderr.columns));
    },
    clear() {
      release?.();
      if (release) erase();
      release = undefined;
    },
  };
}

/** A line that goes over the edge cannot be taken back. */
const withinLine = (text: string, columns: number): string => (columns > 0 && widthOf(text) >= columns ? text.slice(0, columns - 1) : text);

const cells = 20;

/** `#########...........  45 %` */
export function progressBar(part: number, isAscii: boolean): string {
  const done = Math.min(1, Math.max(0, part));
  const [full, empty] = isAscii ? ['#', '.'] : ['█', '░'];
  const whole = Math.floor(done * cells);
  return `${full.repeat(whole)}${empty.repeat(cells - whole)}  ${padded(String(Math.floor(done * 100)), 3, 'right')} %`;
}
