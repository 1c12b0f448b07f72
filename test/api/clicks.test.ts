import { expect } from 'chai';
import type { User } from '../../domain/users/user.ts';
import { clicks } from '../support/clicks.ts';
import { forEachEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { coupon, orders, parent } from '../support/program.ts';
import { suiteService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('click statistics', () => {
    const { service, admin } = suiteService(engine, { settings: { 'store.timezone': 'Europe/Berlin' } });
    const ann = suiteFixture(() => service.user('ann', 'affiliate'));
    let trail: number;
    let other: number;

    // Berlin puts its clocks back on 25 October: that day has 25 hours, and 02:30 comes twice.
    before(async () => {
      trail = await coupon(service, 'TRAIL10', { userId: ann.id });
      other = await coupon(service, 'OTHER', { userId: (await service.user('bob', 'affiliate')).id });
      await clicks(service, [
        { coupon: trail, at: '2026-10-24T21:59:59Z', visitor: 'one', campaign: 'autumn' },
        { coupon: trail, at: '2026-10-24T22:00:00Z', visitor: 'one', campaign: 'autumn' },
        { coupon: trail, at: '2026-10-25T00:30:00Z', visitor: 'two' },
        { coupon: trail, at: '2026-10-25T01:30:00Z', visitor: 'two' },
        { coupon: trail, at: '2026-10-25T22:59:59Z', visitor: 'three', campaign: 'autumn' },
        { coupon: trail, at: '2026-10-25T23:00:00Z', visitor: 'three', campaign: 'spring' },
        { coupon: other, at: '2026-10-26T10:00:00Z', visitor: 'one', campaign: 'autumn' },
      ]);
      // The click right before an order is the one that led to it, and leads to one order only.
      await orders(service, [
        { id: 1, coupon: trail, at: '2026-10-25T12:00:00Z', visitor: 'one' },
        { id: 2, coupon: trail, at: '2026-10-25T13:00:00Z', visitor: 'one' },
        { id: 3, coupon: trail, at: '2026-10-26T08:00:00Z', visitor: 'three' },
        { id: 4, coupon: trail, at: '2026-10-26T09:00:00Z', visitor: 'a visitor without clicks' },
      ]);
    });

    const figures = (counted: number, unique: number, conversions: number, rate: number) => ({
      clicks: counted,
      unique_clicks: unique,
      conversions,
      conversion_rate: rate,
    });
    const stats = async (query: string, by = admin) => (await by.get(`/clicks/stats${query}`)).body;

    it('count every coupon for an admin who names none', async () => {
      const all = { coupon_id: null, campaign: null, from: null, to: null, ...figures(7, 3, 2, 28.57) };
      expect(await stats('')).to.deep.equal(all);
    });

    it('count one coupon, and a visitor once however often and on however many days they clicked', async () => {
      const one = { coupon_id: trail, campaign: null, from: null, to: null, ...figures(6, 3, 2, 33.33) };
      expect(await stats(`?coupon_id=${trail}`)).to.deep.equal(one);
    });

    it('count one campaign, whose conversions are those of its own clicks', async () => {
      expect(await stats(`?coupon_id=${trail}&campaign=autumn`)).to.deep.include({ campaign: 'autumn', ...figures(3, 2, 1, 33.33) });
      expect(await stats('?campaign=autumn')).to.deep.include(figures(4, 2, 1, 25));
      expect(await stats('?campaign=spring')).to.deep.include(figures(1, 1, 1, 100));
      expect(await stats('?campaign=Autumn')).to.deep.include(figures(0, 0, 0, 0));
    });

    it('use days in the time zone of the store, both ends included, over a daylight saving change', async () => {
      const day = await stats(`?coupon_id=${trail}&from=2026-10-25&to=2026-10-25`);
      expect(day).to.deep.include({ from: '2026-10-25', to: '2026-10-25', ...figures(4, 3, 1, 25) });
      expect(await stats('?to=2026-10-24')).to.deep.include({ from: null, to: '2026-10-24', ...figures(1, 1, 0, 0) });
      expect(await stats('?from=2026-10-26')).to.deep.include({ from: '2026-10-26', to: '2026-11-02', ...figures(2, 2, 1, 50) });
    });

    it('return a series without gaps, whose first and last steps are cut off by the range', async () => {
      const step = (from: string, to: string, ...counted: Parameters<typeof figures>) => ({ from, to, ...figures(...counted) });
      const range = `?coupon_id=${trail}&from=2026-10-23&to=2026-10-26`;
      expect((await stats(`${range}&interval=day`)).series).to.deep.equal([
        step('2026-10-23', '2026-10-23', 0, 0, 0, 0),
        step('2026-10-24', '2026-10-24', 1, 1, 0, 0),
        step('2026-10-25', '2026-10-25', 4, 3, 1, 25),
        step('2026-10-26', '2026-10-26', 1, 1, 1, 100),
      ]);
      expect((await stats(`${range}&interval=week`)).series).to.deep.equal([
        step('2026-10-23', '2026-10-25', 5, 3, 1, 20),
        step('2026-10-26', '2026-10-26', 1, 1, 1, 100),
      ]);
      expect((await stats(`?interval=month`)).series).to.deep.equal([
        step('2026-10-24', '2026-10-31', 7, 3, 2, 28.57),
        step('2026-11-01', '2026-11-02', 0, 0, 0, 0),
      ]);
    });

    it('have no steps where there are no clicks and the range is open', async () => {
      expect((await stats('?campaign=none&interval=day')).series).to.deep.equal([]);
    });

    it('refuse a range that ends before it begins, and a series with too many steps', async () => {
      const backwards = await admin.get('/clicks/stats?from=2026-10-02&to=2026-10-01');
      expect([backwards.status, Object.keys(backwards.body.data.params)]).to.deep.equal([400, ['from']]);
      const endless = await admin.get('/clicks/stats?from=0001-01-01&to=2026-10-01&interval=day');
      expect([endless.status, Object.keys(endless.body.data.params)]).to.deep.equal([400, ['interval']]);
    });

    it('identify no visitor, neither in the response nor in the database', async () => {
      expect(JSON.stringify(await stats(''))).not.to.match(/one|two|three/);
      const { query } = await engine.observe(service.databaseUrl);
      const rows = JSON.stringify([...(await query('select * from clicks')), ...(await query('select * from orders'))]);
      for (const visitor of ['"one"', '"two"', '"three"']) expect(rows).not.to.include(visitor);
    });

    const asking = async (person: User, query: string): Promise<[number, string | undefined]> => {
      const client = await service.clientOf(person, ['read']);
      const { status, body } = await client.get(`/clicks/stats${query}`);
      return [status, body.code];
    };

    it('are for admins, and for the owner who names one of their own coupons', async () => {
      expect(await asking(ann, `?coupon_id=${trail}`)).to.deep.equal([200, undefined]);
      expect(await asking(ann, '')).to.deep.equal([400, 'svc_api_coupon_required']);
      expect(await asking(await service.user('customer', 'customer'), '')).to.deep.equal([400, 'svc_api_coupon_required']);
      expect(await asking(await service.user('manager', 'manager'), '')).to.deep.equal([200, undefined]);
    });

    it('are not for the upline of the owner, who may read the coupon', async () => {
      const upline = await service.user('upline', 'affiliate');
      await parent(service, ann.id, upline.id);
      const client = await service.clientOf(upline);
      expect((await client.get(`/coupons/${trail}`)).status).to.equal(200);
      expect(await asking(upline, `?coupon_id=${trail}`)).to.deep.equal([404, 'svc_api_not_found']);
    });
  });
});
