import { expect } from 'chai';
import type { Observer } from '../support/engines.ts';
import type { TestService } from '../support/service.ts';
import type { PayoutModel, UserName } from './payout-model.ts';

/** Database ids of the users and coupons of a run. */
export interface Ids {
  users: Record<UserName, number>;
  coupons: readonly number[];
}

/** Counts that grow with every change. */
export interface RowCounts {
  ledgerRows: number;
  lastEvent: number;
  mails: number;
}

type Row = Record<string, unknown>;

const countBooks = `
  select (select count(*) from ledger) as ledger, (select coalesce(max(id), 0) from events) as event, (select count(*) from mails) as mails`;

export async function countRows(observer: Observer): Promise<RowCounts> {
  const [row] = await observer.query<Row>(countBooks);
  return { ledgerRows: Number(row?.['ledger']), lastEvent: Number(row?.['event']), mails: Number(row?.['mails']) };
}

export async function eventsAfter(observer: Observer, { lastEvent }: RowCounts): Promise<{ kind: string; payout: number; by: number }[]> {
  const rows = await observer.query<Row>(`select kind, object_id, user_id from events where id > ${lastEvent} order by id`);
  return rows.map((row) => ({ kind: String(row['kind']), payout: Number(row['object_id']), by: Number(row['user_id']) }));
}

/** Balances and payouts equal those of the model, and the ledger verifies. */
export async function expectSameAsModel(
  { observer, service }: { observer: Observer; service: TestService },
  { coupons }: Ids,
  model: PayoutModel,
): Promise<void> {
  const list = coupons.join(', ');
  const rows = await observer.query<Row>(`select * from coupons where id in (${list}) order by id`);
  const pools = ['pending_order_minor', 'unpaid_minor', 'pending_payout_minor', 'paid_minor'];
  const expected = coupons.map((_id, coupon) => Object.values(model.pools(coupon)));
  expect(rows.map((row) => pools.map((pool) => Number(row[pool])))).to.deep.equal(expected);
  const payouts = await observer.query<Row>(`select * from payouts where coupon_id in (${list}) order by id`);
  expect(payouts.map(payoutOf)).to.deep.equal(
    model.payouts.map(({ id, coupon, amount, status, paidAt }) => ({ id, coupon: coupons[coupon], amount, status, paidAt })),
  );
  const open = payouts
    .filter(({ status }) => !['paid', 'cancel', 'failed'].includes(String(status)))
    .map((row) => Number(row['coupon_id']));
  expect(new Set(open).size, 'one open payout for a coupon').to.equal(open.length);
  expect(await service.differences()).to.deep.equal([]);
}

const payoutOf = (row: Row) => ({
  id: Number(row['id']),
  coupon: Number(row['coupon_id']),
  amount: Number(row['amount_minor']),
  status: row['status'],
  paidAt: row['paid_at'] === null ? null : Number(row['paid_at']),
});
