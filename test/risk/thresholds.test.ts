import { expect } from 'chai';
import { eraseUser } from '../../domain/privacy/erase-user.ts';
import { linksOf } from '../../domain/risk/links.ts';
import type { RiskKind } from '../../domain/risk/signal.ts';
import { day, order } from '../program/samples.ts';
import { mainlyOn } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { defaultRules, RiskShop } from './risk-shop.ts';

const hour = 3_600_000;

/** Makes what a kind is about, just below its threshold or just at it. */
type Scenario = (shop: RiskShop, affiliate: { userId: number; couponId: number }, isReached: boolean) => Promise<unknown>;

const fewOthers = async (shop: RiskShop): Promise<void> => {
  const other = await shop.shop.affiliate('OTHER');
  // 8 % are refunded: three times that is 24 %.
  const sold = await shop.sell(other.couponId, 100, { daysAgo: 3 });
  await shop.refund(sold.slice(0, 8));
};

const scenarios: [kind: RiskKind, title: string, scenario: Scenario, count: number][] = [
  [
    'self_referral',
    'the email of the customer',
    (shop, { couponId, userId: _user }, isReached) =>
      shop.sell(couponId, 1, { customerEmail: isReached ? 'TRAIL10+x@shop.example' : 'trail11@shop.example' }),
    1,
  ],
  [
    'self_referral',
    'that the order was placed',
    (shop, { couponId }, isReached) =>
      shop.sell(couponId, 1, { customerEmail: 'trail10@shop.example', status: isReached ? 'processing' : 'pending' }),
    1,
  ],
  [
    'refund_rate',
    'the number of orders',
    async (shop, { couponId }, isReached) => {
      const sold = await shop.sell(couponId, isReached ? 20 : 19, { daysAgo: 89 });
      await shop.refund(sold.slice(0, 6));
    },
    6,
  ],
  [
    'refund_rate',
    'the age of the first order',
    async (shop, { couponId }, isReached) => {
      const sold = await shop.sell(couponId, 10, { daysAgo: isReached ? 90 : 91 });
      await shop.refund([...(await shop.sell(couponId, 10, { daysAgo: 1 })), ...sold].slice(0, 6), { status: 'cancelled' });
    },
    6,
  ],
  [
    'refund_rate',
    'the refunded share',
    async (shop, { couponId }, isReached) => {
      const sold = await shop.sell(couponId, 20);
      await shop.refund(sold.slice(0, 4));
      await shop.refund(sold.slice(4, 5), { status: 'completed', refunded: isReached ? 10_000 : 9999 });
    },
    5,
  ],
  [
    'refund_rate',
    'the share of others',
    async (shop, { couponId }, isReached) => {
      await fewOthers(shop);
      const sold = await shop.sell(couponId, 100);
      await shop.refund(sold.slice(0, 25));
      if (!isReached) await shop.refund((await shop.sell((await shop.shop.affiliate('THIRD')).couponId, 1)).slice(0, 1));
    },
    25,
  ],
  [
    'refund_after_payout',
    'the number of orders',
    async (shop, affiliate, isReached) => {
      const sold = await shop.sell(affiliate.couponId, 10);
      await shop.payout(affiliate, 'paid');
      shop.shop.now += hour;
      await shop.refund(sold.slice(0, isReached ? 3 : 2));
    },
    3,
  ],
  [
    'refund_after_payout',
    'the share of the payout',
    async (shop, affiliate, isReached) => {
      const sold = await shop.sell(affiliate.couponId, isReached ? 15 : 16);
      await shop.payout(affiliate, 'paid');
      shop.shop.now += hour;
      await shop.refund(sold.slice(0, 3));
    },
    3,
  ],
  [
    'refund_after_payout',
    'the days after the payment',
    async (shop, affiliate, isReached) => {
      const sold = await shop.sell(affiliate.couponId, 10);
      await shop.payout(affiliate, 'paid');
      shop.shop.now += 30 * day + (isReached ? 0 : 1);
      await shop.refund(sold.slice(0, 3));
    },
    3,
  ],
  [
    'debt',
    'the unpaid commission over all coupons',
    async (shop, affiliate, isReached) => {
      await shop.sell(affiliate.couponId, 2);
      const second = await shop.shop.coupon('SECOND', { userId: affiliate.userId });
      await shop.payout(affiliate);
      await shop.shop.adjust(affiliate.couponId, -5);
      await shop.shop.adjust(second, isReached ? 4.99 : 5);
    },
    1,
  ],
  [
    'details_changed',
    'the hours before the request',
    async (shop, affiliate, isReached) => {
      await shop.details(affiliate.userId, { email: 'a@pay.example' });
      await shop.sell(affiliate.couponId, 2);
      shop.shop.now += hour;
      await shop.details(affiliate.userId, { email: 'b@pay.example' });
      shop.shop.now += 72 * hour + (isReached ? 0 : 1);
      await shop.payout(affiliate);
    },
    1,
  ],
  [
    'details_changed',
    'that they were saved before',
    async (shop, affiliate, isReached) => {
      if (isReached) await shop.details(affiliate.userId, { email: 'a@pay.example' });
      await shop.sell(affiliate.couponId, 2);
      await shop.payout(affiliate);
      shop.shop.now += hour;
      await shop.details(affiliate.userId, { email: 'b@pay.example' });
    },
    1,
  ],
  [
    'details_changed',
    'the destination',
    async (shop, affiliate, isReached) => {
      await shop.details(affiliate.userId, { email: 'a@pay.example' });
      await shop.sell(affiliate.couponId, 2);
      await shop.payout(affiliate);
      shop.shop.now += hour;
      await shop.details(affiliate.userId, { email: isReached ? 'b@pay.example' : 'a@pay.example' }, 'paypal', 'Another label');
    },
    1,
  ],
  [
    'shared_destination',
    'the normalised destination',
    async (shop, affiliate, isReached) => {
      const iban = { holder: 'Ada', iban: 'DE89 3704 0044 0532 0130 00', town: 'Bonn', country: 'DE' };
      await shop.details(affiliate.userId, iban, 'banktransfer');
      const { userId: other } = await shop.shop.affiliate('OTHER10');
      const theirs = isReached ? 'de89370400440532013000' : 'DE02120300000000202051';
      await shop.details(other, { ...iban, holder: 'Eve', iban: theirs }, 'banktransfer');
    },
    1,
  ],
  [
    'related_accounts',
    'the email without its tag',
    async (shop, _affiliate, isReached) => {
      await shop.shop.affiliate(isReached ? 'TRAIL10+2' : 'TRAIL102');
    },
    1,
  ],
  [
    'code_without_click',
    'the number of orders',
    async (shop, { couponId }, isReached) => {
      await shop.clickDay(couponId, 1, 2);
      await shop.sell(couponId, 10, { daysAgo: 60 });
      await shop.sell(couponId, isReached ? 20 : 19);
    },
    20,
  ],
  [
    'code_without_click',
    'the orders before',
    async (shop, { couponId }, isReached) => {
      await shop.clickDay(couponId, 1, 2);
      await shop.sell(couponId, isReached ? 10 : 9, { daysAgo: 60 });
      await shop.sell(couponId, 40);
    },
    40,
  ],
  [
    'code_without_click',
    'the growth',
    async (shop, { couponId }, isReached) => {
      await shop.clickDay(couponId, 1, 2);
      // 30 in 90 days, so that three times the daily mean is one a day.
      await shop.sell(couponId, 30, { daysAgo: 60 });
      await shop.sell(couponId, isReached ? 28 : 27);
    },
    28,
  ],
  [
    'code_without_click',
    'the share without a click',
    async (shop, { couponId }, isReached) => {
      await shop.sell(couponId, 10, { daysAgo: 60 });
      await shop.sell(couponId, 40);
      for (let at = 0; at < (isReached ? 10 : 11); at += 1) {
        const clickedAt = shop.shop.now - day - hour;
        await shop.click({ couponId, clickedAt, visitor: `reader ${at}` });
        await shop.sell(couponId, 1, { visitor: `reader ${at}` });
      }
    },
    40,
  ],
  [
    'code_without_click',
    'that the site counts clicks',
    async (shop, { couponId }, isReached) => {
      await shop.sell(couponId, 10, { daysAgo: 60 });
      await shop.sell(couponId, 40);
      await shop.clickDay(couponId, 1, isReached ? 28 : 29);
    },
    40,
  ],
  [
    'fast_conversion',
    'the number of orders',
    async (shop, { couponId }, isReached) => {
      for (let at = 0; at < (isReached ? 5 : 4); at += 1) {
        await shop.click({ couponId, clickedAt: shop.shop.now - day - 10_000, visitor: `fast ${at}` });
        await shop.sell(couponId, 1, { visitor: `fast ${at}` });
      }
    },
    5,
  ],
  [
    'fast_conversion',
    'the seconds',
    async (shop, { couponId }, isReached) => {
      for (let at = 0; at < 5; at += 1) {
        await shop.click({ couponId, clickedAt: shop.shop.now - day - (isReached ? 10_000 : 10_001), visitor: `fast ${at}` });
        await shop.sell(couponId, 1, { visitor: `fast ${at}` });
      }
    },
    5,
  ],
  ['click_spike', 'the clicks of a day', (shop, { couponId }, isReached) => shop.clickDay(couponId, isReached ? 500 : 499, 1), 1],
  [
    'click_spike',
    'the mean of the days before',
    async (shop, { couponId }, isReached) => {
      await shop.clickDay(couponId, isReached ? 1400 : 1401, 20);
      await shop.clickDay(couponId, 500, 1);
      await shop.sell(couponId, 1, { daysAgo: 20 });
    },
    1,
  ],
  [
    'click_spike',
    'that there was no order',
    async (shop, { couponId }, isReached) => {
      await shop.clickDay(couponId, 500, 1);
      await shop.sell(couponId, 1, { daysAgo: isReached ? 2 : 1 });
    },
    1,
  ],
  [
    'visitor_many_coupons',
    'the number of coupons',
    async (shop, affiliate, isReached) => {
      const { userId, couponId } = affiliate;
      const own = [couponId, await shop.shop.coupon('SECOND', { userId }), await shop.shop.coupon('THIRD', { userId })];
      for (const id of isReached ? own : own.slice(1)) await shop.sell(id, 1, { visitor: 'one' });
    },
    3,
  ],
  [
    'visitor_many_coupons',
    'the days',
    async (shop, affiliate, isReached) => {
      const { userId, couponId } = affiliate;
      await shop.sell(couponId, 1, { visitor: 'one', daysAgo: isReached ? 28 : 29 });
      for (const code of ['SECOND', 'THIRD']) await shop.sell(await shop.shop.coupon(code, { userId }), 1, { visitor: 'one' });
    },
    3,
  ],
  [
    'high_commission',
    'the share of the net goods',
    async (shop, { userId }, isReached) => {
      const percentThousandths = isReached ? 50_000 : 49_990;
      await shop.sell(await shop.shop.coupon('RICH', { userId, percentThousandths }), 1);
    },
    1,
  ],
  [
    'high_commission',
    'that something was paid',
    async (shop, { userId }, isReached) => {
      const couponId = await shop.shop.coupon('FIXED', { userId, fixedPerOrder: 100 });
      await shop.sell(couponId, 1, { total: 200, discount: isReached ? 199 : 200 });
    },
    1,
  ],
];

describe('a website', () => {
  const hostOf = (website: string): string | undefined => {
    const account = {
      detailsSavedAt: null,
      invoices: [],
      userId: 1,
      isAffiliate: true,
      email: 'a@b.example',
      website,
      methodType: null,
      encryptedDetails: null,
    };
    const links = linksOf(account, { hash: (text) => text, decrypt: (text) => text });
    return links.find((link) => link.startsWith('website:'))?.replace('website:website:', '');
  };

  for (const [website, host] of [
    ['https://www.Ada.example/blog', 'ada.example'],
    ['ada.example.', 'ada.example'],
    ['ada.wordpress.com', 'ada.wordpress.com'],
    ['notfacebook.com', 'notfacebook.com'],
    ['pinterest.ada.example', 'pinterest.ada.example'],
    ['wordpress.com/ada', undefined],
    ['de.linkedin.com/in/ada', undefined],
    ['https://de-de.facebook.com/ada', undefined],
    ['https://youtube.com./ada', undefined],
    ['pinterest.de/ada', undefined],
    ['www.amazon.co.uk/shop/ada', undefined],
    ['sites.google.com/ada', undefined],
    ['beacons.ai/ada', undefined],
    ['rumble.com/ada', undefined],
  ] as const)
    it(`${website} ${host === undefined ? 'is on a host of many people' : `is compared as ${host}`}`, () => {
      expect(hostOf(website)).to.equal(host);
    });
});

mainlyOn('sqlite', (engine) => {
  describe('a risk signal', () => {
    const fixture = testFixture(async () => {
      const shop = await RiskShop.open(engine);
      return { shop, affiliate: await shop.shop.affiliate('TRAIL10') };
    });

    for (const [kind, title, scenario, count] of scenarios) {
      it(`${kind} opens at the threshold of ${title}, for each user that it is about`, async () => {
        const { shop, affiliate } = fixture;
        await scenario(shop, affiliate, true);
        const found = (await shop.found()).filter((each) => each.startsWith(kind));
        const expected = kind === 'shared_destination' || kind === 'related_accounts' ? 2 : 1;
        expect(found).to.include(`${kind} ${affiliate.userId} ×${count}`);
        expect(found).to.have.lengthOf(expected);
        // Nothing is counted twice, by an ordinary scan nor by a full one.
        const signals = await shop.signals();
        await shop.scan();
        await shop.scan({ isFull: true });
        expect(await shop.signals()).to.deep.equal(signals);
      });

      it(`${kind} does not open just below the threshold of ${title}`, async () => {
        const { shop, affiliate } = fixture;
        await scenario(shop, affiliate, false);
        expect((await shop.found({ isFull: true })).filter((each) => each.startsWith(kind))).to.deep.equal([]);
      });
    }

    describe('about a payout destination that two affiliates share', () => {
      const iban = { holder: 'Ada', iban: 'DE89 3704 0044 0532 0130 00', town: 'Bonn', country: 'DE' };
      const another = { ...iban, iban: 'DE02120300000000202051' };
      const severitiesOf = async (...userIds: number[]): Promise<(string | undefined)[]> => {
        await fixture.shop.scan();
        const signals = await fixture.shop.signals();
        return userIds.map((userId) => signals.find((signal) => signal.userId === userId)?.severity);
      };
      const save = async (userId: number, details: Record<string, unknown>): Promise<void> => {
        fixture.shop.shop.now += hour;
        await fixture.shop.details(userId, details, 'banktransfer');
      };

      it('is high for the one who saved it later, and low and holding nothing for the one who had it, also after a correction', async () => {
        const { shop, affiliate } = fixture;
        const { userId: stranger } = await shop.shop.affiliate('OTHER10');
        await save(affiliate.userId, iban);
        await shop.scan();
        await save(stranger, { ...iban, holder: 'Eve' });
        expect(await severitiesOf(affiliate.userId, stranger)).to.deep.equal(['low', 'high']);
        await save(affiliate.userId, { ...iban, town: 'Köln' });
        expect(await severitiesOf(affiliate.userId, stranger)).to.deep.equal(['low', 'high']);
        const holding = await shop.shop.database.read(({ riskSignals }) => riskSignals.holding([affiliate.userId, stranger], ['high']));
        expect(holding.map(({ userId }) => userId)).to.deep.equal([stranger]);
        const texts = (await shop.signals()).map(({ userId, evidence }) => [userId, evidence[0]?.text]);
        expect(Object.fromEntries(texts)).to.deep.equal({
          [affiliate.userId]: `User ${stranger} saved the same payout destination later.`,
          [stranger]: `User ${affiliate.userId} has the same payout destination.`,
        });
      });

      it('stays quiet for a pair that was dismissed, and opens for another one with its own severity', async () => {
        const { shop, affiliate } = fixture;
        const { userId: spouse } = await shop.shop.affiliate('SPOUSE10');
        const { userId: stranger } = await shop.shop.affiliate('OTHER10');
        await save(affiliate.userId, iban);
        await save(spouse, iban);
        await shop.scan();
        for (const { id } of await shop.signals()) await shop.decide(id, 'dismissed');
        await save(stranger, iban);
        await shop.scan();
        const holding = async () =>
          (await shop.shop.database.read((db) => db.riskSignals.holding([affiliate.userId, spouse, stranger], ['high']))).map(
            ({ userId }) => userId,
          );
        expect(await holding(), 'nobody holds the payouts of others').to.deep.equal([stranger]);
        await save(stranger, another);
        await save(affiliate.userId, another);
        await shop.scan();
        expect(await holding(), 'a dismissed pair does not excuse another one').to.have.members([affiliate.userId, stranger]);
      });

      it('is low for one who was paid there before, left it and came back', async () => {
        const { shop, affiliate } = fixture;
        const { userId: stranger } = await shop.shop.affiliate('OTHER10');
        await save(affiliate.userId, iban);
        await shop.scan();
        await shop.sell(affiliate.couponId, 2);
        await shop.payout(affiliate, 'paid');
        await save(affiliate.userId, another);
        await shop.scan();
        await save(stranger, iban);
        expect(await severitiesOf(affiliate.userId, stranger)).to.deep.equal([undefined, undefined]);
        await save(affiliate.userId, iban);
        expect(await severitiesOf(affiliate.userId, stranger)).to.deep.equal(['low', 'high']);
      });

      it('is high for one who left it unpaid and came back, although it was low before', async () => {
        const { shop, affiliate } = fixture;
        const { userId: other } = await shop.shop.affiliate('OTHER10');
        await save(affiliate.userId, iban);
        await save(other, iban);
        expect(await severitiesOf(affiliate.userId, other)).to.deep.equal(['low', 'high']);
        await save(affiliate.userId, another);
        await shop.scan();
        await save(affiliate.userId, iban);
        expect(await severitiesOf(affiliate.userId, other), 'it rises, and falls only by a decision').to.deep.equal(['high', 'high']);
      });

      it('does not open for a customer', async () => {
        const { shop, affiliate } = fixture;
        await save(affiliate.userId, iban);
        await save(await shop.shop.user('customer'), iban);
        expect(await shop.found()).to.deep.equal([]);
      });
    });

    it('counts up what happens again, keeps the newest 50 occurrences, and has a sentence with its figures', async () => {
      const { shop, affiliate } = fixture;
      await shop.sell(affiliate.couponId, 49, { customerEmail: 'trail10@shop.example' });
      await shop.scan();
      const [before] = await shop.signals();
      shop.shop.now += day;
      await shop.sell(affiliate.couponId, 3, { customerEmail: 'trail10@shop.example', daysAgo: 0 });
      await shop.scan();
      const [after, ...others] = await shop.signals();
      expect(others).to.deep.equal([]);
      expect(after).to.include({ id: before?.id, count: 52, openedAt: before?.openedAt, lastSeenAt: shop.shop.now, status: 'open' });
      expect(after?.text).to.equal("The customer's email is the affiliate's: 52 orders.");
      expect(after?.evidence).to.have.lengthOf(50);
      expect(after?.evidence.slice(0, 3).map(({ orderId }) => orderId)).to.have.members([50, 51, 52]);
      expect((await shop.shop.events('risk_signal_opened')).map(({ type, objectId }) => [type, objectId])).to.deep.equal([
        ['risk.signal_opened', before?.id],
      ]);
    });

    it('counts older orders, too, once there is more evidence than is kept', async () => {
      const { shop, affiliate } = fixture;
      const self = { customerEmail: 'trail10@shop.example' };
      await shop.sell(affiliate.couponId, 55, self);
      await shop.scan();
      await shop.sell(affiliate.couponId, 10, { ...self, daysAgo: 20 });
      expect(await shop.found()).to.deep.equal([`self_referral ${affiliate.userId} ×65`]);
      expect(await shop.found({ isFull: true })).to.deep.equal([`self_referral ${affiliate.userId} ×65`]);
    });

    it('that is opened again counts up in place of a newer one, which was dismissed', async () => {
      const { shop, affiliate } = fixture;
      const sellToSelf = async (count: number): Promise<string[]> => {
        await shop.sell(affiliate.couponId, count, { customerEmail: 'trail10@shop.example', daysAgo: 0 });
        await shop.scan();
        return (await shop.signals()).map(({ status, count: times }) => `${status} ×${times}`);
      };
      await sellToSelf(1);
      const [first] = await shop.signals();
      await shop.decide(first?.id, 'dismissed');
      expect(await sellToSelf(1)).to.deep.equal(['dismissed ×1', 'open ×2']);
      await shop.decide((await shop.signals()).at(-1)?.id, 'dismissed');
      await shop.decide(first?.id, 'open');
      expect(await sellToSelf(2)).to.deep.equal(['open ×4', 'dismissed ×2']);
    });

    it('that is opened again has its 180 days again', async () => {
      const { shop, affiliate } = fixture;
      await shop.sell(affiliate.couponId, 1, { customerEmail: 'trail10@shop.example' });
      await shop.scan();
      const [signal] = await shop.signals();
      await shop.decide(signal?.id, 'dismissed');
      shop.shop.now += 181 * day;
      await shop.decide(signal?.id, 'open');
      expect((await shop.scan()).expired).to.equal(0);
      shop.shop.now += 180 * day + 1;
      expect((await shop.scan()).expired).to.equal(1);
    });

    it('is found however many orders another affiliate of the same batch has', async () => {
      const { shop, affiliate } = fixture;
      const other = await shop.shop.affiliate('OTHER', { percentThousandths: 50_000 });
      await shop.sell(affiliate.couponId, 1, { customerEmail: 'trail10@shop.example', daysAgo: 9 });
      await shop.sell(other.couponId, 1, { customerEmail: 'other@shop.example', daysAgo: 9 });
      await shop.sell(other.couponId, 1001);
      expect(await shop.found()).to.deep.equal([
        `high_commission ${other.userId} ×1000`,
        `self_referral ${affiliate.userId} ×1`,
        `self_referral ${other.userId} ×1`,
      ]);
    });

    it('refund_after_payout counts each order for the payout that paid it, and for no later one', async () => {
      const { shop, affiliate } = fixture;
      const sold = await shop.sell(affiliate.couponId, 10, { daysAgo: 3 });
      const first = await shop.payout(affiliate, 'paid');
      shop.shop.now += day;
      await shop.sell(affiliate.couponId, 8);
      const second = await shop.payout(affiliate, 'paid');
      shop.shop.now += day;
      await shop.refund(sold.slice(0, 3));
      await shop.scan();
      const signals = (await shop.signals()).filter(({ kind }) => kind === 'refund_after_payout');
      expect(signals.map(({ count, text }) => [count, text])).to.deep.equal([
        [
          3,
          `Commission of 30.00 EUR, 30 % of payout ${first}, was taken back within 30 days after it was paid, for refunds and cancellations: 3 orders.`,
        ],
      ]);
      expect(second).not.to.equal(first);
    });

    it('does not open without an occurrence, whatever the thresholds are', async () => {
      const { shop, affiliate } = fixture;
      for (const couponId of [affiliate.couponId, await shop.shop.coupon('SECOND', { userId: affiliate.userId })]) {
        await shop.sell(couponId, 10, { daysAgo: 60 });
        for (let at = 0; at < 20; at += 1) {
          await shop.click({ couponId, clickedAt: shop.shop.now - day - hour, visitor: `reader ${couponId} ${at}` });
          await shop.sell(couponId, 1, { visitor: `reader ${couponId} ${at}` });
        }
      }
      const rules = { ...defaultRules, codeWithoutClick: { ...defaultRules.codeWithoutClick, percent: 0 } };
      expect(await shop.found({ rules })).to.deep.equal([]);
    });

    it('about a user who is erased does not come back', async () => {
      const { shop, affiliate } = fixture;
      await shop.sell(affiliate.couponId, 1, { customerEmail: 'trail10@shop.example', status: 'processing' });
      await shop.clickDay(affiliate.couponId, 500, 2);
      expect(await shop.found()).to.have.lengthOf(2);
      await shop.refund([1], { status: 'cancelled' });
      const context = { now: shop.shop.now, userId: 0, currency: 'EUR', forfeits: false };
      await shop.shop.database.write(async (transaction) => {
        const user = await transaction.users.byId(affiliate.userId);
        if (user) await eraseUser(transaction, user, context);
      });
      expect(await shop.found({ isFull: true })).to.deep.equal([]);
      await shop.sell(affiliate.couponId, 1, { daysAgo: 0 });
      expect(await shop.found()).to.deep.equal([]);
    });

    it('that was dismissed stays quiet for 90 days, unless its count doubles', async () => {
      const { shop, affiliate } = fixture;
      const sellToSelf = async (count: number): Promise<string[]> => {
        await shop.sell(affiliate.couponId, count, { customerEmail: 'trail10@shop.example', daysAgo: 0 });
        await shop.scan();
        return (await shop.signals()).map(({ status, count: times }) => `${status} ×${times}`);
      };
      const dismiss = async (): Promise<void> => {
        const last = (await shop.signals()).at(-1);
        const change = { status: 'dismissed', decidedAt: shop.shop.now, decidedCount: last?.count ?? 0 } as const;
        await shop.shop.database.write(({ riskSignals }) => riskSignals.update(last?.id ?? 0, change));
      };
      expect(await sellToSelf(3)).to.deep.equal(['open ×3']);
      await dismiss();
      shop.shop.now += 89 * day;
      expect(await sellToSelf(2)).to.deep.equal(['dismissed ×5']);
      expect(await sellToSelf(1)).to.deep.equal(['dismissed ×5', 'open ×6']);
      await dismiss();
      shop.shop.now += 90 * day;
      await shop.scan();
      expect(await shop.signals()).to.have.lengthOf(2);
      expect((await sellToSelf(1)).at(-1)).to.equal('open ×7');
    });

    it('expires after 180 days without a new occurrence, unless it was confirmed, and opens again after that', async () => {
      const { shop, affiliate } = fixture;
      const other = await shop.shop.affiliate('OTHER');
      await shop.sell(affiliate.couponId, 1, { customerEmail: 'trail10@shop.example' });
      await shop.sell(other.couponId, 1, { customerEmail: 'other@shop.example' });
      await shop.scan();
      const second = (await shop.signals()).find(({ userId }) => userId === other.userId);
      await shop.shop.database.write(({ riskSignals }) => riskSignals.update(second?.id ?? 0, { status: 'confirmed' }));
      shop.shop.now += 180 * day;
      expect((await shop.scan()).expired).to.equal(0);
      shop.shop.now += 1;
      expect((await shop.scan()).expired).to.equal(1);
      await shop.sell(affiliate.couponId, 1, { customerEmail: 'trail10@shop.example', daysAgo: 0 });
      await shop.scan();
      const statuses = (await shop.signals()).map(({ userId, status }) => `${userId === other.userId ? 'other' : 'own'} ${status}`);
      expect(statuses.toSorted()).to.deep.equal(['other confirmed', 'own expired', 'own open']);
    });

    it('is not about the new owner of a coupon that changed hands', async () => {
      const { shop, affiliate } = fixture;
      await shop.sell(affiliate.couponId, 1, { customerEmail: 'trail10@shop.example' });
      await shop.clickDay(affiliate.couponId, 500, 2);
      shop.shop.transferBalance = true;
      const heir = await shop.shop.user('heir');
      await shop.shop.assign(affiliate.couponId, heir);
      expect(await shop.found({ isFull: true })).to.deep.equal([]);
    });

    it('of a kind that is switched off does not open', async () => {
      const { shop, affiliate } = fixture;
      await shop.shop.record(order({ orderId: 1, couponId: affiliate.couponId, customerEmail: 'trail10@shop.example' }));
      expect(await shop.found({ rules: { ...defaultRules, enabled: new Set() } })).to.deep.equal([]);
      expect(await shop.found({ isFull: true })).to.deep.equal([`self_referral ${affiliate.userId} ×1`]);
    });
  });
});
