import type { StoreLocale } from '../../domain/records/formats.ts';
import { type IncomingRecord, readIncoming } from '../../domain/records/incoming.ts';
import {
  describeUnknown,
  type FieldSchema,
  fieldsOf,
  isRequired,
  type RawRecord,
  RecordError,
  type RecordKind,
} from '../../domain/records/read-record.ts';
import { CommandError } from '../terminal/output.ts';
import { type CsvRow, parseCsv } from './csv.ts';
import { type Groups, type LineError, readTextLines, type TextLine } from './text-lines.ts';

/** The kinds of records in a program file, in the order in which an import needs them. */
export const recordKinds = ['user', 'coupon', 'order', 'click', 'registration', 'payout_details'] as const satisfies RecordKind[];

const isRecordKind = (word: unknown): word is RecordKind => recordKinds.includes(word as RecordKind);

export interface ImportRecord<Kind extends RecordKind> {
  line: number;
  kind: Kind;
  data: IncomingRecord<Kind>;
}

export type AnyImportRecord = { [Kind in RecordKind]: ImportRecord<Kind> }[RecordKind];
type RecordGroups = AsyncGenerator<(AnyImportRecord | LineError)[]>;

export interface FileDescription {
  /** Its extension says the format; the name of a CSV file may say the kind. */
  name: string;
  /** Of all lines. Undefined where each line names its kind. */
  kind: RecordKind | undefined;
  locale: StoreLocale;
}

/** Reads an NDJSON or CSV file in groups of lines. @throws CommandError if the file as a whole is invalid. */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>, file: FileDescription): RecordGroups {
  const groups = readTextLines(chunks);
  const start: (TextLine | LineError)[] = [];
  for (let next = await groups.next(); !next.done; next = await groups.next()) {
    start.push(...next.value);
    if (!next.value.every(isBlank)) break;
  }
  const all = concat(start, groups);
  const first = start.find((line) => !isBlank(line)) ?? start.at(-1);
  yield* isCsv(file.name, first) ? readCsv(parseCsv(all), file) : readJsonLines(all, file);
}

const isBlank = (line: TextLine | LineError): boolean => 'text' in line && line.text.trim() === '';

async function* concat<Item>(start: Item, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield start;
  yield* rest;
}

function isCsv(name: string, first: TextLine | LineError | undefined): boolean {
  if (/\.(ndjson|jsonl|json)$/i.test(name)) return false;
  if (/\.csv$/i.test(name)) return true;
  // A CSV header does not start with a brace.
  return first !== undefined && 'text' in first && !first.text.trimStart().startsWith('{');
}

/** A record that does not name its kind has the kind of the file. */
function readRecord(line: number, record: RawRecord, file: FileDescription): AnyImportRecord | LineError {
  const { kind: named, ...raw } = record;
  const kind = named ?? file.kind;
  if (file.kind !== undefined && kind !== file.kind) return { line, reason: `kind must be ${file.kind}, as --kind says.` };
  if (!isRecordKind(kind))
    return { line, reason: kind === undefined ? 'kind is missing.' : `kind must be one of ${recordKinds.join(', ')}.` };
  try {
    return { line, kind, data: readIncoming(kind, raw, { locale: file.locale, origin: 'file' }) } as AnyImportRecord;
  } catch (error) {
    if (error instanceof RecordError) return { line, reason: error.message };
    throw error;
  }
}

async function* readJsonLines(groups: Groups<TextLine>, file: FileDescription): RecordGroups {
  for await (const lines of groups)
    yield lines.filter((line) => !isBlank(line)).map((line) => ('reason' in line ? line : readJsonLine(line, file)));
}

function readJsonLine({ line, text }: TextLine, file: FileDescription): AnyImportRecord | LineError {
  const raw = parseJson(text);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return { line, reason: 'The line is not a JSON object.' };
  return readRecord(line, raw as RawRecord, file);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* readCsv(groups: Groups<CsvRow>, file: FileDescription): RecordGroups {
  const kind = file.kind ?? kindOfFileName(file.name);
  if (!kind) throw new CommandError(`Use --kind to say what the lines of this file are: ${recordKinds.join(', ')}.`);
  let header: string[] | undefined;
  for await (const rows of groups) {
    const [first] = rows;
    const names = header ?? (first && readHeader(first, kind));
    if (!names) continue;
    const lines = header ? rows : rows.slice(1);
    header = names;
    yield lines.map((row) => ('reason' in row ? row : readCsvRow(row, names, { ...file, kind })));
  }
}

/** From names such as `orders.csv`, `order-2026-11.csv` and `payout-details.csv`. */
function kindOfFileName(file: string): RecordKind | undefined {
  const name = file
    .replace(/^.*[\\/]/, '')
    .toLowerCase()
    .replaceAll('-', '_');
  return recordKinds.find((kind) => new RegExp(`^${kind}s?(?![a-z])`).test(name));
}

function readHeader(row: CsvRow | LineError, kind: RecordKind): string[] {
  if ('reason' in row) throw new CommandError(`The header cannot be read: ${row.reason}`);
  const names = row.cells.map((cell) => cell.trim());
  const duplicate = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (duplicate !== undefined) throw new CommandError(`The header names ${duplicate} twice.`);
  const fields = fieldsOf(kind, 'file');
  const missing = Object.keys(fields).filter((name) => isRequired(kind, name) && !names.includes(name));
  if (missing.length > 0)
    throw new CommandError(`The header must name the required fields of ${kind}, separated by commas. Missing: ${missing.join(', ')}.`);
  const unknown = names.filter((name) => name !== '' && name !== 'kind' && !Object.hasOwn(fields, name));
  if (unknown.length > 0) throw new CommandError(unknown.map((name) => describeUnknown(kind, name, fields)).join(' '));
  return names;
}

function readCsvRow(
  { line, cells }: CsvRow,
  header: readonly string[],
  file: FileDescription & { kind: RecordKind },
): AnyImportRecord | LineError {
  if (cells.length !== header.length) return { line, reason: `The line has ${cells.length} fields, but the header has ${header.length}.` };
  const fields = fieldsOf(file.kind, 'file');
  const columns = header.map((name, at) => [name, convertCell(cells[at] ?? '', fields[name]?.type)] as const);
  // A column without a name belongs to no field. An empty cell is an absent value.
  return readRecord(line, Object.fromEntries(columns.filter(([name, value]) => name !== '' && value !== '')), file);
}

/** A cell that cannot be converted stays text, which the field rejects. */
function convertCell(cell: string, type: FieldSchema['type'] | undefined): unknown {
  const trimmed = cell.trim();
  if ((type === 'number' || type === 'integer') && /^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  return (type === 'object' || type === 'array') && trimmed !== '' ? (parseJson(trimmed) ?? cell) : cell;
}
