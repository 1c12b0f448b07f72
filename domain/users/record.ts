import { isDeepStrictEqual } from 'node:util';
import type { Profile } from '../affiliates/affiliate.ts';
import { ApiError } from '../errors.ts';
import type { Transaction } from '../ports.ts';
import type { UserRecord } from './store.ts';
import type { User } from './user.ts';

/** A user as the store sends it. Missing fields keep their value. */
export interface IncomingUser extends Pick<UserRecord, 'login' | 'email' | 'displayName'> {
  /** Kept when it is free. */
  id?: number | undefined;
  role?: User['role'] | undefined;
  registeredAt?: number | undefined;
  profile?: Partial<Profile> | undefined;
  groups?: string[] | undefined;
  customFields?: Record<string, unknown> | undefined;
}

export interface RecordedUser {
  id: number;
  outcome: 'recorded' | 'changed' | 'unchanged';
}

/** Creates or updates a user, identified by login. All checks run before the first write. */
export async function recordUser(
  { users, userRecords }: Transaction,
  incoming: IncomingUser,
  { now }: { now: number },
): Promise<RecordedUser> {
  const known = await userRecords.byLogin(incoming.login);
  const holder = await userRecords.idOfEmail(incoming.email);
  if (holder !== null && holder !== known?.id) throw taken(incoming.email);
  if (!known) {
    const id = incoming.id !== undefined && (await users.byId(incoming.id)) === null ? incoming.id : null;
    return { id: await userRecords.insert(recordOf(incoming, blank(now)), id), outcome: 'recorded' };
  }
  const { id, ...before } = known;
  const after = recordOf(incoming, before);
  if (isDeepStrictEqual(before, after)) return { id, outcome: 'unchanged' };
  await userRecords.change(id, after);
  return { id, outcome: 'changed' };
}

const blank = (registeredAt: number) => ({ role: 'customer' as const, registeredAt, profile: {}, groups: [], customFields: {} });

function recordOf(incoming: IncomingUser, before: Omit<UserRecord, 'login' | 'email' | 'displayName'>): UserRecord {
  const { login, email, displayName, registeredAt, profile, groups, customFields } = incoming;
  return {
    login,
    email,
    displayName,
    role: roleOf(incoming.role, before.role),
    registeredAt: registeredAt ?? before.registeredAt,
    profile: { ...before.profile, ...profile },
    groups: groups ?? before.groups,
    customFields: customFields ?? before.customFields,
  };
}

/** The store still calls an affiliate a customer; that must not reset the role. */
const roleOf = (sent: User['role'] | undefined, before: User['role']): User['role'] =>
  sent === undefined || (sent === 'customer' && before === 'affiliate') ? before : sent;

function taken(email: string): ApiError {
  const sentence = `A user with the email ${email} exists already.`;
  return new ApiError('rest_invalid_param', { message: sentence, data: { params: { email: sentence } } });
}
