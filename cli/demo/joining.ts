import { createCoupon } from '../../domain/coupons/create.ts';
import { savePayoutDetails } from '../../domain/payout-details/save.ts';
import type { Transaction } from '../../domain/ports.ts';
import { decideRegistration } from '../../domain/registrations/decide.ts';
import type { Registration } from '../../domain/registrations/registration.ts';
import { submitApplication } from '../../domain/registrations/submit.ts';
import { setParent } from '../../domain/users/program.ts';
import { recordUser } from '../../domain/users/record.ts';
import type { PlannedAffiliate, PlannedCoupon } from './affiliates.ts';
import type { Surroundings } from './demo-context.ts';

/** When it happens, and who decides where somebody must. */
export interface Moment {
  now: number;
  adminId: number;
}

export interface Joined {
  userId: number;
  /** In the order of the plan. */
  couponIds: number[];
}

/** Makes somebody an affiliate, as the store would or by their own application, at the moment at which they joined. */
export async function join(
  transaction: Transaction,
  planned: PlannedAffiliate,
  parentId: number | null,
  { now, adminId }: Moment,
  surroundings: Surroundings,
): Promise<Joined> {
  const [main, ...others] = planned.coupons;
  const first = planned.applied
    ? await accepted(transaction, planned, { now, adminId }, surroundings)
    : await invited(transaction, planned, main, now);
  const couponIds = [first.couponId];
  for (const coupon of others) couponIds.push(await makeCoupon(transaction, coupon, first.userId, now));
  if (parentId !== null) await setParent(transaction, first.userId, parentId);
  if (planned.payout) {
    const details = { ...planned.payout, userId: first.userId };
    await savePayoutDetails(transaction, details, { now, userId: first.userId, ...surroundings.secrets });
  }
  return { userId: first.userId, couponIds };
}

interface First {
  userId: number;
  couponId: number;
}

async function invited(
  transaction: Transaction,
  { login, displayName, promote, groups }: PlannedAffiliate,
  coupon: PlannedCoupon | undefined,
  now: number,
): Promise<First> {
  const profile = { website: `https://${login}.example`, promote };
  const user = { login, email: `hello@${login}.example`, displayName, registeredAt: now, profile, groups };
  const { id: userId } = await recordUser(transaction, user, { now });
  if (!coupon) throw new Error(`${displayName} is planned without a coupon.`);
  return { userId, couponId: await makeCoupon(transaction, coupon, userId, now) };
}

/** On the terms of the store's template, which are those of the plan. */
async function accepted(transaction: Transaction, planned: PlannedAffiliate, moment: Moment, surroundings: Surroundings): Promise<First> {
  const submitted = await apply(transaction, planned, moment.now - 86_400_000, surroundings);
  const { userId, couponId } = await decide(transaction, submitted, 'accepted', moment, surroundings);
  if (userId === null || couponId === null) throw new Error(`${planned.displayName} was accepted without a user or a coupon.`);
  return { userId, couponId };
}

export async function apply(
  transaction: Transaction,
  { login, displayName, promote, coupons }: Pick<PlannedAffiliate, 'login' | 'displayName' | 'promote' | 'coupons'>,
  at: number,
  { program }: Surroundings,
): Promise<Registration> {
  const couponCode = coupons[0]?.code;
  const application = { login, email: `hello@${login}.example`, displayName, couponCode, promote, website: `https://${login}.example`, at };
  return (await submitApplication(transaction, application, { program, now: at })).registration;
}

/** Without a mail: it would have been sent long ago. */
export const decide = (
  transaction: Transaction,
  registration: Registration,
  to: 'accepted' | 'declined',
  { now, adminId }: Moment,
  { program }: Surroundings,
): Promise<Registration> => {
  const message = to === 'accepted' ? 'Welcome!' : 'We are looking for sites about being outdoors.';
  const asked = { to, message, sendEmail: false };
  return decideRegistration(transaction, registration, asked, { program, now, userId: adminId });
};

export async function makeCoupon(transaction: Transaction, planned: PlannedCoupon, userId: number | null, now: number): Promise<number> {
  const { code, status, percent, discountType, discount } = planned;
  const terms = {
    percentThousandths: percent === null ? null : percent * 1000,
    fixedPerOrder: null,
    fixedPerProduct: null,
    discountType,
    discountAmount: discountType === 'percent' ? discount * 1000 : discount,
  };
  const { coupon } = await createCoupon(transaction, { code, status, userId, createdAt: now, ...terms }, { now, userId: 0 });
  return coupon.id;
}
