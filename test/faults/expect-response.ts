import { expect } from 'chai';
import { errorTable } from '../../domain/errors.ts';
import type { ModelPayout, PredictedResponse, Status } from './payout-model.ts';
import type { Ids } from './payout-rows.ts';

/** The client has validated the body against the contract. */
export interface Reply {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

const internalStatuses: Partial<Record<Status, string>> = { processing: 'created', failed: 'cancel' };
const apiStatus = (status: Status): string => internalStatuses[status] ?? status;
const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString().slice(0, 19));

/** `first`: the earlier response to this Idempotency-Key. */
export function expectResponse(reply: Reply, predicted: PredictedResponse, first: Reply | undefined, { coupons }: Ids): void {
  const { status, headers, body } = reply;
  const existing = headers.get('X-Svc-Existing');
  if (predicted.is === 'replay')
    return void expect([status, existing, body]).to.deep.equal([first?.status, first?.headers.get('X-Svc-Existing'), first?.body]);
  if (predicted.is === 'refusal') {
    const expected = errorTable[predicted.code as keyof typeof errorTable].status;
    return void expect([status, body.code]).to.deep.equal([expected, predicted.code]);
  }
  const isNew = predicted.is === 'created';
  expect([status, existing], JSON.stringify(body)).to.deep.equal([isNew ? 201 : 200, predicted.is === 'existing' ? '1' : null]);
  expectPayout(body, predicted.payout, coupons);
  if (isNew) expect([body.gateway_triggered, 'gateway_notice' in body]).to.deep.equal([predicted.triggered, predicted.notice]);
}

function expectPayout(body: Reply['body'], { id, coupon, amount, status, paidAt }: ModelPayout, coupons: readonly number[]): void {
  if (id !== 0) expect(body.id).to.equal(id);
  expect([body.coupon_id, Math.round(body.amount * 100), body.status, body.date_paid]).to.deep.equal([
    coupons[coupon],
    amount,
    apiStatus(status),
    moment(paidAt),
  ]);
}
