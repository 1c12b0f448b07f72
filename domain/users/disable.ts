import type { EventRepository } from '../events/event.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { UserRepository } from './repository.ts';
import type { SessionRepository } from './session.ts';
import type { User } from './user.ts';

interface DisableRepositories {
  users: UserRepository;
  sessions: SessionRepository;
  events: EventRepository;
}

interface DisableContext {
  now: number;
  /** The acting user; 0 for the operator. */
  userId: number;
}

/** Ends the user's sessions; keys and passwords are refused while the user is disabled. False when the user was disabled before. */
export const disableUser = (transaction: Transaction<DisableRepositories>, user: User, context: DisableContext): Promise<boolean> =>
  setDisabled(transaction, user, context.now, context);

/** Keys and passwords work again, those that were revoked or have expired excepted. False when the user was not disabled. */
export const enableUser = (transaction: Transaction<DisableRepositories>, user: User, context: DisableContext): Promise<boolean> =>
  setDisabled(transaction, user, null, context);

async function setDisabled(
  { users, sessions, events }: Transaction<DisableRepositories>,
  user: User,
  disabledAt: number | null,
  { now, userId }: DisableContext,
): Promise<boolean> {
  if (!(await users.setDisabledAt(user.id, disabledAt))) return false;
  await sessions.removeOf(user.id);
  const kind = disabledAt === null ? 'user_enabled' : 'user_disabled';
  const info = `${user.displayName} was ${disabledAt === null ? 'enabled' : 'disabled'}.`;
  await events.record({ kind, type: null, objectType: 'user', objectId: user.id, userId, info, data: null, at: now });
  return true;
}
