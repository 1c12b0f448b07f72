import { expect } from 'chai';
import fc from 'fast-check';
import type { RiskRules } from '../../domain/risk/rules.ts';
import { day } from '../program/samples.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { defaultRules, RiskShop } from './risk-shop.ts';

/** So low that a few generated orders and clicks reach them. */
const lowRules: RiskRules = {
  ...defaultRules,
  refundRate: { orders: 2, percent: 25, times: 1.5 },
  refundAfterPayout: { orders: 1, percent: 5, days: 30 },
  codeWithoutClick: { orders: 2, percent: 50, ordersBefore: 1, times: 2 },
  fastConversion: { orders: 1, seconds: 10 },
  clickSpike: { clicks: 2, times: 2 },
  visitorManyCoupons: { coupons: 2 },
};

const affiliates = 4;
const coupon = fc.integer({ min: 0, max: affiliates - 1 });
const visitor = fc.constantFrom(undefined, 'ann', 'bob');

type Turn =
  | { sell: number; count: number; visitor: string | undefined; isOwn: boolean; daysAgo: number }
  | { refund: number; status: 'refunded' | 'cancelled' | 'completed' }
  | { click: number; visitor: string; secondsAgo: number }
  | { details: number; to: string }
  | { pay: number; isPaid: boolean }
  | { adjust: number; amount: number }
  | { assign: number; to: number }
  | { pass: number };

const anyTurn: fc.Arbitrary<Turn> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      sell: coupon,
      count: fc.integer({ min: 1, max: 4 }),
      visitor,
      isOwn: fc.boolean(),
      daysAgo: fc.constantFrom(0, 0, 0, 1, 20, 60),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ refund: fc.integer({ min: 1, max: 20 }), status: fc.constantFrom('refunded', 'cancelled', 'completed') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ click: coupon, visitor: fc.constantFrom('ann', 'bob', 'cy'), secondsAgo: fc.constantFrom(0, 5, 3600) }),
  },
  { weight: 2, arbitrary: fc.record({ details: coupon, to: fc.constantFrom('a@pay.example', 'A@pay.example', 'b@pay.example') }) },
  { weight: 2, arbitrary: fc.record({ pay: coupon, isPaid: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ adjust: coupon, amount: fc.constantFrom(-30, 5) }) },
  { weight: 1, arbitrary: fc.record({ assign: coupon, to: coupon }) },
  { weight: 3, arbitrary: fc.record({ pass: fc.constantFrom(0.1, 1, 10, 40, 100) }) },
);

class Program {
  readonly shop: RiskShop;
  readonly owners: { userId: number; couponId: number }[] = [];

  constructor(shop: RiskShop) {
    this.shop = shop;
  }

  async begin(): Promise<this> {
    for (let at = 0; at < affiliates; at += 1) this.owners.push(await this.shop.shop.affiliate(`CODE${at}`));
    this.shop.shop.transferBalance = true;
    return this;
  }

  /** What the program refuses, it refuses in both. */
  async take(turn: Turn): Promise<void> {
    await this.#apply(turn).catch((error: Error) => {
      if (!/balance|amount|open|payout|constraint|zero|hand|progress|check/i.test(error.message)) throw error;
    });
  }

  async #apply(turn: Turn): Promise<void> {
    const { shop } = this;
    const own = (at: number): { userId: number; couponId: number } => this.owners[at] as { userId: number; couponId: number };
    if ('sell' in turn) {
      const { sell, count, isOwn, daysAgo, ...fields } = turn;
      await shop.sell(own(sell).couponId, count, { ...fields, daysAgo, ...(isOwn && { customerEmail: `code${sell}@shop.example` }) });
    } else if ('refund' in turn) await shop.refund([turn.refund], { status: turn.status });
    else if ('click' in turn)
      await shop.click({ couponId: own(turn.click).couponId, visitor: turn.visitor, clickedAt: shop.shop.now - turn.secondsAgo * 1000 });
    else if ('details' in turn) await shop.details(own(turn.details).userId, { email: turn.to });
    else if ('pay' in turn) await shop.payout(await shop.shop.ownerOf(own(turn.pay).couponId), turn.isPaid ? 'paid' : undefined);
    else if ('adjust' in turn) await shop.shop.adjust(own(turn.adjust).couponId, turn.amount);
    else if ('assign' in turn) await shop.shop.assign(own(turn.assign).couponId, own(turn.to).userId);
    else shop.shop.now += Math.round(turn.pass * day);
  }
}

/** Creating databases takes long on PostgreSQL. */
// PROVE_RISK: how many sequences of changes on SQLite.
const runs = { sqlite: Number(process.env['PROVE_RISK'] ?? 10), postgres: 3 };

onAnyEngine((engine) => {
  describe('an ordinary scan', () => {
    it('finds what a scan of everything finds, after any changes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(anyTurn, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }), async (steps) => {
          const [ordinary, full] = [
            await new Program(await RiskShop.open(engine)).begin(),
            await new Program(await RiskShop.open(engine)).begin(),
          ];
          try {
            for (const turns of steps) {
              for (const program of [ordinary, full]) for (const turn of turns) await program.take(turn);
              await ordinary.shop.scan({ rules: lowRules });
              await full.shop.scan({ rules: lowRules, isFull: true });
              const [found, expected] = [await ordinary.shop.signals(), await full.shop.signals()];
              const comparable = (signals: typeof found): object[] =>
                signals
                  .map(({ id: _id, ...signal }) => signal)
                  .toSorted((one, other) =>
                    `${one.userId} ${one.kind} ${one.status}`.localeCompare(`${other.userId} ${other.kind} ${other.status}`),
                  );
              expect(comparable(found)).to.deep.equal(comparable(expected));
            }
          } finally {
            await ordinary.shop.shop.close();
            await full.shop.shop.close();
          }
        }),
        { numRuns: runs[engine.name] },
      );
    });

    const fixture = testFixture(async () => new Program(await RiskShop.open(engine)).begin());

    it('reads nothing about affiliates of whom nothing has changed', async () => {
      const { shop, owners } = fixture;
      for (const { couponId } of owners) await shop.sell(couponId, 3);
      expect((await shop.scan()).scanned).to.equal(affiliates);
      expect((await shop.scan()).scanned).to.equal(0);
      await shop.sell(owners[2]?.couponId ?? 0, 1);
      expect((await shop.scan()).scanned).to.equal(1);
      await shop.details(owners[1]?.userId ?? 0, { email: 'a@pay.example' });
      await shop.clickDay(owners[3]?.couponId ?? 0, 1, 1);
      expect((await shop.scan()).scanned).to.equal(2);
      expect((await shop.scan({ isFull: true })).scanned).to.equal(affiliates);
    });

    it('that fails for one affiliate stores what it finds about those of other batches, and lets the next scan begin at once', async () => {
      const { shop } = fixture;
      for (let at = affiliates; at < 21; at += 1) await shop.shop.affiliate(`CODE${at}`);
      const last = (await shop.shop.affiliate('LAST')).couponId;
      await shop.sell(last, 1, { customerEmail: 'last@shop.example' });
      const hash = (text: string): string => {
        if (text === 'email:code0@shop.example') throw new Error('This email cannot be hashed.');
        return text;
      };
      const error = await shop.scan({ hash }).catch(({ message }: Error) => message);
      expect(error).to.equal('This email cannot be hashed.');
      expect((await shop.signals()).map(({ kind }) => kind)).to.deep.equal(['self_referral']);
      const { now } = shop.shop;
      const isFree = await shop.shop.database.write(({ riskScans }) => riskScans.claim('another', now, now));
      expect(isFree).to.equal(true);
      expect((await shop.scan({ hash: (text) => text })).scanned).to.equal(20);
    });

    it('is made by one process at a time, and a run that died holds up others for a minute', async () => {
      const { shop } = fixture;
      const { now } = shop.shop;
      await shop.shop.database.write(({ riskScans }) => riskScans.claim('another', now, now + 60_000));
      const refusal = await shop.scan().catch((error: Error) => error.message);
      expect(refusal).to.equal('Another process is computing signals.');
      shop.shop.now += 60_000;
      expect((await shop.scan()).scanned).to.equal(affiliates);
    });
  });
});
