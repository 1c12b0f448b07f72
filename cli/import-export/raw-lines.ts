import { type CsvRecord, csvRecords } from './csv.ts';
import { isKind, type Kind, kindOfName, kinds } from './kinds.ts';
import { fieldsOf } from './shapes.ts';
import { type BadLine, type TextLine, textLines } from './text-lines.ts';

/** A line whose values are not looked at yet. */
export interface RawLine {
  line: number;
  kind: Kind;
  raw: Record<string, unknown>;
}

export interface FileDescription {
  /** What it is called: its ending tells the format, and of CSV its beginning may tell the kind. */
  name: string;
  /** Of lines that do not say themselves. */
  kind: Kind | undefined;
}

/** The file as a whole makes no sense. */
export class UnreadableFile extends Error {}

/** Some at a time, as they are read. */
export async function* rawLines(chunks: AsyncIterable<Uint8Array>, description: FileDescription): AsyncGenerator<(RawLine | BadLine)[]> {
  const groups = textLines(chunks);
  const start: (TextLine | BadLine)[] = [];
  for (let next = await groups.next(); !next.done; next = await groups.next()) {
    start.push(...next.value);
    if (!next.value.every(isBlank)) break;
  }
  const all = followedBy(start, groups);
  const first = start.find((line) => !isBlank(line)) ?? start.at(-1);
  yield* isCsv(description.name, first) ? csvLines(csvRecords(all), description) : jsonLines(all, description);
}

const isBlank = (line: TextLine | BadLine): boolean => 'text' in line && line.text.trim() === '';

async function* followedBy<Item>(start: Item, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield start;
  yield* rest;
}

function isCsv(name: string, first: TextLine | BadLine | undefined): boolean {
  if (/\.(ndjson|jsonl|json)$/i.test(name)) return false;
  if (/\.csv$/i.test(name)) return true;
  // No header begins like an object.
  return first !== undefined && 'text' in first && !first.text.trimStart().startsWith('{');
}

async function* jsonLines(groups: AsyncIterable<(TextLine | BadLine)[]>, { kind }: FileDescription): AsyncGenerator<(RawLine | BadLine)[]> {
  for await (const lines of groups)
    yield lines.filter((line) => !isBlank(line)).map((line) => ('reason' in line ? line : jsonLine(line, kind)));
}

function jsonLine({ line, text }: TextLine, kindOfFile: Kind | undefined): RawLine | BadLine {
  const raw = parsed(text);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return { line, reason: 'The line is not a JSON object.' };
  const { kind = kindOfFile } = raw as { kind?: unknown };
  if (isKind(kind)) return { line, kind, raw: raw as Record<string, unknown> };
  return { line, reason: kind === undefined ? 'kind is missing.' : `kind must be one of ${kinds.join(', ')}.` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* csvLines(
  groups: AsyncIterable<(CsvRecord | BadLine)[]>,
  description: FileDescription,
): AsyncGenerator<(RawLine | BadLine)[]> {
  const kind = description.kind ?? kindOfName(description.name);
  if (!kind) throw new UnreadableFile(`Say with --kind what the lines of this file are: ${kinds.join(', ')}.`);
  let header: string[] | undefined;
  for await (const records of groups) {
    const [first] = records;
    const names = header ?? (first && headerOf(first, kind));
    if (!names) continue;
    const lines = header ? records : records.slice(1);
    header = names;
    yield lines.map((record) => ('reason' in record ? record : csvLine(record, names, kind)));
  }
}

function headerOf(record: CsvRecord | BadLine, kind: Kind): string[] {
  if ('reason' in record) throw new UnreadableFile(`The header cannot be read: ${record.reason}`);
  const names = record.cells.map((cell) => cell.trim());
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (twice !== undefined) throw new UnreadableFile(`The header names ${twice} twice.`);
  const missing = Object.entries(fieldsOf[kind]).filter(([name, { isRequired }]) => isRequired && !names.includes(name));
  if (missing.length > 0) {
    const list = missing.map(([name]) => name).join(', ');
    throw new UnreadableFile(`The header, names separated by commas, lacks what every ${kind} has: ${list}.`);
  }
  return names;
}

function csvLine({ line, cells }: CsvRecord, header: readonly string[], kind: Kind): RawLine | BadLine {
  if (cells.length !== header.length) return { line, reason: `The line has ${cells.length} fields, but the header has ${header.length}.` };
  const fields = fieldsOf[kind];
  return { line, kind, raw: Object.fromEntries(header.map((name, at) => [name, valueOf(cells[at] ?? '', fields[name]?.cell)])) };
}

/** What a cell stands for. One that is not what it should be stays text, which the field then refuses. */
function valueOf(cell: string, standsFor: 'text' | 'number' | 'json' | undefined): unknown {
  const trimmed = cell.trim();
  if (standsFor === 'number' && /^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  return standsFor === 'json' && trimmed !== '' ? (parsed(trimmed) ?? cell) : cell;
}
