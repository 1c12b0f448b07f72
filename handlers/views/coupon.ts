import type { Coupon } from '../../domain/coupons/coupon.ts';
import { localDateTime } from '../../domain/dates.ts';
import { toNumber } from '../../domain/money.ts';
import type { components } from '../../generated/api.d.ts';
import type { Settings } from '../../site/settings/settings.ts';

export function couponView(coupon: Coupon, { store }: Settings): components['schemas']['Coupon'] {
  const { unpaid, pendingOrder, pendingPayout, paid } = coupon.balances;
  return {
    id: coupon.id,
    code: coupon.code,
    user_id: coupon.userId ?? 0,
    status: coupon.status,
    date_created: localDateTime(coupon.createdAt, store.timezone),
    unpaid_commission: toNumber(unpaid, store.currency),
    pending_order_commission: toNumber(pendingOrder, store.currency),
    pending_payout_commission: toNumber(pendingPayout, store.currency),
    paid_commission: toNumber(paid, store.currency),
  };
}
