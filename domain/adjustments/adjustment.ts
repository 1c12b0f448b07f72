import type { Minor } from '../money.ts';
import type { Page, Paged } from '../page.ts';

/** A bonus or a correction of a coupon's unpaid balance. */
export interface Adjustment {
  id: number;
  couponId: number;
  /** The affiliate of the coupon at that time. */
  userId: number;
  /** Below zero for a correction. Never zero. */
  amount: Minor;
  note: string;
  /** Who entered it; 0 for the system. */
  createdBy: number;
  createdAt: number;
}

export interface AdjustmentFilter {
  userId?: number;
  couponId?: number;
}

export interface AdjustmentRepository {
  /** Returns the id. */
  insert(adjustment: Omit<Adjustment, 'id'>): Promise<number>;
  /** Newest first. */
  page(filter: AdjustmentFilter, page: Page): Promise<Paged<Adjustment>>;
}
