import { isDeepStrictEqual } from 'node:util';
import { localDateTime } from '../dates.ts';
import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import type { MailRepository } from '../mail/mail.ts';
import type { Program } from '../program.ts';
import type { Transaction } from '../unit-of-work.ts';
import { sendAccountNotice } from './account-notice.ts';
import { findTakenName, isSameName, nameTaken } from './names.ts';
import type { UserRecord, UserRecordRepository, UserRepository } from './repository.ts';
import { isAdmin, isErasedLogin, type Profile, type User } from './user.ts';

/** A user as the store sends it. Missing fields keep their value. */
export interface IncomingUser extends Pick<UserRecord, 'login' | 'email' | 'displayName'> {
  /** Kept when it is free. */
  id?: number | undefined;
  role?: User['role'] | undefined;
  registeredAt?: number | undefined;
  profile?: Partial<Profile> | undefined;
  groups?: string[] | undefined;
  customFields?: Record<string, unknown> | undefined;
  /** Of a new user. */
  status?: 'active' | 'disabled' | undefined;
}

export interface RecordedUser {
  id: number;
  outcome: 'recorded' | 'changed' | 'unchanged';
}

export interface UserRecordingRepositories {
  users: UserRepository;
  userRecords: UserRecordRepository;
  events: EventRepository;
  mails: MailRepository;
}

interface UserContext {
  now: number;
  /** The acting user; 0 for the system. */
  userId: number;
  /** How the record came. */
  origin: 'api' | 'file';
  program: Program;
  /** Whether administrators and managers may be created and changed. False for records from outside: their author could become an administrator. */
  allowPrivileged?: boolean;
}

/** Creates or updates a user, identified by login. All checks run before the first write. */
export async function recordUser(
  transaction: Transaction<UserRecordingRepositories>,
  incoming: IncomingUser,
  context: UserContext,
): Promise<RecordedUser> {
  const { users, userRecords } = transaction;
  const { now, allowPrivileged = false } = context;
  const known = await userRecords.byLogin(incoming.login);
  if (context.origin === 'api') refuseErased(incoming.login, 'choose another one');
  const taken = await findTakenName(users, incoming, known?.id);
  if (taken !== null) throw nameTaken(taken, incoming);
  if (!known) {
    const id = incoming.id !== undefined && (await users.byId(incoming.id)) === null ? incoming.id : null;
    const user = recordOf(incoming, blank(now));
    if (!allowPrivileged) refusePrivileged(user);
    return { id: await userRecords.insert(user, id, incoming.status === 'disabled' ? now : null), outcome: 'recorded' };
  }
  const { id, ...before } = known;
  const after = recordOf(incoming, before);
  if (isDeepStrictEqual(before, after)) return { id, outcome: 'unchanged' };
  refuseErased(known.login, 'its record cannot be changed');
  if (!allowPrivileged) refusePrivileged(before, after);
  const isMoved = !isSameName(before.email, after.email);
  if (isMoved && incoming.id !== id) await refuseOwnAccount(users, known);
  await userRecords.change(id, after, isMoved ? { emailChangedAt: now } : undefined);
  await recordChange(transaction, id, { before, after }, context);
  if (isMoved) await tellFormerAddress(transaction, { id, ...before }, context);
  return { id, outcome: 'changed' };
}

const fieldNames = {
  login: 'login',
  email: 'email',
  displayName: 'display_name',
  role: 'role',
  registeredAt: 'registered',
  profile: 'profile',
  groups: 'groups',
  customFields: 'custom_fields',
} as const satisfies Record<keyof UserRecord, string>;

/** The feed names the fields only: values are personal. */
async function recordChange(
  { events }: Transaction<UserRecordingRepositories>,
  id: number,
  { before, after }: Record<'before' | 'after', UserRecord>,
  { now, userId }: UserContext,
): Promise<void> {
  const changed = (Object.keys(fieldNames) as (keyof UserRecord)[]).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const fields = changed.map((name) => fieldNames[name]);
  const info = `The record of user ${id} was changed: ${fields.join(', ')}.`;
  await events.record({ kind: 'affiliate_updated', type: null, objectType: 'user', objectId: id, userId, info, data: { fields }, at: now });
}

/** The address decides who can reset the password. An import may be of people who never had an account here. */
async function tellFormerAddress(
  transaction: Transaction<UserRecordingRepositories>,
  user: UserRecord & { id: number },
  { now, origin, program }: UserContext,
): Promise<void> {
  if (origin === 'file' && !(await transaction.users.hasPassword(user.id))) return;
  const at = localDateTime(now, program.zone).replace('T', ' ');
  await sendAccountNotice(
    transaction,
    user,
    { now, sender: program },
    {
      subject: 'the email address of your account was changed',
      paragraphs: [
        `the store changed the email address of your account on ${at} (${program.zone}). Mails, and links for a new password, no longer come to this address.`,
      ],
      advice: `If you did not ask for it, write to ${program.storeName} at once: ${program.shopUrl}`,
    },
  );
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

/** An erased user has such a login. An export of other programs may have some, which an import takes over where they are free. */
function refuseErased(login: string, advice: string): void {
  if (!isErasedLogin(login)) return;
  const sentence = `The login ${login} is reserved for an erased user: ${advice}.`;
  throw new ApiError('rest_invalid_param', { message: sentence, data: { params: { login: sentence } } });
}

/** The account of a person who signs in, or has chosen the login by applying, could be of another person than the record. */
async function refuseOwnAccount(users: UserRepository, { id, login }: Pick<User, 'id' | 'login'>): Promise<void> {
  if (!(await users.hasPassword(id)) && !(await users.joinedOnline(id))) return;
  const sentence = `The login ${login} belongs to user ${id}, who has another email address and an account here. If the record is of the same person, send its id ${id} with it; otherwise send another login.`;
  throw new ApiError('rest_invalid_param', { message: sentence, data: { params: { email: sentence } } });
}

function refusePrivileged(...states: readonly UserRecord[]): void {
  const privileged = states.find(isAdmin);
  if (!privileged) return;
  const sentence = `${privileged.login} has the role ${privileged.role}: an import creates and changes such users only with --allow-privileged.`;
  throw new ApiError('rest_invalid_param', { message: sentence, data: { params: { role: sentence } } });
}
