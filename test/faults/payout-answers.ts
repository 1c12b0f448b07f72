import { expect } from 'chai';
import { errorTable } from '../../domain/errors.ts';
import type { Ids } from './payout-books.ts';
import type { Answer, ModelPayout, Status } from './payout-model.ts';

/** The client has checked the body against the contract before. */
export interface Reply {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

const readsAs = (status: Status): string => (status === 'processing' ? 'created' : status);
const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString().slice(0, 19));

/** `first`: what this use of an Idempotency-Key was answered before. */
export function expectAnswer(reply: Reply, answer: Answer, first: Reply | undefined, { coupons }: Ids): void {
  const { status, headers, body } = reply;
  const existing = headers.get('X-Svc-Existing');
  if (answer.is === 'replay')
    return void expect([status, existing, body]).to.deep.equal([first?.status, first?.headers.get('X-Svc-Existing'), first?.body]);
  if (answer.is === 'refusal') {
    const expected = errorTable[answer.code as keyof typeof errorTable].status;
    return void expect([status, body.code]).to.deep.equal([expected, answer.code]);
  }
  const isNew = answer.is === 'created';
  expect([status, existing], JSON.stringify(body)).to.deep.equal([isNew ? 201 : 200, answer.is === 'existing' ? '1' : null]);
  expectPayout(body, answer.payout, coupons);
  if (isNew) expect([body.gateway_triggered, 'gateway_notice' in body]).to.deep.equal([answer.triggered, answer.notice]);
}

function expectPayout(body: Reply['body'], { id, coupon, amount, status, paidAt }: ModelPayout, coupons: readonly number[]): void {
  if (id !== 0) expect(body.id).to.equal(id);
  expect([body.coupon_id, Math.round(body.amount * 100), body.status, body.date_paid]).to.deep.equal([
    coupons[coupon],
    amount,
    readsAs(status),
    moment(paidAt),
  ]);
}
