import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import { createUser } from './create.ts';
import { findToken, issueToken, type OneTimeTokenRepository, redeemToken } from './one-time-token.ts';
import type { UserRepository } from './repository.ts';
import type { NewUser } from './user.ts';

interface SetupRepositories {
  users: UserRepository;
  oneTimeTokens: OneTimeTokenRepository;
}

/** Returns the path of the page where the first administrator is created. Replaces the link before. Null if there is an administrator. */
export async function issueSetupLink(
  transaction: Transaction<SetupRepositories>,
  now: number,
  random: SecureRandom,
): Promise<string | null> {
  await transaction.oneTimeTokens.removeBy({ purpose: 'setup' });
  if (await transaction.users.hasAdministrator()) return null;
  return `/setup?token=${await issueToken(transaction, { purpose: 'setup' }, now, random)}`;
}

/** Whether the link would still create the first administrator. */
export const isSetupToken = async (db: SetupRepositories, token: string, now: number): Promise<boolean> =>
  (await findToken(db, token, ['setup'], now)) !== null;

/** Whether the link has created the first administrator, in the last hour. */
export const isUsedSetupToken = async (db: SetupRepositories, token: string, now: number): Promise<boolean> =>
  (await findToken(db, token, ['used-setup'], now)) !== null;

const usedLifetimeMs = 60 * 60 * 1000;

/** Uses the link up. False, with nothing changed, if it is void. @throws ApiError where another user has the login or the email. */
export async function createFirstAdministrator(
  transaction: Transaction<SetupRepositories>,
  token: string,
  user: Omit<NewUser, 'role'>,
): Promise<boolean> {
  if (await transaction.users.hasAdministrator()) return false;
  const redeemed = await redeemToken(transaction, token, ['setup'], user.registeredAt);
  if (!redeemed) return false;
  await transaction.oneTimeTokens.insert({ ...redeemed, purpose: 'used-setup', expiresAt: user.registeredAt + usedLifetimeMs });
  await createUser(transaction, { ...user, role: 'administrator' });
  return true;
}
