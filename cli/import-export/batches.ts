import { setImmediate } from 'node:timers/promises';
import type { Kind } from './kinds.ts';
import type { ProgramLine } from './program-lines.ts';
import type { BadLine } from './text-lines.ts';

/** Lines that are taken in together, and those between them that could not be read. */
export interface Batch {
  lines: ProgramLine[];
  bad: BadLine[];
}

/** Enough that the cost of a transaction is hardly felt, few enough that others who write do not wait long. */
const linesAtOnce = 1000;

/** A feed has clicks and orders in turns; each kind is still taken in at once. Everything else is taken in line after line. */
const groupOf = (kind: Kind): string => (kind === 'click' ? 'order' : kind);

/** In the order of the file. Where a batch ends depends on the file alone, so that importing it again takes the same steps. */
export async function* batches(groups: AsyncIterable<(ProgramLine | BadLine)[]>): AsyncGenerator<Batch> {
  let batch: Batch = { lines: [], bad: [] };
  for await (const lines of groups) {
    // A whole batch in one go would be read while the database waits for its next statement.
    await setImmediate();
    for (const line of lines) {
      if (isFull(batch) || isOfAnother(batch, line)) {
        yield batch;
        batch = { lines: [], bad: [] };
      }
      if ('reason' in line) batch.bad.push(line);
      else batch.lines.push(line);
    }
  }
  yield batch;
}

const isFull = ({ lines, bad }: Batch): boolean => lines.length + bad.length >= linesAtOnce;

const isOfAnother = ({ lines: [first] }: Batch, line: ProgramLine | BadLine): boolean =>
  first !== undefined && 'kind' in line && groupOf(line.kind) !== groupOf(first.kind);

/** Fetches the next item while the one before is worked on: a file is read and understood while the database writes. */
export async function* ahead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next();
  // Whoever stops early never asks for it, and must not be told of its failure from nowhere.
  const unheard = (): void => void next.catch(() => {});
  for (let current = await next; !current.done; current = await next) {
    next = items.next();
    unheard();
    yield current.value;
  }
}
