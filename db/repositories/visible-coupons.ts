import type { EntityManager } from 'typeorm';
import { type Caller, callerIsAdmin } from '../../domain/caller.ts';
import { isId } from '../entities/columns.ts';
import { couponColumns, termColumns } from '../entities/coupon-columns.ts';
import { selectJoined } from '../sql/joined-select.ts';

// Hand-written for the benchmark rows coupon-unseen and statistics: one statement reads a coupon and what is joined to it, and ownership is
// part of it, so that a foreign and a missing coupon take the same path.

export interface CouponReader {
  caller: Caller;
  couponId: number;
  /** Whether affiliates above the owner may read the coupon too. */
  upline: boolean;
}

interface Joins<Table extends string> {
  columns: Record<Table, readonly string[]>;
  computed?: Record<string, string>;
  sql: string;
}

const coupons = [...couponColumns, ...termColumns];

/** The owner and all above. `union` drops rows seen before, so a cycle of parents ends. */
const line = `
  with recursive line (id) as (
    select user_id from coupons where id = $1
    union
    select users.parent_id from users join line on line.id = users.id
  )`;

/** Returns null where the caller may not see the coupon, as for a coupon that does not exist. */
export async function selectVisibleCoupon<Table extends string = never>(
  manager: EntityManager,
  { caller, couponId, upline }: CouponReader,
  joins: Joins<Table>,
): Promise<Record<Table | 'coupons' | 'computed', Record<string, unknown>> | null> {
  if (!isId(couponId)) return null;
  const isAdmin = callerIsAdmin(caller);
  const isVisible = upline ? '(coupons.user_id = $2 or exists (select 1 from line where line.id = $2))' : 'coupons.user_id = $2';
  const [row] = await selectJoined(
    manager,
    {
      columns: { coupons, ...joins.columns },
      ...(joins.computed && { computed: joins.computed }),
      ...(upline && !isAdmin && { with: line }),
      from: `from coupons ${joins.sql} where coupons.id = $1 ${isAdmin ? '' : `and ${isVisible}`}`,
    },
    isAdmin ? [couponId] : [couponId, caller.user.id],
  );
  return (row as Record<Table | 'coupons' | 'computed', Record<string, unknown>> | undefined) ?? null;
}
