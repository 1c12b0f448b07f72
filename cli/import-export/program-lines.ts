import type { IncomingClick } from '../../domain/clicks/incoming.ts';
import type { IncomingOrder } from '../../domain/orders/incoming.ts';
import type { Application } from '../../domain/registrations/application.ts';
import { Fault, type Store } from './fields.ts';
import { readClick } from './kinds/click.ts';
import { type CouponLine, readCoupon } from './kinds/coupon.ts';
import { readOrder } from './kinds/order.ts';
import { type PayoutDetailsLine, readPayoutDetails } from './kinds/payout-details.ts';
import { readRegistration } from './kinds/registration.ts';
import { readUser, type UserLine } from './kinds/user.ts';
import type { Kind } from './kinds.ts';
import type { RawLine } from './raw-lines.ts';
import type { BadLine } from './text-lines.ts';

/** What each kind of line tells, once it is read. */
export interface Told {
  user: UserLine;
  coupon: CouponLine;
  order: IncomingOrder;
  click: IncomingClick;
  registration: Application;
  payout_details: PayoutDetailsLine;
}

export type ProgramLine = { [kind in Kind]: LineOf<kind> }[Kind];

export interface LineOf<OneKind extends Kind> {
  line: number;
  kind: OneKind;
  told: Told[OneKind];
}

const readers: { [kind in Kind]: (raw: Record<string, unknown>, store: Store) => Told[kind] } = {
  user: readUser,
  coupon: readCoupon,
  order: readOrder,
  click: readClick,
  registration: readRegistration,
  payout_details: readPayoutDetails,
};

export function readLine({ line, kind, raw }: RawLine, store: Store): ProgramLine | BadLine {
  try {
    return { line, kind, told: readers[kind](raw, store) } as ProgramLine;
  } catch (error) {
    if (error instanceof Fault) return { line, reason: error.message };
    throw error;
  }
}
