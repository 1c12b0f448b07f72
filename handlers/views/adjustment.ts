import type { NamedAdjustment } from '../../domain/adjustments/list.ts';
import { localDateTime } from '../../domain/dates.ts';
import { toNumber } from '../../domain/money.ts';
import type { components } from '../../generated/api.d.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { userRefView } from './user.ts';

export const adjustmentView = (adjustment: NamedAdjustment, { store }: Settings): components['schemas']['Adjustment'] => ({
  id: adjustment.id,
  user: { id: adjustment.userId, display_name: adjustment.displayName },
  coupon_id: adjustment.couponId,
  coupon_code: adjustment.couponCode,
  amount: toNumber(adjustment.amount, store.currency),
  note: adjustment.note,
  ...(adjustment.by !== undefined && { by: userRefView(adjustment.by) }),
  date: localDateTime(adjustment.createdAt, store.timezone),
});
