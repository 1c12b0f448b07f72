import { createCoupon } from '../coupons/create.ts';
import { ApiError } from '../errors.ts';
import type { Stores, Transaction, UserStore } from '../ports.ts';
import type { Program } from '../program.ts';
import { applicantOf } from './applicant.ts';
import type { Registration } from './registration.ts';

interface Surroundings {
  program: Program;
  now: number;
  userId: number;
}

/** What acceptance brings: the applicant is a user, with a coupon made from the store's template. */
export async function admit(
  transaction: Transaction,
  registration: Registration,
  surroundings: Surroundings,
): Promise<{ userId: number; couponId: number }> {
  const { couponCode: code } = registration;
  await refuseTakenCode(transaction, code);
  const userId = await userFor(transaction.users, registration, now);
  await transaction.registrations.introduce(userId, registration);
  return { userId, couponId: 0 };
}

/** Published or not: a draft with this code, published one day, would share it with the new affiliate's coupon, and orders with it. */
export async function refuseTakenCode({ registrations }: Stores, code: string): Promise<void> {
  if (await registrations.codeIsTaken(code))
    throw new ApiError('svc_api_not_updated', { message: `A coupon with the code ${code} exists already.` });
}

/** The user who applied, if they still exist; else the one with this email; else a new one. */
async function userFor(users: UserStore, registration: Registration, now: number): Promise<number> {
  const { userId, email } = registration;
  const user = (userId === null ? null : await users.byId(userId)) ?? (await applicantOf(users, email));
  return user?.id ?? createdFrom(users, registration, now);
}

/**
 * Whoever has the login has another email, so is somebody else: the applicant gets it with a number. The email is free, as was just seen,
 * so a refusal can only mean the login.
 */
async function createdFrom(users: UserStore, { login, email, displayName }: Registration, now: number): Promise<number> {
  const person = { email, displayName, role: 'affiliate', passwordHash: null, registeredAt: now } as const;
  for (let number = 1; ; number += 1) {
    const id = await users.insert({ ...person, login: number === 1 ? login : `${login}${number}` });
    if (id !== null) return id;
  }
}
