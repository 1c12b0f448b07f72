import { isUtf8 } from 'node:buffer';

export interface TextLine {
  /** From 1. */
  line: number;
  text: string;
}

/** Why a line was rejected. */
export interface LineError {
  line: number;
  reason: string;
}

/** Lines, rows or records in groups, with the errors between them. */
export type Groups<Item> = AsyncIterable<(Item | LineError)[]>;

/** Limits memory: a file may have no line breaks at all. */
export const maxLineBytes = 2 ** 20;

const newline = 0x0a;
const byteOrderMark = '\uFEFF';

/** Awaiting every single line would take longer than reading it. Between groups, the event loop sends the next statement to the database. */
const linesPerGroup = 25;

/** The lines of a file of any size. Includes blank ones, which are part of a quoted CSV field. */
export async function* readTextLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<(TextLine | LineError)[]> {
  const buffer = new LineBuffer();
  let line = 1;
  for await (const chunk of chunks) {
    let lines: (TextLine | LineError)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      buffer.add(chunk.subarray(start, end));
      lines.push(buffer.finish(line));
      line += 1;
      start = end + 1;
      if (lines.length < linesPerGroup) continue;
      yield lines;
      lines = [];
    }
    buffer.add(chunk.subarray(start));
    yield lines;
  }
  if (!buffer.isEmpty) yield [buffer.finish(line)];
}

class LineBuffer {
  #parts: Uint8Array[] = [];
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(part: Uint8Array): void {
    this.#length += part.length;
    // The bytes of a line that is too long are counted, but not kept.
    if (this.#length > maxLineBytes) this.#parts = [];
    else this.#parts.push(part);
  }

  /** Returns the line and starts the next one. */
  finish(line: number): TextLine | LineError {
    const [parts, length] = [this.#parts, this.#length];
    [this.#parts, this.#length] = [[], 0];
    if (length > maxLineBytes) return { line, reason: `The line is longer than ${maxLineBytes} bytes.` };
    const bytes = Buffer.concat(parts);
    if (!isUtf8(bytes)) return { line, reason: 'The line is not UTF-8 text.' };
    const text = bytes.toString('utf8').replace(/\r$/, '');
    return { line, text: line === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text };
  }
}
