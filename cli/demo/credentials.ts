import { createKey } from '../../domain/keys/create.ts';
import type { Transaction } from '../../domain/ports.ts';
import type { SecureRandom } from '../../domain/random.ts';
import { appPasswordHash, newAppPassword } from '../../domain/users/app-password.ts';
import { hashPassword } from '../../domain/users/password.ts';
import { setPassword } from '../../domain/users/set-password.ts';
import type { Scope } from '../../generated/operations.ts';
import { operatorAs } from '../operator.ts';
import { shopZone } from './shop.ts';

interface Access {
  user_id: number;
  token: string;
  login: string;
  app_password: string;
  /** For the sign-in page. */
  password: string;
}

/** What somebody needs to try the demo store, as it is written beside it. */
export interface Credentials {
  admin: Access;
  affiliate: Access & { coupon_id: number };
}

/** With where the store is served, once that is known. */
export interface KnownCredentials extends Credentials {
  base_url: string;
}

export interface Accounts {
  adminId: number;
  affiliateId: number;
  couponId: number;
}

interface Making {
  now: number;
  random: SecureRandom;
}

/** Made by true chance, unlike all else here: whoever knows the program must not know the keys. */
export async function giveCredentials(
  transaction: Transaction,
  { adminId, affiliateId, couponId }: Accounts,
  making: Making,
): Promise<Credentials> {
  const admin = await accessOf(transaction, adminId, ['read', 'write', 'manage'], making);
  const { user_id, ...rest } = await accessOf(transaction, affiliateId, ['read', 'write'], making);
  return { admin, affiliate: { user_id, coupon_id: couponId, ...rest } };
}

async function accessOf(transaction: Transaction, userId: number, scopes: Scope[], { now, random }: Making): Promise<Access> {
  const user = await transaction.users.byId(userId);
  if (!user) throw new Error(`There is no user ${userId} to give credentials to.`);
  const request = { description: 'demo', scopes };
  const { token } = await createKey(transaction, operatorAs(user), request, { now, zone: shopZone, random });
  const password = newAppPassword(random);
  await transaction.appPasswords.insert({ userId, name: 'demo', hash: appPasswordHash(password), createdAt: now });
  const forPage = random.bytes(9).toString('base64url');
  await setPassword(transaction, userId, await hashPassword(forPage, random));
  return { user_id: userId, token, login: user.login, app_password: password, password: forPage };
}
