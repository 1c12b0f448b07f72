import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../errors.ts';
import type { Transaction } from '../unit-of-work.ts';
import { plainTerms } from './coupon.ts';
import { assignCoupon, type CouponCreationRepositories, createCoupon } from './create.ts';
import type { HandoverContext, HandoverRepositories } from './handover.ts';
import type { CouponRecordRepository } from './repository.ts';
import { type CouponTerms, foldCode } from './terms.ts';

/** A coupon as the store sends it. Missing fields keep their value. */
export interface IncomingCoupon extends Partial<CouponFields> {
  id?: number | undefined;
  code: string;
}

type CouponFields = {
  [name in Exclude<keyof CouponTerms, 'id' | 'code' | 'codeFolded' | 'handovers' | 'forfeits'>]: CouponTerms[name] | undefined;
};

export interface CouponRecordingRepositories extends CouponCreationRepositories, HandoverRepositories {
  couponRecords: CouponRecordRepository;
}

export interface RecordedCoupon {
  coupon: CouponTerms;
  outcome: 'recorded' | 'changed' | 'unchanged';
}

/**
 * Creates or updates a coupon. New terms apply to later orders: each order keeps the rates it was recorded with. `mayChange` can throw, with
 * the coupon that is stored.
 */
export async function recordCoupon(
  transaction: Transaction<CouponRecordingRepositories>,
  incoming: IncomingCoupon,
  context: HandoverContext,
  mayChange: (stored: CouponTerms) => Promise<void> = async () => {},
): Promise<RecordedCoupon> {
  const known = await findExisting(transaction, incoming);
  if (known) await mayChange(known);
  if (!known) {
    const { coupon } = await createCoupon(transaction, { ...blank(context.now), ...definedFields(incoming) }, context);
    return { coupon, outcome: 'recorded' };
  }
  const updated = { ...known, ...sameUnit(known, incoming), ...definedFields(incoming), id: known.id };
  if (isDeepStrictEqual(known, updated)) return { coupon: known, outcome: 'unchanged' };
  if (updated.userId !== known.userId) await assignCoupon(transaction, known.id, updated.userId, context);
  await transaction.couponRecords.change(updated);
  return { coupon: updated, outcome: 'changed' };
}

const blank = (createdAt: number) => ({ userId: null, status: 'publish' as const, createdAt, ...plainTerms });

/** The amount of another discount type has another unit, so it is reset. */
const sameUnit = ({ discountType }: CouponTerms, incoming: IncomingCoupon): Partial<CouponTerms> =>
  incoming.discountType === undefined || incoming.discountType === discountType ? {} : { discountAmount: 0 };

const definedFields = (incoming: IncomingCoupon): Partial<CouponTerms> & Pick<CouponTerms, 'code'> =>
  Object.fromEntries(Object.entries(incoming).filter(([, value]) => value !== undefined)) as Partial<CouponTerms> & { code: string };

/**
 * Finds by id. An id that has another code is refused: orders name coupons by id, so a coupon stored under a new id would see its orders
 * credited to the other. Without an id, finds by a code that is unambiguous.
 */
async function findExisting(
  { couponTerms, couponRecords }: CouponRecordingRepositories,
  incoming: IncomingCoupon,
): Promise<CouponTerms | undefined> {
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
