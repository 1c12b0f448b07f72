import { expect } from 'chai';
import { day, order } from '../program/samples.ts';
import { forEngineOrAll } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { RiskShop } from './risk-shop.ts';

/** Repeatable numbers from 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

// PROVE_RISK: on both engines.
forEngineOrAll('sqlite', process.env['PROVE_RISK'] !== undefined, (engine) => {
  describe('a quiet program', () => {
    const fixture = testFixture(() => RiskShop.open(engine));

    it('has no signal in a year of ordinary orders, clicks, refunds and payouts, scanned every week', async () => {
      const shop = fixture;
      const random = randomNumbers(7);
      const affiliates = [];
      for (let at = 0; at < 6; at += 1) {
        const affiliate = await shop.shop.affiliate(`CODE${at}`);
        affiliates.push(affiliate);
        await shop.details(affiliate.userId, { email: `pay${at}@bank${at}.example` });
      }
      let orderId = 0;
      for (let week = 0; week < 52; week += 1) {
        const end = shop.shop.now + 7 * day;
        const [clicks, orders] = [[], []] as [Parameters<RiskShop['click']>, ReturnType<typeof order>[]];
        for (const [at, { couponId }] of affiliates.entries())
          for (let visit = 0; visit < 12 + at * 4; visit += 1) {
            const visitor = `${week} ${at} ${visit}`;
            const clickedAt = Math.floor(shop.shop.now + random() * 6 * day);
            clicks.push({ couponId, clickedAt, visitor });
            if (random() > 0.25) continue;
            orderId += 1;
            const [byLink, isRefunded] = [random() < 0.6, random() < 0.06];
            const placedAt = clickedAt + 60_000 + Math.floor(random() * 3_600_000);
            const customer = { customerEmail: `customer${orderId}@mail.example`, status: isRefunded ? 'refunded' : 'completed' } as const;
            orders.push(
              order({ orderId, couponId, placedAt, total: 2000 + Math.floor(random() * 20_000), ...customer, ...(byLink && { visitor }) }),
            );
          }
        shop.shop.now = end;
        await shop.click(...clicks);
        await shop.shop.record(...orders);
        if (week % 4 === 3) for (const affiliate of affiliates) await shop.payout(affiliate, 'paid').catch(() => {});
        await shop.scan();
      }
      expect(orderId).to.be.greaterThan(1000);
      expect((await shop.signals()).map(({ kind, text }) => `${kind}: ${text}`)).to.deep.equal([]);
    });
  });
});
