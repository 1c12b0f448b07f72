import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../errors.ts';
import type { Transaction } from '../unit-of-work.ts';
import { findTakenName, nameTaken } from './names.ts';
import type { UserRecord, UserRecordRepository, UserRepository } from './repository.ts';
import { isAdmin, type Profile, type User } from './user.ts';

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

interface UserContext {
  now: number;
  /** Whether administrators and managers may be created and changed. False for records from outside: their author could become an administrator. */
  allowPrivileged?: boolean;
}

/** Creates or updates a user, identified by login. All checks run before the first write. */
export async function recordUser(
  { users, userRecords }: Transaction<{ users: UserRepository; userRecords: UserRecordRepository }>,
  incoming: IncomingUser,
  { now, allowPrivileged = false }: UserContext,
): Promise<RecordedUser> {
  const known = await userRecords.byLogin(incoming.login);
  const taken = await findTakenName(users, incoming, known?.id);
  if (taken !== null) throw nameTaken(taken, incoming);
  if (!known) {
    const id = incoming.id !== undefined && (await users.byId(incoming.id)) === null ? incoming.id : null;
    const user = recordOf(incoming, blank(now));
    if (!allowPrivileged) refusePrivileged(user);
    return { id: await userRecords.insert(user, id), outcome: 'recorded' };
  }
  const { id, ...before } = known;
  const after = recordOf(incoming, before);
  if (isDeepStrictEqual(before, after)) return { id, outcome: 'unchanged' };
  if (!allowPrivileged) refusePrivileged(before, after);
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

function refusePrivileged(...states: readonly UserRecord[]): void {
  const privileged = states.find(isAdmin);
  if (!privileged) return;
  const sentence = `${privileged.login} has the role ${privileged.role}: an import creates and changes such users only with --allow-privileged.`;
  throw new ApiError('rest_invalid_param', { message: sentence, data: { params: { role: sentence } } });
}
