import { type BadLine, longestLine, type TextLine } from './text-lines.ts';

export interface CsvRecord {
  /** Where it begins: a quoted field may go over several. */
  line: number;
  cells: string[];
}

/** RFC 4180. A broken record costs itself and no other. */
export async function* csvRecords(groups: AsyncIterable<(TextLine | BadLine)[]>): AsyncGenerator<(CsvRecord | BadLine)[]> {
  const gathering = new Gathering();
  for await (const lines of groups) yield lines.flatMap((line) => gathering.add(line));
  yield gathering.end();
}

/** Puts lines together until their quotes are closed. */
class Gathering {
  #open: TextLine[] = [];
  #length = 0;
  #isQuoted = false;

  add(line: TextLine | BadLine): (CsvRecord | BadLine)[] {
    if ('reason' in line) return [...this.end(), line];
    if (this.#open.length === 0 && line.text === '') return [];
    this.#open.push(line);
    this.#length += line.text.length;
    if (quotesIn(line.text) % 2 === 1) this.#isQuoted = !this.#isQuoted;
    if (this.#isQuoted) return this.#length > longestLine ? this.#withoutFirst() : [];
    return [recordOf(this.#taken())];
  }

  end(): (CsvRecord | BadLine)[] {
    const rest: (CsvRecord | BadLine)[] = [];
    while (this.#open.length > 0) rest.push(...this.#withoutFirst());
    return rest;
  }

  /** The quote that was never closed is taken to be the mistake, so what came after it is read anew. */
  #withoutFirst(): (CsvRecord | BadLine)[] {
    const [first, ...others] = this.#taken();
    return [{ line: first?.line ?? 0, reason: 'A quote is opened and never closed.' }, ...others.flatMap((line) => this.add(line))];
  }

  #taken(): TextLine[] {
    const taken = this.#open;
    [this.#open, this.#length, this.#isQuoted] = [[], 0, false];
    return taken;
  }
}

function quotesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}

function recordOf(lines: readonly TextLine[]): CsvRecord | BadLine {
  const line = lines[0]?.line ?? 0;
  const text = lines.map((part) => part.text).join('\n');
  const cells = text.includes('"') ? cellsOf(text) : text.split(',');
  return cells
    ? { line, cells }
    : { line, reason: 'A quote stands in the middle of a field: put the field in quotes, and double those in it.' };
}

// A field in quotes, or one without any; then a comma or the end.
const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;

function cellsOf(text: string): string[] | null {
  const cells: string[] = [];
  for (field.lastIndex = 0; ; ) {
    const found = field.exec(text);
    if (!found) return null;
    const [, quoted, plain = '', separator] = found;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (separator === '') return cells;
  }
}
