import { expect } from 'chai';
import { orderStatuses } from '../../domain/orders/order.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon, type OrderSample, orders } from '../support/program.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { suiteService } from '../support/service.ts';

type RecordedOrder = Required<Pick<OrderSample, 'id' | 'coupon' | 'at' | 'status' | 'total' | 'discount' | 'shipping' | 'refunded'>>;

/** In cents, and by means of its own: none of the code under test is asked. */
interface Sums {
  orders_count: number;
  total_sales: number;
  total_discount: number;
  total_shipping: number;
  total_commission: number;
}

const cents = (amount: number): number => Math.round(amount * 100);

/** 10 % of the goods net of discount, half a cent up; after a refund the part that is left of it, half a cent up. */
function commissionOf({ total, discount, refunded }: RecordedOrder): number {
  const net = cents(total) - cents(discount);
  if (net === 0) return 0;
  const whole = Math.floor((net + 5) / 10);
  return Math.floor((2 * whole * (net - cents(refunded)) + net) / (2 * net));
}

const berlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' });
const dayOf = ({ at }: RecordedOrder): string => berlin.format(Date.parse(at));
const isSale = ({ status }: RecordedOrder): boolean => ['processing', 'on-hold', 'completed'].includes(status);

function sumsOf(told: RecordedOrder[]): Sums {
  const sales = told.filter(isSale);
  const sum = (amount: (order: RecordedOrder) => number): number => sales.reduce((total, order) => total + amount(order), 0) / 100;
  return {
    orders_count: sales.length,
    total_sales: sum(({ total, refunded }) => cents(total) - cents(refunded)),
    total_discount: sum(({ discount }) => cents(discount)),
    total_shipping: sum(({ shipping }) => cents(shipping)),
    total_commission: sum(commissionOf),
  };
}

const countsOf = (told: RecordedOrder[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of told) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

function anOrder(random: Random, coupons: number[], id: number, known: RecordedOrder | undefined): RecordedOrder {
  const total = random.below(30_000);
  const discount = random.chance(0.1) ? total : random.below(total + 1);
  const refunded = random.chance(0.3) ? random.below(total - discount + 1) : 0;
  // Around the change of the clock, and close to midnight.
  const anyMoment = Date.parse('2026-10-22T00:00:00Z') + random.below(7 * 24 * 4) * 900_000 - random.below(2) * 1000;
  // A change is placed at most a day before or after the recorded order.
  const moment = known ? Date.parse(known.at) + (random.below(2 * 96 + 1) - 96) * 900_000 : anyMoment;
  const amounts = { total: total / 100, discount: discount / 100, refunded: refunded / 100, shipping: random.below(1000) / 100 };
  return {
    id,
    coupon: known?.coupon ?? random.pick(coupons),
    at: new Date(moment).toISOString(),
    status: random.pick(orderStatuses),
    ...amounts,
  };
}

onAnyEngine((engine) => {
  describe('coupon statistics', () => {
    const { service, admin } = suiteService(engine, { settings: { 'store.timezone': 'Europe/Berlin' } });

    it('equal a recount of random orders, for every range and step, before and after a rebuild', async () => {
      const random = seededRandom(20_261_025);
      const ann = await service.user('ann', 'affiliate');
      const own = [await coupon(service, 'ONE', { userId: ann.id }), await coupon(service, 'TWO', { userId: ann.id })];
      const coupons = [...own, await coupon(service, 'OTHER')];
      const told = new Map<number, RecordedOrder>();

      const check = async (path: string, of: number[], read: (body: Sums & { totals: Sums }) => Sums) => {
        const from = `2026-10-${20 + random.below(6)}`;
        const to = `2026-10-${25 + random.below(7)}`;
        const interval = random.pick(['day', 'week', 'month']);
        const theirs = [...told.values()].filter((order) => of.includes(order.coupon));
        const within = (first: string, last: string) => theirs.filter((order) => dayOf(order) >= first && dayOf(order) <= last);
        const all = (await admin.get(path)).body;
        expect(read(all)).to.include(sumsOf(theirs));
        if ('status_counts' in all) expect(all.status_counts).to.deep.equal(countsOf(theirs));
        const { body } = await admin.get(`${path}?from=${from}&to=${to}&interval=${interval}`);
        expect(read(body), `${path} ${from} ${to}`).to.include(sumsOf(within(from, to)));
        for (const step of body.series) expect(step).to.include(sumsOf(within(step.from, step.to)));
        expect([body.series[0].from, body.series.at(-1).to]).to.deep.equal([from, to]);
      };
      const checkAll = async () => {
        for (const id of coupons) await check(`/coupons/${id}/stats`, [id], (body) => body);
        await check(`/affiliates/${ann.id}/stats`, own, ({ totals }) => totals);
      };

      for (let round = 0; round < 12; round += 1) {
        const batch = Array.from({ length: 1 + random.below(20) }, () => {
          const id = 1 + random.below(80);
          const order = anOrder(random, coupons, id, told.get(id));
          told.set(id, order);
          return order;
        });
        await orders(service, batch);
        await checkAll();
      }
      for (const id of coupons) expect((await admin.get(`/coupons/${id}/stats?refresh=true`)).body.source).to.equal('live');
      await checkAll();
    });
  });
});
