import { type CouponRecordingRepositories, recordCoupon } from '../coupons/record.ts';
import { ApiError } from '../errors.ts';
import type { Secrets } from '../master-key/secrets.ts';
import { findDetailsProblems, type SaveDetailsRepositories, savePayoutDetails } from '../payout-details/save.ts';
import type { Program } from '../program.ts';
import type { Application } from '../registrations/application.ts';
import { type SubmissionRepositories, submitApplication } from '../registrations/submit.ts';
import type { Transaction } from '../unit-of-work.ts';
import { setParent } from '../users/create.ts';
import { type RecordedUser, recordUser, type UserRecordingRepositories } from '../users/record.ts';
import type { ProgramUserRepository, UserRecordRepository, UserRepository } from '../users/repository.ts';
import { isAdmin, isErasedLogin, type User } from '../users/user.ts';
import type { IncomingAffiliate, OwnedCoupon, OwnedPayoutDetails } from './incoming.ts';
import type { RecordOrigin } from './read-record.ts';

/** The user id is that of the actor; 0 for the system. Records of the API never change what an administrator or a manager has. */
interface ApplyContext {
  program: Program;
  now: number;
  userId: number;
  origin: RecordOrigin;
}

export interface AppliedRecord {
  id: number;
  outcome: 'recorded' | 'changed' | 'unchanged';
}

interface AffiliateRecordingRepositories extends UserRecordingRepositories {
  programUsers: ProgramUserRepository;
}

/** Creates or updates a user whose parent exists. */
export async function applyAffiliate(
  transaction: Transaction<AffiliateRecordingRepositories>,
  { user, parent }: IncomingAffiliate,
  context: ApplyContext,
): Promise<AppliedRecord> {
  refusePrivileged(await transaction.userRecords.byLogin(user.login), context);
  const above = parent === undefined ? undefined : await getUser(transaction, parent);
  if (above) refuseErased(above.login, context);
  const parentId = above?.id;
  const recorded = await recordUser(transaction, user, context);
  return parentId === undefined ? recorded : assignParent(transaction, recorded, parentId);
}

/** Returns what became of the user and the parent together. */
export async function assignParent(
  transaction: Transaction<{ users: UserRepository; programUsers: ProgramUserRepository }>,
  recorded: RecordedUser,
  parentId: number,
): Promise<RecordedUser> {
  const before = await transaction.users.byId(recorded.id);
  await setParent(transaction, recorded.id, parentId);
  const hasChanged = recorded.outcome === 'unchanged' && before?.parentId !== parentId;
  return hasChanged ? { ...recorded, outcome: 'changed' } : recorded;
}

export async function applyCoupon(
  transaction: Transaction<CouponRecordingRepositories & { userRecords: UserRecordRepository }>,
  { coupon, owner }: OwnedCoupon,
  context: ApplyContext & { transferBalance?: boolean },
): Promise<AppliedRecord> {
  const user = owner === undefined ? null : await getUser(transaction, owner);
  refusePrivileged(user, context);
  if (user) refuseErased(user.login, context);
  const recorded = await recordCoupon(transaction, { ...coupon, userId: user?.id }, context, async ({ userId }) => {
    if (context.origin === 'api' && userId !== null) refusePrivileged(await transaction.users.byId(userId), context);
  });
  return { id: recorded.coupon.id, outcome: recorded.outcome };
}

export async function applyRegistration(
  transaction: Transaction<SubmissionRepositories>,
  application: Application,
  context: ApplyContext,
): Promise<AppliedRecord> {
  refuseErased(application.login, context);
  const { registration, existing } = await submitApplication(transaction, application, context);
  return { id: registration.id, outcome: existing ? 'unchanged' : 'recorded' };
}

export async function applyPayoutDetails(
  transaction: Transaction<SaveDetailsRepositories & { userRecords: UserRecordRepository }>,
  { owner, ...details }: OwnedPayoutDetails,
  { secrets, ...context }: ApplyContext & { secrets: Secrets },
): Promise<AppliedRecord> {
  const user = await transaction.userRecords.byLogin(owner);
  if (!user) throw invalid([`There is no user ${owner}.`, ...findDetailsProblems(details)].join(' '));
  refusePrivileged(user, context);
  const userId = user.id;
  const { outcome } = await savePayoutDetails(transaction, { ...details, userId }, { ...context, ...secrets });
  return { id: userId, outcome };
}

type Owner = Pick<User, 'id' | 'login' | 'role'>;

async function getUser({ userRecords }: { userRecords: UserRecordRepository }, login: string): Promise<Owner> {
  const user = await userRecords.byLogin(login);
  if (!user) throw invalid(`There is no user ${login}.`);
  return user;
}

function refusePrivileged(user: Owner | null, { origin }: ApplyContext): void {
  if (origin === 'api' && user && isAdmin(user))
    throw invalid(`${user.login} has the role ${user.role}: the store cannot change what such users have.`);
}

function refuseErased(login: string, { origin }: ApplyContext): void {
  if (origin === 'api' && isErasedLogin(login)) throw invalid(`The login ${login} is reserved for an erased user.`);
}

const invalid = (sentence: string): ApiError => new ApiError('rest_invalid_param', { message: sentence });
