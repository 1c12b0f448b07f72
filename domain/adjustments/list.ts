import type { CouponTermsRepository } from '../coupons/terms.ts';
import type { Page, Paged } from '../page.ts';
import type { UserRepository } from '../users/repository.ts';
import { type Caller, callerIsAdmin, type User } from '../users/user.ts';
import type { Adjustment, AdjustmentFilter, AdjustmentRepository } from './adjustment.ts';

export interface NamedAdjustment extends Adjustment {
  couponCode: string;
  /** The affiliate. */
  displayName: string;
  /** Undefined where the caller may not know. Null where it was no user. */
  by?: User | null;
}

interface NameRepositories {
  couponTerms: CouponTermsRepository;
  users: UserRepository;
}

/** Callers other than admins see their own, whatever the filter. */
export async function listAdjustments(
  db: NameRepositories & { adjustments: AdjustmentRepository },
  caller: Caller,
  filter: AdjustmentFilter,
  page: Page,
): Promise<Paged<NamedAdjustment>> {
  const own = callerIsAdmin(caller) ? filter : { ...filter, userId: caller.user.id };
  const { items, total } = await db.adjustments.page(own, page);
  return { items: await nameAdjustments(db, caller, items), total };
}

/** Adds the names that a caller may see. */
export async function nameAdjustments(
  { couponTerms, users }: NameRepositories,
  caller: Caller,
  adjustments: readonly Adjustment[],
): Promise<NamedAdjustment[]> {
  const [coupons, people] = await Promise.all([
    couponTerms.byIds([...new Set(adjustments.map(({ couponId }) => couponId))]),
    users.byIds([...new Set(adjustments.flatMap(({ userId, createdBy }) => [userId, createdBy]))]),
  ]);
  const codes = new Map(coupons.map(({ id, code }) => [id, code]));
  const byId = new Map(people.map((user) => [user.id, user]));
  return adjustments.map((adjustment) => ({
    ...adjustment,
    couponCode: codes.get(adjustment.couponId) ?? '',
    displayName: byId.get(adjustment.userId)?.displayName ?? '',
    ...(callerIsAdmin(caller) && { by: byId.get(adjustment.createdBy) ?? null }),
  }));
}
