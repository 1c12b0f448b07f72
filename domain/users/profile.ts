import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../errors.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { UserRecord, UserRecordRepository } from './repository.ts';
import type { Profile, User } from './user.ts';

/** What users may change about themselves. Missing fields keep their value. */
export interface ProfileChange {
  displayName?: string | undefined;
  profile: Partial<Pick<Profile, 'phone' | 'website'>>;
}

export async function updateProfile(
  { userRecords }: Transaction<{ userRecords: UserRecordRepository }>,
  { login }: Pick<User, 'login'>,
  { displayName, profile }: ProfileChange,
): Promise<UserRecord> {
  const known = await userRecords.byLogin(login);
  if (!known) throw new ApiError('svc_api_unauthorized');
  const { id, ...before } = known;
  const after = { ...before, displayName: displayName ?? before.displayName, profile: { ...before.profile, ...profile } };
  if (!isDeepStrictEqual(before, after)) await userRecords.change(id, after);
  return after;
}
