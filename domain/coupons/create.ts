import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { ProgramUserRepository, UserRepository } from '../users/repository.ts';
import type { User } from '../users/user.ts';
import { commissionEvent } from './commission-event.ts';
import { type HandoverContext, type HandoverRepositories, handOver } from './handover.ts';
import type { CouponRepository } from './repository.ts';
import { type CouponTerms, type CouponTermsRepository, foldCode, type NewCouponTerms } from './terms.ts';

export interface CouponCreationRepositories {
  users: UserRepository;
  programUsers: ProgramUserRepository;
  coupons: CouponRepository;
  couponTerms: CouponTermsRepository;
  events: EventRepository;
}

/** When it happens, and who does it (0 for the system). */
interface CouponChangeContext {
  now: number;
  userId: number;
}

/**
 * Creates a coupon, with the given id or the next one. A user becomes an affiliate with the first coupon.
 * A coupon with the same id and code is returned unchanged. Codes need not be unique.
 */
export async function createCoupon(
  transaction: Transaction<CouponCreationRepositories>,
  { id, ...coupon }: NewCouponTerms & { id?: number | undefined },
  context: CouponChangeContext,
): Promise<{ coupon: CouponTerms; existing: boolean }> {
  const [known] = id === undefined ? [] : await transaction.couponTerms.byIds([id]);
  if (known && known.codeFolded !== foldCode(coupon.code)) throw invalid('id', `Coupon ${id} exists already, with the code ${known.code}.`);
  if (known) return { coupon: known, existing: true };
  const recipient = await recipientOf(transaction, coupon.userId);
  const made = {
    ...coupon,
    id: await transaction.couponTerms.insert(coupon, id ?? null),
    codeFolded: foldCode(coupon.code),
    handovers: 0,
    forfeits: [],
  };
  if (recipient) await recordAssignment(transaction, recipient, made, context);
  return { coupon: made, existing: false };
}

/** Assigns a coupon to a user, or to none. Taking it from a user is a hand-over; a first assignment is none. */
export async function assignCoupon(
  transaction: Transaction<CouponCreationRepositories & HandoverRepositories>,
  couponId: number,
  userId: number | null,
  context: HandoverContext,
): Promise<void> {
  const [coupon] = await transaction.couponTerms.byIds([couponId]);
  if (!coupon) throw invalid('coupon_id', 'There is no such coupon.');
  if (coupon.userId === userId) return;
  const recipient = await recipientOf(transaction, userId);
  const isHandover = coupon.userId !== null;
  if (isHandover) await handOver(transaction, coupon, recipient?.user ?? null, context);
  await transaction.couponTerms.assign(couponId, userId, coupon.handovers + (isHandover ? 1 : 0));
  if (!recipient) return;
  await recordAssignment(transaction, recipient, coupon, context);
  const amount = isHandover ? 0 : await transaction.ledger.balance(couponId, 'unpaid');
  const note = `Coupon ${couponId} was assigned with the commission of its orders.`;
  if (amount !== 0) await transaction.events.record(commissionEvent({ coupon, userId, amount, note }, context));
}

interface Recipient {
  user: User;
  hadCoupons: boolean;
}

async function recipientOf({ users, coupons, programUsers }: CouponCreationRepositories, userId: number | null): Promise<Recipient | null> {
  if (userId === null) return null;
  const user = await users.byId(userId);
  if (!user) throw invalid('user_id', 'There is no such user.');
  const hadCoupons = (await coupons.newestOf([userId], 1)).length > 0 || (await programUsers.hadCoupon(userId));
  return { user, hadCoupons };
}

/** The first coupon of a user makes a customer an affiliate. */
async function recordAssignment(
  { programUsers, events }: Transaction<{ programUsers: ProgramUserRepository; events: EventRepository }>,
  { user, hadCoupons }: Recipient,
  { id, code }: CouponTerms,
  context: CouponChangeContext,
): Promise<void> {
  await programUsers.makeAffiliate(user.id);
  if (hadCoupons) return;
  await events.record({
    kind: 'affiliate_created',
    type: 'affiliate.created',
    objectType: 'user',
    objectId: user.id,
    userId: context.userId,
    info: `${user.displayName} became an affiliate with ${code}.`,
    data: { user_id: user.id, coupon_id: id, coupon: code, coupon_ids: [id] },
    at: context.now,
  });
}

const invalid = (name: string, sentence: string): ApiError =>
  new ApiError('rest_invalid_param', { message: sentence, data: { params: { [name]: sentence } } });
