import { expect } from 'chai';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';
import type { Observer } from '../support/engines.ts';
import type { TestService } from '../support/service.ts';
import type { PayoutModel, Person } from './payout-model.ts';

/** What the people and coupons of a trial are called in the database. */
export interface Ids {
  people: Record<Person, number>;
  coupons: readonly number[];
}

/** What grows with everything that happens, and with nothing else. */
export interface Books {
  ledgerRows: number;
  lastEvent: number;
  mails: number;
}

type Row = Record<string, unknown>;

const countBooks = `
  select (select count(*) from ledger) as ledger, (select coalesce(max(id), 0) from events) as event, (select count(*) from mails) as mails`;

export async function booksOf(observer: Observer): Promise<Books> {
  const [row] = await observer.query<Row>(countBooks);
  return { ledgerRows: Number(row?.['ledger']), lastEvent: Number(row?.['event']), mails: Number(row?.['mails']) };
}

/** What the feed has told since. */
export async function toldAfter(observer: Observer, { lastEvent }: Books): Promise<{ kind: string; payout: number; by: number }[]> {
  const rows = await observer.query<Row>(`select kind, object_id, user_id from events where id > ${lastEvent} order by id`);
  return rows.map((row) => ({ kind: String(row['kind']), payout: Number(row['object_id']), by: Number(row['user_id']) }));
}

/** The database holds what the model says, coupon by coupon and payout by payout, and the ledger proves itself. */
export async function expectAgreement(
  { observer, service }: { observer: Observer; service: TestService },
  { coupons }: Ids,
  model: PayoutModel,
): Promise<void> {
  const list = coupons.join(', ');
  const kept = await observer.query<Row>(`select * from coupons where id in (${list}) order by id`);
  const pools = ['pending_order_minor', 'unpaid_minor', 'pending_payout_minor', 'paid_minor'];
  const expected = coupons.map((_id, coupon) => Object.values(model.pools(coupon)));
  expect(kept.map((row) => pools.map((pool) => Number(row[pool])))).to.deep.equal(expected);
  const payouts = await observer.query<Row>(`select * from payouts where coupon_id in (${list}) order by id`);
  expect(payouts.map(payoutOf)).to.deep.equal(
    model.payouts.map(({ id, coupon, amount, status, paidAt }) => ({ id, coupon: coupons[coupon], amount, status, paidAt })),
  );
  const open = payouts.filter(({ status }) => status !== 'paid' && status !== 'cancel').map((row) => Number(row['coupon_id']));
  expect(new Set(open).size, 'one open payout for a coupon').to.equal(open.length);
  expect(listSentences(await service.storage.read((stores) => verifyLedger(stores, String)))).to.deep.equal([]);
}

const payoutOf = (row: Row) => ({
  id: Number(row['id']),
  coupon: Number(row['coupon_id']),
  amount: Number(row['amount_minor']),
  status: row['status'],
  paidAt: row['paid_at'] === null ? null : Number(row['paid_at']),
});
