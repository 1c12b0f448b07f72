import { type Groups, type LineError, maxLineBytes, type TextLine } from './text-lines.ts';

export interface CsvRow {
  /** The first of its lines: a quoted field may contain line breaks. */
  line: number;
  cells: string[];
}

/** Parses RFC 4180. An invalid row does not affect others. */
export async function* parseCsv(groups: Groups<TextLine>): AsyncGenerator<(CsvRow | LineError)[]> {
  const rows = new RowBuffer();
  for await (const lines of groups) yield lines.flatMap((line) => rows.add(line));
  yield rows.end();
}

/** Joins lines until their quotes are closed. */
class RowBuffer {
  #open: TextLine[] = [];
  #length = 0;
  #isQuoted = false;

  add(line: TextLine | LineError): (CsvRow | LineError)[] {
    if ('reason' in line) return [...this.end(), line];
    if (this.#open.length === 0 && line.text === '') return [];
    this.#open.push(line);
    this.#length += line.text.length;
    if (countQuotes(line.text) % 2 === 1) this.#isQuoted = !this.#isQuoted;
    if (this.#isQuoted) return this.#length > maxLineBytes ? this.#rejectFirst() : [];
    return [parseRow(this.#takeAll())];
  }

  end(): (CsvRow | LineError)[] {
    const rest: (CsvRow | LineError)[] = [];
    while (this.#open.length > 0) rest.push(...this.#rejectFirst());
    return rest;
  }

  /** Reports the first line for its unclosed quote and parses the lines after it again. */
  #rejectFirst(): (CsvRow | LineError)[] {
    const [first, ...others] = this.#takeAll();
    return [{ line: first?.line ?? 0, reason: 'A quote is not closed.' }, ...others.flatMap((line) => this.add(line))];
  }

  #takeAll(): TextLine[] {
    const lines = this.#open;
    [this.#open, this.#length, this.#isQuoted] = [[], 0, false];
    return lines;
  }
}

function countQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}

function parseRow(lines: readonly TextLine[]): CsvRow | LineError {
  const line = lines[0]?.line ?? 0;
  const text = lines.map((part) => part.text).join('\n');
  const cells = text.includes('"') ? parseCells(text) : text.split(',');
  return cells
    ? { line, cells }
    : { line, reason: 'There is a quote in the middle of a field: put the whole field in quotes, and double the quotes in it.' };
}

// A quoted or an unquoted field, then a comma or the end.
const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;

function parseCells(text: string): string[] | null {
  const cells: string[] = [];
  for (field.lastIndex = 0; ; ) {
    const found = field.exec(text);
    if (!found) return null;
    const [, quoted, plain = '', separator] = found;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (separator === '') return cells;
  }
}
