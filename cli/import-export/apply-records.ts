import { type HashVisitor, recordClicks } from '../../domain/clicks/record.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Secrets } from '../../domain/master-key/secrets.ts';
import { withLastVersions } from '../../domain/order-recording/incoming.ts';
import { recordOrders } from '../../domain/order-recording/record.ts';
import type { Program } from '../../domain/program.ts';
import { type AppliedRecord, applyCoupon, applyPayoutDetails, applyRegistration, assignParent } from '../../domain/records/apply.ts';
import type { IncomingRecord } from '../../domain/records/incoming.ts';
import type { RecordKind } from '../../domain/records/read-record.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { Transaction } from '../../domain/unit-of-work.ts';
import { type RecordedUser, recordUser } from '../../domain/users/record.ts';
import { addError, countOutcome, emptyResult, type ImportResult } from './import-result.ts';
import type { AnyImportRecord, ImportRecord } from './record-reader.ts';

/** The actor is 0: not a user of the program. */
export interface ImportContext {
  program: Program;
  now: number;
  userId: 0;
  origin: 'file';
  allowPrivileged: boolean;
  transferBalance: boolean;
  hashVisitor: HashVisitor;
  oldestClick?: number;
  /** On demand: needs the master key. */
  secrets(): Secrets;
}

/** A user that was imported before the parent. */
export interface PendingUser {
  line: number;
  user: RecordedUser;
  /** The login of the parent. */
  parent: string;
}

export interface AppliedRecords {
  result: ImportResult;
  /** Replaces the pending users of the batch before. */
  pending: PendingUser[];
}

/** Applies one batch, which has either users only or none. */
export async function applyRecords(
  transaction: Transaction<Repositories>,
  records: readonly AnyImportRecord[],
  pending: PendingUser[],
  context: ImportContext,
): Promise<AppliedRecords> {
  const result = emptyResult();
  const ofKind = <Kind extends RecordKind>(kind: Kind): ImportRecord<Kind>[] =>
    records.filter((record) => record.kind === kind) as ImportRecord<Kind>[];
  const users = ofKind('user');
  if (users.length > 0) return { result, pending: await applyUsers(transaction, users, pending, context, result) };
  await applyEach(ofKind('coupon'), result, (coupon) => applyCoupon(transaction, coupon, context));
  await applyEach(ofKind('registration'), result, (application) => applyRegistration(transaction, application, context));
  await applyEach(ofKind('payout_details'), result, (details) =>
    applyPayoutDetails(transaction, details, { ...context, secrets: context.secrets() }),
  );
  // Before the orders: an order looks for the click that led to it.
  await applyClicks(transaction, ofKind('click'), context, result);
  await applyOrders(transaction, ofKind('order'), context, result);
  return { result, pending };
}

async function applyEach<Kind extends RecordKind>(
  records: readonly ImportRecord<Kind>[],
  result: ImportResult,
  apply: (data: IncomingRecord<Kind>) => Promise<AppliedRecord>,
): Promise<void> {
  for (const { line, data } of records) {
    const applied = await catchRejection(line, result, () => apply(data as IncomingRecord<Kind>));
    if (applied) countOutcome(result, applied.outcome);
  }
}

/** Adds an ApiError to the result. The domain rejects before it writes, so the transaction stays usable for the next line. */
async function catchRejection<Result>(line: number, result: ImportResult, apply: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await apply();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    addError(result, { line, reason: error.message });
    return undefined;
  }
}

async function applyOrders(
  transaction: Transaction<Repositories>,
  records: readonly ImportRecord<'order'>[],
  context: ImportContext,
  result: ImportResult,
): Promise<void> {
  if (records.length === 0) return;
  const orders = withLastVersions(records.map(({ data }) => data));
  const outcomes = await recordOrders(transaction, orders, context);
  for (const [at, { line }] of records.entries()) {
    const outcome = outcomes[at];
    if (outcome?.outcome === 'refused') addError(result, { line, reason: outcome.reason });
    else if (outcome) countOutcome(result, outcome.outcome);
  }
}

async function applyClicks(
  transaction: Transaction<Repositories>,
  records: readonly ImportRecord<'click'>[],
  context: ImportContext,
  result: ImportResult,
): Promise<void> {
  if (records.length === 0) return;
  const clicks = records.map(({ data }) => data);
  const { recorded, refusals } = await recordClicks(transaction, clicks, context);
  const errors = records.flatMap(({ line }, at) => {
    const reason = refusals[at] ?? null;
    return reason === null ? [] : [{ line, reason }];
  });
  for (const error of errors) addError(result, error);
  result.imported += recorded;
  result.unchanged += records.length - errors.length - recorded;
}

/**
 * Users may precede their parents: they are created at once, so that their coupons find them, and get their parent as soon as it is imported.
 * So one pass over the file is enough; standard input cannot be read twice. Returns the users whose parent is still missing.
 */
async function applyUsers(
  transaction: Transaction<Repositories>,
  records: readonly ImportRecord<'user'>[],
  pendingBefore: readonly PendingUser[],
  context: ImportContext,
  result: ImportResult,
): Promise<PendingUser[]> {
  const imported = new Set(records.map(({ data }) => foldLogin(data.user.login)));
  // The parents of users from earlier batches are not in the database; they can only be among these records.
  const isMissing = ({ parent }: PendingUser): boolean => !imported.has(foldLogin(parent));
  const pending = pendingBefore.filter(isMissing);
  const candidates = pendingBefore.filter((user) => !isMissing(user));
  for (const { line, data } of records) {
    const user = await catchRejection(line, result, () => recordUser(transaction, data.user, context));
    if (user && data.parent === undefined) countOutcome(result, user.outcome);
    else if (user && data.parent !== undefined) candidates.push({ line, user, parent: data.parent });
  }
  for (const candidate of candidates) if (!(await assignPendingParent(transaction, candidate, result))) pending.push(candidate);
  return pending;
}

/** Returns false while the parent is missing. */
async function assignPendingParent(
  transaction: Transaction<Repositories>,
  { line, user, parent: login }: PendingUser,
  result: ImportResult,
): Promise<boolean> {
  const parent = await transaction.userRecords.byLogin(login);
  if (!parent) return false;
  const applied = await catchRejection(line, result, () => assignParent(transaction, user, parent.id));
  if (applied) countOutcome(result, applied.outcome);
  return true;
}

/** Logins are ASCII. */
const foldLogin = (login: string): string => login.toLowerCase();
