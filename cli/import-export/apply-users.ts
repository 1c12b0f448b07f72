import { ApiError } from '../../domain/errors.ts';
import type { Transaction } from '../../domain/ports.ts';
import { setParent } from '../../domain/users/program.ts';
import { type RecordedUser, recordUser } from '../../domain/users/record.ts';
import type { LineOf } from './program-lines.ts';
import { count, emptyTally, refuse, type Tally } from './tally.ts';

/** A user who is made already, and whose parent is not. */
export interface WaitingUser {
  line: number;
  user: RecordedUser;
  parent: string;
}

export interface UsersTakenIn {
  tally: Tally;
  /** In place of those who waited before. */
  waiting: WaitingUser[];
}

/**
 * Users may come before their parents: they are made at once, so that their coupons find them, and get their place in the tree as soon as
 * the parent has come. One pass over the file is enough, and a file that is not a file (standard input) has no second.
 */
export async function takeInUsers(
  transaction: Transaction,
  lines: readonly LineOf<'user'>[],
  waitedBefore: readonly WaitingUser[],
  { now }: { now: number },
): Promise<UsersTakenIn> {
  const tally = emptyTally();
  const placing: WaitingUser[] = [...waitedBefore];
  for (const { line, told } of lines) {
    const user = await refusable(line, tally, () => recordUser(transaction, told.user, { now }));
    if (user && told.parent === undefined) count(tally, user.outcome);
    else if (user && told.parent !== undefined) placing.push({ line, user, parent: told.parent });
  }
  const arrived = new Set(lines.map(({ told }) => fold(told.user.login)));
  const waiting: WaitingUser[] = [];
  for (const [at, placed] of placing.entries()) {
    // Those who waited before have been looked for in the database: their parent comes with these lines, or not yet.
    const isStillMissing = at < waitedBefore.length && !arrived.has(fold(placed.parent));
    if (isStillMissing || !(await place(transaction, placed, tally))) waiting.push(placed);
  }
  return { tally, waiting };
}

/** False while the parent is missing. */
async function place(transaction: Transaction, { line, user, parent: login }: WaitingUser, tally: Tally): Promise<boolean> {
  const parent = await transaction.userRecords.byLogin(login);
  if (!parent) return false;
  const before = await transaction.users.byId(user.id);
  await refusable(line, tally, async () => {
    await setParent(transaction, user.id, parent.id);
    count(tally, user.outcome === 'unchanged' && before?.parentId !== parent.id ? 'changed' : user.outcome);
  });
  return true;
}

async function refusable<Result>(line: number, tally: Tally, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    refuse(tally, { line, reason: error.message });
    return undefined;
  }
}

/** Logins are ASCII. */
const fold = (login: string): string => login.toLowerCase();

export const reasonOfWaiting = ({ parent }: WaitingUser): string => `There is no user ${parent}: the user is there, but without a parent.`;
