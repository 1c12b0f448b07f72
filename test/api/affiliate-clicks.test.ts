import { expect } from 'chai';
import { assignCoupon } from '../../domain/coupons/create.ts';
import type { User } from '../../domain/users/user.ts';
import { type ClickSample, clicks } from '../support/clicks.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon, orders } from '../support/program.ts';
import { seededRandom } from '../support/random.ts';
import { suiteService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('GET /affiliates/{id}/clicks', () => {
    const { service, admin } = suiteService(engine, { settings: { 'addons.management': true, 'store.timezone': 'Europe/Berlin' } });
    const handOver = () => ({ now: service.clock.now(), userId: 0, program: { currency: 'EUR' }, transferBalance: true });
    let [ann, bob, idle]: User[] = [];
    let own: number[];
    let samples: (ClickSample & { day: string })[];
    before(async () => {
      await service.withoutLimits();
      [ann, bob, idle] = [
        await service.user('ann', 'affiliate'),
        await service.user('bob', 'affiliate'),
        await service.user('idle', 'affiliate'),
      ];
      own = [await coupon(service, 'ONE', { userId: ann?.id ?? 0 }), await coupon(service, 'TWO', { userId: ann?.id ?? 0 })];
      const bobs = await coupon(service, 'BOB', { userId: bob?.id ?? 0 });
      const random = seededRandom(7);
      // Around the day of 25 hours, so that days are not multiples of 24 hours.
      const inBerlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' });
      samples = Array.from({ length: 600 }, (_, n) => ({
        coupon: random.pick([...own, bobs]),
        at: new Date(Date.parse('2026-09-20T22:00:00Z') + random.below(50 * 48) * 1_800_000 + n).toISOString(),
        visitor: `visitor ${random.below(60)}`,
        ...(random.below(3) > 0 && { campaign: random.pick(['autumn', 'spring']) }),
      })).map((sample) => ({ ...sample, day: inBerlin.format(new Date(sample.at)) }));
      await clicks(
        service,
        samples.map(({ day: _day, ...sample }) => sample),
      );
      const first = samples.find((sample) => sample.coupon === own[0]);
      await orders(service, [
        { id: 1, coupon: own[0] ?? 0, at: new Date(Date.parse(first?.at ?? '') + 1).toISOString(), visitor: first?.visitor ?? '' },
      ]);
    });

    const count = (matches: (sample: ClickSample & { day: string }) => boolean) => {
      const found = samples.filter(matches);
      return { clicks: found.length, unique_clicks: new Set(found.map(({ visitor }) => visitor)).size };
    };

    const checkFigures = async (): Promise<void> => {
      for (const [from, to] of [
        [null, null],
        ['2026-10-01', null],
        [null, '2026-10-25'],
        ['2026-10-25', '2026-10-25'],
        ['2026-09-28', '2026-11-03'],
      ])
        for (const campaign of [null, 'autumn', 'winter'])
          for (const interval of ['day', 'week', 'month']) {
            const query = Object.entries({ from, to, campaign, interval }).flatMap(([name, value]) =>
              value === null ? [] : `${name}=${value}`,
            );
            const { body } = await admin.get(`/affiliates/${ann?.id}/clicks?${query.join('&')}`);
            const isOwn = (sample: ClickSample): boolean =>
              own.includes(sample.coupon) && (campaign === null || sample.campaign === campaign);
            const isIn = (first: string | null, last: string | null, day: string): boolean =>
              (first === null || day >= first) && (last === null || day <= last);
            expect(body, query.join()).to.deep.include({ user_id: ann?.id, campaign });
            expect(body, query.join()).to.deep.include(count((sample) => isOwn(sample) && isIn(body.from, body.to, sample.day)));
            for (const step of body.series)
              expect(step, query.join()).to.deep.include(count((sample) => isOwn(sample) && isIn(step.from, step.to, sample.day)));
          }
    };

    it('counts the clicks of all coupons, and a visitor of several coupons once, in any range, campaign and step', checkFigures);

    it('counts conversions, and answers as GET /clicks/stats for an affiliate with one coupon', async () => {
      expect((await admin.get(`/affiliates/${ann?.id}/clicks`)).body.conversions).to.equal(1);
      const { body: ofCoupon } = await admin.get('/clicks/stats?coupon_id=3&interval=week');
      const { body } = await admin.get(`/affiliates/${bob?.id}/clicks?interval=week`);
      const { coupon_id: _coupon, ...figures } = ofCoupon;
      expect(body).to.deep.equal({ user_id: bob?.id, ...figures });
      expect(body.clicks).to.be.greaterThan(100);
      const none = { clicks: 0, unique_clicks: 0, conversions: 0, conversion_rate: 0, series: [] };
      expect((await admin.get(`/affiliates/${idle?.id}/clicks?interval=week`)).body).to.deep.include(none);
    });

    it('counts the same after some clicks are erased, and after more', async () => {
      for (const day of ['2026-10-03', '2026-10-26']) {
        const moment = Date.parse(`${day}T00:00:00+02:00`) + (day > '2026-10-25' ? 3_600_000 : 0);
        const erase = () => service.storage.write(({ erasure }) => erasure.eraseClicksBefore(moment, 20));
        while ((await erase()) > 0);
        await checkFigures();
      }
    });

    it('is never below zero, also when coupons changed hands after clicks were erased', async () => {
      for (const id of own) await service.storage.write((transaction) => assignCoupon(transaction, id, bob?.id ?? 0, handOver()));
      const { body } = await admin.get(`/affiliates/${ann?.id}/clicks`);
      expect([body.clicks, body.unique_clicks]).to.deep.equal([0, 0]);
      for (const id of own) await service.storage.write((transaction) => assignCoupon(transaction, id, ann?.id ?? 0, handOver()));
    });

    it('is for admins and the affiliate alone', async () => {
      if (!ann) throw new Error('There is no ann.');
      const asAnn = await service.clientOf(ann, ['read']);
      expect((await asAnn.get(`/affiliates/${ann.id}/clicks`)).status).to.equal(200);
      const foreign = await asAnn.get(`/affiliates/${bob?.id}/clicks`);
      const missing = await asAnn.get('/affiliates/999999/clicks');
      expect([foreign.status, foreign.body]).to.deep.equal([404, missing.body]);
    });
  });
});
