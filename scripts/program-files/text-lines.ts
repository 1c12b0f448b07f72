import { isUtf8 } from 'node:buffer';

export interface TextLine {
  /** Counted from 1, as editors do. */
  line: number;
  text: string;
}

/** A line that nothing can be made of. */
export interface BadLine {
  line: number;
  reason: string;
}

/** Nothing that is worth importing is longer, and a file without line ends must not fill the memory. */
export const longestLine = 2 ** 20;

const newline = 0x0a;
const byteOrderMark = '\uFEFF';

/** The lines of a file, one at a time, however large it is. Blank ones are told too: inside a quoted field they mean something. */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine | BadLine> {
  let unfinished = new UnfinishedLine();
  let line = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      unfinished.add(chunk.subarray(start, end));
      yield unfinished.finished(line);
      unfinished = new UnfinishedLine();
      line += 1;
      start = end + 1;
    }
    unfinished.add(chunk.subarray(start));
  }
  if (unfinished.length > 0) yield unfinished.finished(line);
}

class UnfinishedLine {
  #parts: Uint8Array[] = [];
  length = 0;

  add(part: Uint8Array): void {
    this.length += part.length;
    // One that is too long is counted on, but no longer kept.
    this.#parts = this.length > longestLine ? [] : [...this.#parts, part];
  }

  finished(line: number): TextLine | BadLine {
    if (this.length > longestLine) return { line, reason: `The line is longer than ${longestLine} bytes.` };
    const bytes = Buffer.concat(this.#parts);
    if (!isUtf8(bytes)) return { line, reason: 'The line is not UTF-8 text.' };
    const text = bytes.toString('utf8').replace(/\r$/, '');
    return { line, text: line === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text };
  }
}
