import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../../domain/errors.ts';
import type { RecordKind } from '../../domain/records/read-record.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { Transaction, UnitOfWork } from '../../domain/unit-of-work.ts';
import { applyRecords, type ImportContext, type PendingUser } from './apply-records.ts';
import { addError, addResult, emptyResult, type ImportResult } from './import-result.ts';
import type { AnyImportRecord } from './record-reader.ts';
import type { Groups, LineError } from './text-lines.ts';

export interface ImportOptions {
  storage: UnitOfWork<Repositories>;
  context: ImportContext;
  /** Called after each batch with the number of lines so far. */
  progress?(lines: number): void;
}

/** Imports records in batches, each in its own transaction. An invalid line does not affect others. */
export async function importRecords(groups: Groups<AnyImportRecord>, { storage, context, progress }: ImportOptions): Promise<ImportResult> {
  const sum = emptyResult();
  const importer = new BatchImporter(context);
  for await (const batch of prefetch(createBatches(groups))) {
    for (const error of batch.errors) addError(sum, error);
    if (batch.records.length > 0)
      addResult(sum, await bisect(batch.records, (part) => importer.apply(part, (work) => storage.write(work))));
    progress?.(lastLine(batch));
  }
  for (const error of importer.missingParents()) addError(sum, error);
  sum.errors.sort((one, other) => one.line - other.line);
  return sum;
}

/** The cause is the first invalid line. */
export class StrictImportError extends Error {
  declare readonly cause: LineError;
}

/**
 * Imports all records in one transaction, which no other write waits for on PostgreSQL. `open` reads the file from the start: a transaction
 * may be run again after a conflict.
 * @throws StrictImportError for the first invalid line; then nothing is imported.
 */
export const importStrictly = (open: () => Groups<AnyImportRecord>, { storage, context, progress }: ImportOptions): Promise<ImportResult> =>
  storage.write(async (transaction) => {
    const sum = emptyResult();
    const importer = new BatchImporter(context);
    for await (const batch of prefetch(createBatches(open()))) {
      const result = await importer.apply(batch.records, (work) => work(transaction));
      throwFirst([...batch.errors, ...result.errors]);
      addResult(sum, result);
      progress?.(lastLine(batch));
    }
    throwFirst(importer.missingParents());
    return sum;
  }, 'unlocked');

function throwFirst(errors: readonly LineError[]): void {
  const [first] = errors.toSorted((one, other) => one.line - other.line);
  if (first) throw new StrictImportError(first.reason, { cause: first });
}

/** Keeps users with a missing parent from batch to batch. */
class BatchImporter {
  readonly #context: ImportContext;
  #pending: PendingUser[] = [];

  constructor(context: ImportContext) {
    this.#context = context;
  }

  /** `write` may run its callback twice, so the pending users are updated only after it. */
  async apply(
    records: readonly AnyImportRecord[],
    write: <Result>(work: (transaction: Transaction<Repositories>) => Promise<Result>) => Promise<Result>,
  ): Promise<ImportResult> {
    const { result, pending } = await write((transaction) => applyRecords(transaction, records, this.#pending, this.#context));
    this.#pending = pending;
    return result;
  }

  missingParents(): LineError[] {
    return this.#pending.map(({ line, parent }) => ({
      line,
      reason: `There is no user ${parent}: the user was imported without a parent.`,
    }));
  }
}

/** A constraint error fails the whole transaction. Halving the batch finds the lines that cause it and imports the others. */
async function bisect(
  records: readonly AnyImportRecord[],
  apply: (records: readonly AnyImportRecord[]) => Promise<ImportResult>,
): Promise<ImportResult> {
  try {
    return await apply(records);
  } catch (error) {
    const [first] = records;
    const reason = rejectionReason(error);
    if (reason === null || !first) throw error;
    if (records.length === 1) return { ...emptyResult(), refused: 1, errors: [{ line: first.line, reason }] };
    const middle = Math.ceil(records.length / 2);
    const result = await bisect(records.slice(0, middle), apply);
    addResult(result, await bisect(records.slice(middle), apply));
    return result;
  }
}

/** Null when the line is not the cause (a full disk, a lost connection), so that the import must stop. */
function rejectionReason(error: unknown): string | null {
  if (error instanceof ApiError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // A constraint, or a value that does not fit. On PostgreSQL the classes 22 and 23.
  if (!/^(SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)|2[23]\w{3}$)/.test(code)) return null;
  return `The database refused it: ${(error as Error).message}`;
}

/** Records that are applied together, and the errors of the lines between them. */
interface ImportBatch {
  records: AnyImportRecord[];
  errors: LineError[];
}

/** Large enough to make the cost of a transaction negligible, small enough not to block other writers for long. */
const batchSize = 1000;

const lastLine = ({ records, errors }: ImportBatch): number => Math.max(records.at(-1)?.line ?? 0, errors.at(-1)?.line ?? 0);

/** In the order of the file. The bounds depend on the file alone, so importing it again applies the same batches. */
async function* createBatches(groups: Groups<AnyImportRecord>): AsyncGenerator<ImportBatch> {
  let batch: ImportBatch = { records: [], errors: [] };
  for await (const lines of groups) {
    // Lets the event loop send the next statement to the database while a batch is read.
    await setImmediate();
    for (const line of lines) {
      if (batch.records.length + batch.errors.length >= batchSize || isOfOtherKind(batch, line)) {
        yield batch;
        batch = { records: [], errors: [] };
      }
      if ('reason' in line) batch.errors.push(line);
      else batch.records.push(line);
    }
  }
  yield batch;
}

function isOfOtherKind({ records: [first] }: ImportBatch, line: AnyImportRecord | LineError): boolean {
  // A feed alternates between clicks and orders, which fit in one batch.
  const groupOf = (kind: RecordKind): RecordKind => (kind === 'click' ? 'order' : kind);
  return first !== undefined && 'kind' in line && groupOf(line.kind) !== groupOf(first.kind);
}

/** Reads the next item while the current one is processed. */
async function* prefetch<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next();
  for (let current = await next; !current.done; current = await next) {
    next = items.next();
    // A consumer that stops early never awaits it: without a handler its rejection would end the process.
    void next.catch(() => {});
    yield current.value;
  }
}
