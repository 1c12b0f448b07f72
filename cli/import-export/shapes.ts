import type { Shape } from './fields.ts';
import { clickFields } from './kinds/click.ts';
import { couponFields } from './kinds/coupon.ts';
import { orderFields } from './kinds/order.ts';
import { payoutDetailsFields } from './kinds/payout-details.ts';
import { registrationFields } from './kinds/registration.ts';
import { userFields } from './kinds/user.ts';
import type { Kind } from './kinds.ts';

/** The fields of each kind of line, as decision 14 lists them. */
export const fieldsOf: Record<Kind, Shape> = {
  user: userFields,
  coupon: couponFields,
  order: orderFields,
  click: clickFields,
  registration: registrationFields,
  payout_details: payoutDetailsFields,
};
