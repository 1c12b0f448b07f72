import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';

// The examples tell one story: Trail Notes (42) earns with TRAIL10 (301) and is paid by payout 501; Summit Weekly (17) is its parent.
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

describe('the story that the examples tell', () => {
  it('earns ten percent of the goods after discount, scaled by what was refunded', () => {
    for (const { total, discount, refunded_amount: refunded, commission, order_id: id } of orders) {
      const net = cents(total) - cents(discount);
      const full = Math.round(net / 10);
      expect(cents(commission), `order ${id}`).to.equal(Math.round((full * (net - cents(refunded))) / net));
    }
  });

  it("adds the orders up to the coupon's, the affiliate's and the report's figures", () => {
    const figures = {
      orders_count: orders.length,
      total_sales: (sum(orders.map(({ total }) => total)) - sum(orders.map(({ refunded_amount: refunded }) => refunded))) / 100,
      total_discount: sum(orders.map(({ discount }) => discount)) / 100,
      total_commission: sum(orders.map(({ commission }) => commission)) / 100,
    };
    for (const record of [example('coupon-stats'), example('coupon').stats, example('affiliate-stats').totals, example('report').totals])
      expect(record).to.include(figures);
  });

  it('pays out exactly the commission that was granted', () => {
    const granted = orders.filter(({ commission_status: status }) => status === 'granted').map(({ commission }) => commission);
    expect(cents(example('payout-paid').amount)).to.equal(sum(granted));
    expect(example('coupon').paid_commission).to.equal(example('payout-paid').amount);
  });

  it('leaves what is not cleared in the pending orders', () => {
    const pending = orders.filter(({ commission_status: status }) => status === 'pending').map(({ commission }) => commission);
    expect(cents(example('coupon').pending_order_commission)).to.equal(sum(pending));
  });

  it('gives the parent five percent of what was granted, after the refund', () => {
    const added = example('delivery-commission-mla-added').data;
    const removed = example('delivery-commission-mla-removed').data;
    expect(cents(added.amount)).to.equal(Math.round(cents(16.18) * 0.05));
    expect(cents(removed.amount)).to.equal(Math.round(cents(example('delivery-commission-removed').data.amount) * 0.05));
    expect(example('report').totals.unpaid_commission).to.equal(1.62);
  });

  it('names the same coupon, affiliate, payout, order and key throughout', () => {
    expect(everyValueOf('payout_id')).to.deep.equal([501]);
    expect(everyValueOf('coupon_code')).to.have.members(['TRAIL10', 'BARGAIN']);
    expect(everyValueOf('coupon_id')).to.have.members([301, 288, null]);
    expect(everyValueOf('key_prefix')).to.deep.equal(['svc_01234567']);
    expect(example('key-created').token.slice(0, 12)).to.equal('svc_01234567');
    expect(everyValueOf('currency')).to.deep.equal(['EUR']);
  });

  it('signs its delivery with its own secret, in both forms', () => {
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
