import type { Coupon, Terms } from './coupon.ts';

/** The fields of a coupon that recording orders needs. */
export interface CouponTerms extends Pick<Coupon, 'id' | 'code' | 'userId' | 'status' | 'createdAt'>, Terms {
  /** The code in the form used for comparison. */
  codeFolded: string;
  /** How often it has changed hands. */
  handovers: number;
  /** The hand-overs at which its owner was erased, counted from 0: their balances were forfeited to the store. */
  forfeits: readonly number[];
}

export type NewCouponTerms = Omit<CouponTerms, 'id' | 'codeFolded' | 'handovers' | 'forfeits'>;

export interface CouponTermsRepository {
  byIds(ids: readonly number[]): Promise<CouponTerms[]>;
  /** Every published coupon that answers to one of these codes. */
  publishedByCodes(foldedCodes: readonly string[]): Promise<CouponTerms[]>;
  /** Of each user the oldest published coupon; users without one are left out. */
  oldestPublishedOf(userIds: readonly number[]): Promise<CouponTerms[]>;
  /** With the given id, which must be free, or with the next one. */
  insert(coupon: NewCouponTerms, id: number | null): Promise<number>;
  /** The former owner stays an affiliate. */
  assign(id: number, userId: number | null, handovers: number): Promise<void>;
  /** The owner stays, and later changes of orders from before concern no balance of the coupon. */
  forfeit(id: number, handover: Pick<CouponTerms, 'handovers' | 'forfeits'>): Promise<void>;
}

/** Codes are compared ignoring case, in one way of writing letters that have several. */
export const foldCode = (code: string): string => code.normalize('NFC').toLowerCase();
