import type { EntityManager } from 'typeorm';
import { askedTogether } from '../engine/batch-loader.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { couponColumns, termColumns } from '../entities/coupon-columns.ts';
import { jsonRows, jsonTable } from '../sql/json-parameters.ts';
import { manyRows } from '../sql/json-select.ts';

/** Who wants to read which coupon. */
export interface CouponAsked {
  couponId: number;
  readerId: number;
  isAdmin: boolean;
  /** Whether those above its owner may read it too. */
  upline: boolean;
}

type Row = Record<string, unknown>;

const columns = [...couponColumns, ...termColumns];

// The line is the owner and everybody above. `union` drops what was seen before, so even a circle of parents comes to an end.
const visible = (manager: EntityManager): string => `
  with recursive given as (
    select * from ${jsonTable(manager, { place: 'bigint', coupon_id: 'bigint', reader_id: 'bigint', admin: 'bigint', upline: 'bigint' })} as asked
  ),
  line (place, id) as (
    select given.place, coupons.user_id from given join coupons on coupons.id = given.coupon_id where given.upline = 1
    union
    select line.place, users.parent_id from users join line on line.id = users.id
  )
  select given.place, ${columns.map((column) => `coupons.${column}`).join(', ')}
  from given join coupons on coupons.id = given.coupon_id ${lookedUp(manager)}
  where given.admin = 1 or coupons.user_id = given.reader_id
    or exists (select 1 from line where line.place = given.place and line.id = given.reader_id)`;

/** Says nothing new, but makes PostgreSQL look few coupons up by their key, where it would else read them all (see `isAmong`). */
const lookedUp = (manager: EntityManager): string =>
  manager.connection.options.type === 'postgres' ? 'and coupons.id = any (array(select coupon_id from given))' : '';

/** The coupon if the reader may see it, for everybody who asks at the same time in one statement: foreign or missing, it takes the same. */
export const visibleCoupon = (manager: EntityManager, asked: CouponAsked): Promise<Row | null> =>
  askedTogether(manager, visible, asked, async (all) => {
    const rows = await manyRows(manager, ['place', ...columns], visible(manager), jsonRows(all.map(valuesOf)));
    const byPlace = new Map(rows.map((row) => [toSafeInteger(row['place']), row]));
    return all.map((_, place) => byPlace.get(place) ?? null);
  });

const valuesOf = ({ couponId, readerId, isAdmin, upline }: CouponAsked, place: number): number[] => [
  place,
  couponId,
  readerId,
  Number(isAdmin),
  Number(upline && !isAdmin),
];
