import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { EventRepository, NewEvent } from '../events/event.ts';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { AppPasswordRepository } from './repository.ts';
import type { AppPassword, User } from './user.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 24 random alphanumerics, shown in groups of four. */
export function generateAppPassword(random: SecureRandom): string {
  const characters = Array.from({ length: 24 }, () => alphabet[random.below(alphabet.length)]);
  return characters.join('').replace(/(.{4})(?=.)/g, '$1 ');
}

/** Spaces are for reading only. A fast hash will do, because the password is random and long. */
export const appPasswordHash = (password: string): string => createHash('sha256').update(password.replaceAll(' ', '')).digest('hex');

const dummy = { hash: appPasswordHash('no application password') };

/** The one with the hash of the password. Compares with a dummy if there are none, so that timing does not reveal whether a user exists. */
export function findAppPassword<Stored extends Pick<AppPassword, 'hash'>>(password: string, stored: readonly Stored[]): Stored | null {
  const given = Buffer.from(appPasswordHash(password));
  const isSame = ({ hash }: Pick<AppPassword, 'hash'>): boolean => timingSafeEqual(given, Buffer.from(hash));
  if (stored.length === 0) isSame(dummy);
  let match: Stored | null = null;
  for (const candidate of stored) if (isSame(candidate)) match ??= candidate;
  return match;
}

interface AppPasswordContext {
  now: number;
  /** The acting user; 0 for the operator. */
  userId: number;
  random: SecureRandom;
}

/** Returns the password, which is stored nowhere. */
export async function createAppPassword(
  { appPasswords, events }: Transaction<{ appPasswords: AppPasswordRepository; events: EventRepository }>,
  owner: User,
  { name, expiresDay = null }: { name: string; expiresDay?: string | null },
  { now, userId, random }: AppPasswordContext,
): Promise<{ id: number; password: string }> {
  const password = generateAppPassword(random);
  const id = await appPasswords.insert({ userId: owner.id, name, hash: appPasswordHash(password), createdAt: now, expiresDay });
  const info = `Application password "${name}" was created for ${owner.displayName}.`;
  await events.record({ ...eventOf(id, owner), kind: 'app_password_created', userId, info, at: now });
  return { id, password };
}

/** @throws ApiError svc_api_not_found if the user has no such password. */
export async function revokeAppPassword(
  { appPasswords, events }: Transaction<{ appPasswords: AppPasswordRepository; events: EventRepository }>,
  owner: User,
  id: number,
  { now, userId }: Pick<AppPasswordContext, 'now' | 'userId'>,
): Promise<AppPassword> {
  const password = (await appPasswords.ofUser(owner.id)).find((candidate) => candidate.id === id);
  if (!password) throw new ApiError('svc_api_not_found');
  await appPasswords.remove(id);
  const info = `Application password "${password.name}" of ${owner.displayName} was revoked.`;
  await events.record({ ...eventOf(id, owner), kind: 'app_password_revoked', userId, info, at: now });
  return password;
}

/** With the owner, whom nothing else names once the password is revoked. */
const eventOf = (id: number, owner: User) =>
  ({ type: null, objectType: 'app_password', objectId: id, data: { user_id: owner.id } }) satisfies Partial<NewEvent>;
