import { recordClicks } from '../../domain/clicks/record.ts';
import type { HashVisitor } from '../../domain/clicks/visitor.ts';
import { recordCoupon } from '../../domain/coupons/record.ts';
import { ApiError } from '../../domain/errors.ts';
import { recordOrders } from '../../domain/orders/record.ts';
import { savePayoutDetails } from '../../domain/payout-details/save.ts';
import type { Transaction } from '../../domain/ports.ts';
import type { Program } from '../../domain/program.ts';
import { submitApplication } from '../../domain/registrations/submit.ts';
import type { Secrets } from '../../domain/secrets.ts';
import type { PayoutDetailsLine } from './kinds/payout-details.ts';
import type { Kind } from './kinds.ts';
import type { LineOf, ProgramLine } from './program-lines.ts';
import { count, emptyTally, refuse, type Tally } from './tally.ts';

/** What lines are taken in with. The actor is 0: nobody of the program did it. */
export interface Circumstances {
  program: Program;
  now: number;
  userId: 0;
  hashVisitor: HashVisitor;
  /** Asked for when it is needed: it takes the master key. */
  secrets(): Secrets;
}

const linesOf = <OneKind extends Kind>(lines: readonly ProgramLine[], kind: OneKind): LineOf<OneKind>[] =>
  lines.filter((line) => line.kind === kind) as LineOf<OneKind>[];

/** Everything but users, who wait for each other. */
export async function takeIn(transaction: Transaction, lines: readonly ProgramLine[], circumstances: Circumstances): Promise<Tally> {
  const tally = emptyTally();
  await takeInCoupons(transaction, linesOf(lines, 'coupon'), circumstances, tally);
  await takeInRegistrations(transaction, linesOf(lines, 'registration'), circumstances, tally);
  await takeInPayoutDetails(transaction, linesOf(lines, 'payout_details'), circumstances, tally);
  // Clicks first: an order looks for the click that led to it, never the other way round.
  await takeInClicks(transaction, linesOf(lines, 'click'), circumstances, tally);
  await takeInOrders(transaction, linesOf(lines, 'order'), circumstances, tally);
  return tally;
}

async function takeInOrders(transaction: Transaction, lines: LineOf<'order'>[], circumstances: Circumstances, tally: Tally): Promise<void> {
  if (lines.length === 0) return;
  const outcomes = await recordOrders(
    transaction,
    lines.map(({ told }) => told),
    circumstances,
  );
  for (const [at, { line }] of lines.entries()) {
    const outcome = outcomes[at];
    if (outcome?.outcome === 'refused') refuse(tally, { line, reason: outcome.reason });
    else if (outcome) count(tally, outcome.outcome);
  }
}

async function takeInClicks(transaction: Transaction, lines: LineOf<'click'>[], circumstances: Circumstances, tally: Tally): Promise<void> {
  if (lines.length === 0) return;
  const { recorded, refusals } = await recordClicks(
    transaction,
    lines.map(({ told }) => told),
    circumstances,
  );
  const bad = lines.flatMap(({ line }, at) => {
    const reason = refusals[at] ?? null;
    return reason === null ? [] : [{ line, reason }];
  });
  for (const error of bad) refuse(tally, error);
  tally.imported += recorded;
  tally.unchanged += lines.length - bad.length - recorded;
}

const takeInCoupons = (transaction: Transaction, lines: LineOf<'coupon'>[], circumstances: Circumstances, tally: Tally) =>
  oneByOne(lines, tally, async ({ coupon, owner }) => {
    const userId = owner === undefined ? undefined : await userNamed(transaction, owner);
    return (await recordCoupon(transaction, { ...coupon, userId }, circumstances)).outcome;
  });

const takeInRegistrations = (transaction: Transaction, lines: LineOf<'registration'>[], circumstances: Circumstances, tally: Tally) =>
  oneByOne(lines, tally, async (application) => {
    const { existing } = await submitApplication(transaction, application, circumstances);
    return existing ? 'unchanged' : 'recorded';
  });

const takeInPayoutDetails = (transaction: Transaction, lines: LineOf<'payout_details'>[], circumstances: Circumstances, tally: Tally) =>
  oneByOne(lines, tally, async ({ owner, ...details }: PayoutDetailsLine) => {
    const userId = await userNamed(transaction, owner);
    const before = await transaction.payoutDetails.ofUser(userId);
    const after = await savePayoutDetails(transaction, { ...details, userId }, { ...circumstances, ...circumstances.secrets() });
    // What is encrypted again is another text, so equal ones are the very same.
    const isSame = before && before.method === after.method && before.encryptedDetails === after.encryptedDetails;
    return isSame && before.methodType === after.methodType ? 'unchanged' : 'changed';
  });

async function userNamed({ userRecords }: Transaction, login: string): Promise<number> {
  const user = await userRecords.byLogin(login);
  if (!user) throw new ApiError('rest_invalid_param', { message: `There is no user ${login}.` });
  return user.id;
}

/** The domain refuses before it writes, so a refusal leaves the transaction fit for the next line. */
export async function oneByOne<OneKind extends Kind>(
  lines: readonly LineOf<OneKind>[],
  tally: Tally,
  work: (told: LineOf<OneKind>['told']) => Promise<'recorded' | 'changed' | 'unchanged'>,
): Promise<void> {
  for (const { line, told } of lines) {
    try {
      count(tally, await work(told));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refuse(tally, { line, reason: error.message });
    }
  }
}
