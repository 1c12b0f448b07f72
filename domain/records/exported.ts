import type { Click } from '../clicks/repository.ts';
import type { CouponTerms } from '../coupons/terms.ts';
import type { Order } from '../orders/order.ts';
import type { PayoutDetails } from '../payout-details/payout-details.ts';
import type { Registration } from '../registrations/registration.ts';
import type { UserRecord } from '../users/repository.ts';

export interface ExportedUser extends UserRecord {
  id: number;
  parentLogin: string | null;
  disabledAt: number | null;
}

export interface ExportedCoupon extends CouponTerms {
  /** The login of the affiliate it is assigned to. */
  ownerLogin: string | null;
}

export interface ExportedClick extends Click {
  id: number;
}

export interface ExportedOrder extends Order {
  subscription: string | null;
}

/** Never the destination itself. */
export interface ExportedPayoutDetails extends Pick<PayoutDetails, 'userId' | 'method' | 'methodType'> {
  login: string;
}

/** Imported records in batches: keys above the given one in ascending order, at most `limit`. */
export interface ExportRepository {
  users(after: number, limit: number): Promise<ExportedUser[]>;
  coupons(after: number, limit: number): Promise<ExportedCoupon[]>;
  orders(after: number, limit: number): Promise<ExportedOrder[]>;
  clicks(after: number, limit: number): Promise<ExportedClick[]>;
  /** Undecided applications. */
  openRegistrations(after: number, limit: number): Promise<Registration[]>;
  payoutDetails(after: number, limit: number): Promise<ExportedPayoutDetails[]>;
}
