import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../errors.ts';
import type { Transaction } from '../ports.ts';
import { plainTerms } from './coupon.ts';
import { assignCoupon, createCoupon } from './create.ts';
import { type CouponTerms, foldCode } from './terms.ts';

/** A coupon as the store tells of it. What it does not tell stays as it is. */
export interface IncomingCoupon extends Partial<CouponFields> {
  id?: number | undefined;
  code: string;
}

type CouponFields = { [name in Exclude<keyof CouponTerms, 'id' | 'code' | 'codeFolded'>]: CouponTerms[name] | undefined };

/** When it happens, and who does it (0 for the system). */
interface Surroundings {
  now: number;
  userId: number;
}

export interface RecordedCoupon {
  coupon: CouponTerms;
  outcome: 'recorded' | 'changed' | 'unchanged';
}

/** The way in for coupons. New terms hold for orders that come from now on: each order keeps the rates it was recorded with. */
export async function recordCoupon(transaction: Transaction, incoming: IncomingCoupon, context: Surroundings): Promise<RecordedCoupon> {
  const known = await findExisting(transaction, incoming);
  if (!known) {
    const { coupon } = await createCoupon(transaction, { ...blank(context.now), ...definedFields(incoming) }, context);
    return { coupon, outcome: 'recorded' };
  }
  const told = { ...known, ...sameUnit(known, incoming), ...definedFields(incoming), id: known.id };
  if (isDeepStrictEqual(known, told)) return { coupon: known, outcome: 'unchanged' };
  if (told.userId !== known.userId) await assignCoupon(transaction, known.id, told.userId, context);
  await transaction.couponRecords.change(told);
  return { coupon: told, outcome: 'changed' };
}

const blank = (createdAt: number) => ({ userId: null, status: 'publish' as const, createdAt, ...plainTerms });

/** Five percent is not five euros: with another type comes another amount. */
const sameUnit = ({ discountType }: CouponTerms, incoming: IncomingCoupon): Partial<CouponTerms> =>
  incoming.discountType === undefined || incoming.discountType === discountType ? {} : { discountAmount: 0 };

const definedFields = (incoming: IncomingCoupon): Partial<CouponTerms> & Pick<CouponTerms, 'code'> =>
  Object.fromEntries(Object.entries(incoming).filter(([, value]) => value !== undefined)) as Partial<CouponTerms> & { code: string };

/**
 * By its id. Orders name coupons by their ids, so one that is held by another code is refused: a coupon under a new id would see its orders
 * credited to the other. Without an id the code has to do, as far as it tells one coupon from all others.
 */
async function findExisting({ couponTerms, couponRecords }: Transaction, incoming: IncomingCoupon): Promise<CouponTerms | undefined> {
  const { id, code, userId } = incoming;
  if (id !== undefined) {
    const [holder] = await couponTerms.byIds([id]);
    if (holder && holder.codeFolded !== foldCode(code)) throw invalid('id', `Coupon ${id} exists already, with the code ${holder.code}.`);
    return holder;
  }
  const namesakes = await couponRecords.byCode(foldCode(code));
  const [candidate, another] = namesakes.filter((coupon) => userId === undefined || coupon.userId === null || coupon.userId === userId);
  if (another) throw invalid('code', `More than one coupon has the code ${code}. Name one by its id.`);
  if (!candidate && namesakes.length > 0)
    throw invalid('code', `A coupon with the code ${code} exists already and is another's. Name one by its id.`);
  return candidate;
}

const invalid = (name: string, sentence: string): ApiError =>
  new ApiError('rest_invalid_param', { message: sentence, data: { params: { [name]: sentence } } });
