import type { Click } from '../clicks/click.ts';
import type { CouponTerms } from '../coupons/terms.ts';
import type { Order } from '../orders/order.ts';
import type { PayoutDetails } from '../payout-details/payout-details.ts';
import type { Registration } from '../registrations/registration.ts';
import type { UserRecord } from '../users/record-store.ts';

export interface ExportedUser extends UserRecord {
  id: number;
  parentLogin: string | null;
}

export interface ExportedCoupon extends CouponTerms {
  /** The login of the affiliate it is assigned to. */
  ownerLogin: string | null;
}

export interface ExportedClick extends Click {
  id: number;
}

/** Never the destination itself. */
export interface ExportedPayoutDetails extends Pick<PayoutDetails, 'userId' | 'method' | 'methodType'> {
  login: string;
}

/** Everything that came in, in pieces: what has a higher key than the given one, lowest first, at most so many. */
export interface ExportStore {
  users(after: number, limit: number): Promise<ExportedUser[]>;
  coupons(after: number, limit: number): Promise<ExportedCoupon[]>;
  orders(after: number, limit: number): Promise<Order[]>;
  clicks(after: number, limit: number): Promise<ExportedClick[]>;
  /** Those that nobody has decided on yet. */
  openRegistrations(after: number, limit: number): Promise<Registration[]>;
  payoutDetails(after: number, limit: number): Promise<ExportedPayoutDetails[]>;
}
