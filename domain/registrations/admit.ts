import { createCoupon } from '../coupons/create.ts';
import { ApiError } from '../errors.ts';
import type { ChangeContext } from '../orders/change-context.ts';
import type { Stores, Transaction, UserStore } from '../ports.ts';
import { findApplicant } from './applicant.ts';
import type { Registration } from './registration.ts';

/** The user whom acceptance makes an affiliate: the one who applied, if they still exist; else the one with this email; else a new one. */
export async function admitApplicant({ users, registrations }: Transaction, registration: Registration, now: number): Promise<number> {
  const { userId, email } = registration;
  const user = (userId === null ? null : await users.byId(userId)) ?? (await findApplicant(users, email));
  const id = user?.id ?? (await createdFrom(users, registration, now));
  await registrations.introduce(id, registration);
  return id;
}

/** The code that was asked for, on the terms of the store's template. It makes a customer an affiliate; admins stay admins. */
export async function couponFor(
  transaction: Transaction,
  { couponCode: code }: Registration,
  ownerId: number,
  context: ChangeContext,
): Promise<number> {
  await refuseTakenCode(transaction, code);
  const { now: createdAt, program } = context;
  const terms = { ...program.couponTemplate, fixedPerOrder: null, fixedPerProduct: null };
  const { coupon } = await createCoupon(transaction, { code, userId: ownerId, status: 'publish', createdAt, ...terms }, context);
  return coupon.id;
}

/** Published or not: a draft with this code, published one day, would share it with the new affiliate's coupon, and orders with it. */
export async function refuseTakenCode({ registrations }: Stores, code: string): Promise<void> {
  if (await registrations.codeIsTaken(code))
    throw new ApiError('svc_api_not_updated', { message: `A coupon with the code ${code} exists already.` });
}

/**
 * A taken login belongs to a user with another email, so a number is appended. The email was just found to be free, so a refusal can only
 * mean the login.
 */
async function createdFrom(users: UserStore, { login, email, displayName }: Registration, now: number): Promise<number> {
  const person = { email, displayName, role: 'affiliate', passwordHash: null, registeredAt: now } as const;
  for (let number = 1; ; number += 1) {
    const id = await users.insert({ ...person, login: number === 1 ? login : `${login}${number}` });
    if (id !== null) return id;
  }
}
