import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';

// The examples describe one program: Trail Notes (42) earns with TRAIL10 (301) and is paid by payout 501; Summit Weekly (17) is its parent.
const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
const example = (name: string) => contract.components.examples[name].value;
const cents = (amount: number): number => Math.round(amount * 100);
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + cents(amount), 0);

interface Order {
  order_id: number;
  total: number;
  discount: number;
  refunded_amount: number;
  commission: number;
  commission_status: string;
}
const orders: Order[] = example('orders');

/** Every `{ key: value }` anywhere inside the examples. */
function* pairs(node: unknown): Generator<[string, unknown]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    yield [key, value];
    yield* pairs(value);
  }
}
const everyValueOf = (key: string): unknown[] => {
  const found = Object.values<{ value: unknown }>(contract.components.examples).flatMap(({ value }) => [...pairs(value)]);
  return [...new Set(found.filter(([name]) => name === key).map(([, value]) => value))];
};

describe('the examples of the contract', () => {
  it('have a commission of ten percent after discount, reduced by the refund', () => {
    for (const { total, discount, refunded_amount: refunded, commission, order_id: id } of orders) {
      const net = cents(total) - cents(discount);
      const full = Math.round(net / 10);
      expect(cents(commission), `order ${id}`).to.equal(Math.round((full * (net - cents(refunded))) / net));
    }
  });

  it('have figures of coupon, affiliate and report that are the sums of the orders', () => {
    const figures = {
      orders_count: orders.length,
      total_sales: (sum(orders.map(({ total }) => total)) - sum(orders.map(({ refunded_amount: refunded }) => refunded))) / 100,
      total_discount: sum(orders.map(({ discount }) => discount)) / 100,
      total_commission: sum(orders.map(({ commission }) => commission)) / 100,
    };
    for (const record of [example('coupon-stats'), example('coupon').stats, example('affiliate-stats').totals, example('report').totals])
      expect(record).to.include(figures);
  });

  it('have a payout of exactly the granted commission', () => {
    const granted = orders.filter(({ commission_status: status }) => status === 'granted').map(({ commission }) => commission);
    expect(cents(example('payout-paid').amount)).to.equal(sum(granted));
    expect(example('coupon').paid_commission).to.equal(example('payout-paid').amount);
  });

  it('have the commission of pending orders in the pending pool', () => {
    const pending = orders.filter(({ commission_status: status }) => status === 'pending').map(({ commission }) => commission);
    expect(cents(example('coupon').pending_order_commission)).to.equal(sum(pending));
  });

  it('have a parent commission of five percent of the granted one, after the refund', () => {
    const added = example('delivery-commission-mla-added').data;
    const removed = example('delivery-commission-mla-removed').data;
    expect(cents(added.amount)).to.equal(Math.round(cents(16.18) * 0.05));
    expect(cents(removed.amount)).to.equal(Math.round(cents(example('delivery-commission-removed').data.amount) * 0.05));
    expect(example('report').totals.unpaid_commission).to.equal(1.62);
  });

  it('use the same coupon, affiliate, payout, order and key throughout', () => {
    // 502 is left out of a file.
    expect(everyValueOf('payout_id')).to.have.members([501, 502]);
    expect(everyValueOf('coupon_code')).to.have.members(['TRAIL10', 'BARGAIN']);
    expect(everyValueOf('coupon_id')).to.have.members([301, 288, null]);
    expect(everyValueOf('key_prefix')).to.deep.equal(['svc_01234567']);
    expect(example('key-created').token.slice(0, 12)).to.equal('svc_01234567');
    expect(everyValueOf('currency')).to.deep.equal(['EUR']);
  });

  it('have a webhook delivery that is signed with the example secret, in both formats', () => {
    const { secret } = example('webhook-created');
    const delivery = example('delivery-payout-paid');
    const body = JSON.stringify(delivery);
    const parameter = (name: string): string => contract.components.parameters[name].example;
    const time = parameter('StandardWebhookTimestamp');
    const hex = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    expect(parameter('DeliverySignature')).to.equal(`t=${time},v1=${hex}`);
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const base64 = createHmac('sha256', bytes).update(`${delivery.id}.${time}.${body}`).digest('base64');
    expect(parameter('StandardWebhookSignature')).to.equal(`v1,${base64}`);
  });
});
