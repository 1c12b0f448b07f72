import type { CouponTerms } from './terms.ts';

export interface CouponRecordStore {
  /** Whatever their status, oldest first. */
  byCode(foldedCode: string): Promise<CouponTerms[]>;
  /** Everything but whose it is. */
  change(coupon: CouponTerms): Promise<void>;
}
