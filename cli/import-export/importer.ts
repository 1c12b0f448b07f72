import { ApiError } from '../../domain/errors.ts';
import type { Transaction, UnitOfWork } from '../../domain/ports.ts';
import { type Circumstances, takeIn } from './apply-record.ts';
import { reasonOfWaiting, takeInUsers, type WaitingUser } from './apply-users.ts';
import { ahead, type Batch, batches } from './batches.ts';
import type { LineOf, ProgramLine } from './program-lines.ts';
import { addTo, emptyTally, refuse, type Tally } from './tally.ts';
import type { BadLine } from './text-lines.ts';

export interface ImportParts {
  storage: UnitOfWork;
  circumstances: Circumstances;
  /** Told now and then, with the number of lines so far. */
  progress?(lines: number): void;
}

/** Some at a time. */
type Lines = AsyncIterable<(ProgramLine | BadLine)[]>;

/** Takes lines in, batch after batch, each in a transaction of its own. A bad line costs itself and no other. */
export async function importLines(lines: Lines, { storage, circumstances, progress }: ImportParts): Promise<Tally> {
  const sum = emptyTally();
  const taker = new Taker(circumstances);
  for await (const batch of ahead(batches(lines))) {
    for (const bad of batch.bad) refuse(sum, bad);
    if (batch.lines.length > 0) addTo(sum, await bisecting(batch.lines, (part) => taker.take(part, storage)));
    progress?.(lineReached(batch));
  }
  for (const bad of taker.leftOver()) refuse(sum, bad);
  sum.errors.sort((one, other) => one.line - other.line);
  return sum;
}

const lineReached = ({ lines, bad }: Batch): number => Math.max(lines.at(-1)?.line ?? 0, bad.at(-1)?.line ?? 0);

/** The first bad line of an import that takes all or nothing. */
export class StrictStop extends Error {
  readonly bad: BadLine;

  constructor(bad: BadLine) {
    super(bad.reason);
    this.bad = bad;
  }
}

/**
 * All lines in one transaction. `open` begins anew each time, because a transaction that met another may have to run again.
 * @throws StrictStop for the first bad line, when nothing is left of the others.
 */
export const importAllOrNothing = (open: () => Lines, { storage, circumstances, progress }: ImportParts): Promise<Tally> =>
  storage.write(async (transaction) => {
    const sum = emptyTally();
    const taker = new Taker(circumstances);
    for await (const batch of ahead(batches(open()))) {
      const tally = await taker.within(transaction, batch.lines);
      stopAtFirst([...batch.bad, ...tally.errors]);
      addTo(sum, tally);
      progress?.(lineReached(batch));
    }
    stopAtFirst(taker.leftOver());
    return sum;
  });

function stopAtFirst(bad: readonly BadLine[]): void {
  const [first] = bad.toSorted((one, other) => one.line - other.line);
  if (first) throw new StrictStop(first);
}

/** Remembers from batch to batch who waits for a parent. */
class Taker {
  readonly #circumstances: Circumstances;
  #waiting: WaitingUser[] = [];

  constructor(circumstances: Circumstances) {
    this.#circumstances = circumstances;
  }

  /** In a transaction of its own. What it does may run twice, so nothing is remembered before the commit. */
  async take(lines: readonly ProgramLine[], storage: UnitOfWork): Promise<Tally> {
    const { tally, waiting } = await storage.write((transaction) => this.#takeIn(transaction, lines));
    this.#waiting = waiting;
    return tally;
  }

  async within(transaction: Transaction, lines: readonly ProgramLine[]): Promise<Tally> {
    const { tally, waiting } = await this.#takeIn(transaction, lines);
    this.#waiting = waiting;
    return tally;
  }

  /** Whose parent has not come by the end of the file. */
  leftOver(): BadLine[] {
    return this.#waiting.map((waiting) => ({ line: waiting.line, reason: reasonOfWaiting(waiting) }));
  }

  async #takeIn(transaction: Transaction, lines: readonly ProgramLine[]): Promise<{ tally: Tally; waiting: WaitingUser[] }> {
    if (lines[0]?.kind === 'user') return takeInUsers(transaction, lines as LineOf<'user'>[], this.#waiting, this.#circumstances);
    return { tally: await takeIn(transaction, lines, this.#circumstances), waiting: this.#waiting };
  }
}

/** What the database refuses, it refuses for the whole transaction. Halving finds the lines that it is about, and saves the others. */
async function bisecting(lines: readonly ProgramLine[], take: (lines: readonly ProgramLine[]) => Promise<Tally>): Promise<Tally> {
  try {
    return await take(lines);
  } catch (error) {
    const [first] = lines;
    const reason = reasonOf(error);
    if (reason === null || !first) throw error;
    if (lines.length === 1) return { ...emptyTally(), refused: 1, errors: [{ line: first.line, reason }] };
    const middle = Math.ceil(lines.length / 2);
    const tally = await bisecting(lines.slice(0, middle), take);
    addTo(tally, await bisecting(lines.slice(middle), take));
    return tally;
  }
}

/** Why a line was refused; null when it is not the line's fault (a full disk, a lost connection), so that going on makes no sense. */
function reasonOf(error: unknown): string | null {
  if (error instanceof ApiError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // A constraint, a value that does not fit. On PostgreSQL the classes 22 and 23.
  if (!/^(SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)|2[23]\w{3}$)/.test(code)) return null;
  return `The database refused it: ${(error as Error).message}`;
}
