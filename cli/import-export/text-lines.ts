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

/**
 * Lines are handed on some at a time: to wait for each would take longer than to read it. Between them the database is answered, so that it
 * has something to do while the next lines are read.
 */
const linesInOneGo = 25;

/** The lines of a file, however large it is. Blank ones are told too: inside a quoted field they mean something. */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<(TextLine | BadLine)[]> {
  const unfinished = new UnfinishedLine();
  let line = 1;
  for await (const chunk of chunks) {
    let lines: (TextLine | BadLine)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      unfinished.add(chunk.subarray(start, end));
      lines.push(unfinished.finish(line));
      line += 1;
      start = end + 1;
      if (lines.length < linesInOneGo) continue;
      yield lines;
      lines = [];
    }
    unfinished.add(chunk.subarray(start));
    yield lines;
  }
  if (!unfinished.isEmpty) yield [unfinished.finish(line)];
}

class UnfinishedLine {
  #parts: Uint8Array[] = [];
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(part: Uint8Array): void {
    this.#length += part.length;
    // One that is too long is counted on, but no longer kept.
    if (this.#length > longestLine) this.#parts = [];
    else this.#parts.push(part);
  }

  /** The line, after which the next one begins. */
  finish(line: number): TextLine | BadLine {
    const [parts, length] = [this.#parts, this.#length];
    [this.#parts, this.#length] = [[], 0];
    if (length > longestLine) return { line, reason: `The line is longer than ${longestLine} bytes.` };
    const bytes = Buffer.concat(parts);
    if (!isUtf8(bytes)) return { line, reason: 'The line is not UTF-8 text.' };
    const text = bytes.toString('utf8').replace(/\r$/, '');
    return { line, text: line === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text };
  }
}
