import { type EntityManager, MoreThan } from 'typeorm';
import type { ExportedCoupon, ExportRepository } from '../../domain/records/exported.ts';
import { clicks } from '../entities/clicks.ts';
import { bigint, nullable, text } from '../entities/columns.ts';
import { orders } from '../entities/orders.ts';
import { payoutDetails } from '../entities/payouts.ts';
import { registrations } from '../entities/registrations.ts';
import { users } from '../entities/users.ts';
import { type Projection, projectionOf, resultColumns, selectRows } from '../sql/projection.ts';
import { couponTermsRepository } from './coupons.ts';
import { userRecord } from './users.ts';

// By hand: an export reads millions of rows, in batches that start after the last key, so that the last batch costs what the first does.

export const exportRepository = (manager: EntityManager): ExportRepository => ({
  users: (after, limit) => selectBatch(manager, exportedUser, selectUsers, after, limit),
  coupons: (after, limit) => exportCoupons(manager, after, limit),
  orders: (after, limit) => selectBatch(manager, exportedOrder, selectOrders, after, limit),
  clicks: (after, limit) => selectBatch(manager, click, selectClicks, after, limit),
  openRegistrations: (after, limit) =>
    manager.find(registrations, { where: { status: 'pending', id: MoreThan(after) }, order: { id: 'ASC' }, take: limit }),
  payoutDetails: (after, limit) => selectBatch(manager, exportedDetails, selectPayoutDetails, after, limit),
});

const selectBatch = <Row>(
  manager: EntityManager,
  projection: Projection<Row>,
  select: string,
  after: number,
  limit: number,
): Promise<Row[]> => selectRows(manager, projection, `${select} limit ${limit}`, [after]);

const user = projectionOf(users, userRecord);
const exportedUser = user.plus({ parentLogin: nullable(text('parent_login')), disabledAt: nullable(bigint('disabled_at')) });
const selectUsers = `
  select ${user.list()}, disabled_at, (select login from users as parents where parents.id = users.parent_id) as parent_login
  from users where id > $1 order by id`;

const couponOwner = resultColumns({ id: bigint('id'), login: nullable(text('login')) });
const selectCouponOwners = `
  select coupons.id, users.login from coupons left join users on users.id = coupons.user_id where coupons.id > $1 order by coupons.id`;

async function exportCoupons(manager: EntityManager, after: number, limit: number): Promise<ExportedCoupon[]> {
  const rows = await selectBatch(manager, couponOwner, selectCouponOwners, after, limit);
  const ownerOf = new Map(rows.map(({ id, login }) => [id, login]));
  const found = await couponTermsRepository(manager).byIds([...ownerOf.keys()]);
  return found.map((coupon) => ({ ...coupon, ownerLogin: ownerOf.get(coupon.id) ?? null }));
}

const order = projectionOf(orders);
const exportedOrder = order.plus({ subscription: nullable(text('subscription')) });
const selectOrders = `
  select ${order.list()}, (select subscription from subscription_payments as paid where paid.order_id = orders.order_id) as subscription
  from orders where order_id > $1 order by order_id`;

const click = projectionOf(clicks, ['id', 'couponId', 'day', 'clickedAt', 'visitorHash', 'campaign', 'referrer', 'landingPage']);
const selectClicks = `select ${click.list()} from clicks where id > $1 order by id`;

const details = projectionOf(payoutDetails, ['userId', 'method', 'methodType']);
const exportedDetails = details.plus({ login: text('login') });
const selectPayoutDetails = `
  select ${details.list('payout_details')}, users.login from payout_details join users on users.id = payout_details.user_id
  where user_id > $1 order by user_id`;
