import { expect } from 'chai';
import { operations } from '../../generated/operations.ts';
import { forEachEngine } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { suiteService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('searches with the add-on management', () => {
    const { service, admin } = suiteService(engine, { settings: { 'addons.management': true } });
    before(async () => {
      await service.withoutLimits();
      const [ann, bob] = [await service.user('ann', 'affiliate'), await service.user('bob', 'affiliate')];
      await service.user('newcomer', 'affiliate');
      await service.user('customer', 'customer');
      await coupon(service, 'Summer_1', { userId: ann.id });
      await coupon(service, 'WINTER', { userId: ann.id });
      await coupon(service, 'ANNUAL', { userId: bob.id });
      await coupon(service, 'OLD', { userId: bob.id, status: 'draft' });
      await coupon(service, 'FREE');
    });

    const logins = async (query: string): Promise<string[]> =>
      (await admin.get(`/affiliates${query}`)).body.map(({ user }: { user: { login: string } }) => user.login);
    const codes = async (query: string): Promise<string[]> =>
      (await admin.get(`/coupons${query}`)).body.map(({ code }: { code: string }) => code).toSorted();
    const everybody = ['ann', 'bob', 'newcomer'];

    /** What each search finds with the add-on, and without it. */
    const found: [path: 'affiliates' | 'coupons', query: string, withAddOn: string[], without: string[]][] = [
      ['affiliates', '?search=summer', ['ann'], []],
      ['affiliates', '?search=r_1', ['ann'], []],
      ['affiliates', '?search=r%25', [], []],
      ['affiliates', '?search=ann', ['ann', 'bob'], ['ann']],
      ['affiliates', '?search=old', ['bob'], []],
      ['affiliates', '?search=free', [], []],
      ['affiliates', '', ['ann', 'bob'], ['ann', 'bob']],
      ['affiliates', '?coupons=published', ['ann', 'bob'], ['ann', 'bob']],
      ['affiliates', '?coupons=any', everybody, ['ann', 'bob']],
      ['affiliates', '?coupons=any&search=new', ['newcomer'], []],
      ['affiliates', '?coupons=any&search=winter', ['ann'], []],
      ['coupons', '?search=bob', ['ANNUAL'], []],
      ['coupons', '?search=ann', ['ANNUAL', 'Summer_1', 'WINTER'], ['ANNUAL']],
      ['coupons', '?search=ann@shop.example', ['Summer_1', 'WINTER'], []],
      ['coupons', '?search=The%20ANN', ['Summer_1', 'WINTER'], []],
      ['coupons', '?search=bob&status=draft', ['OLD'], []],
      ['coupons', '?search=ann&user_id=0', [], []],
      ['coupons', '?search=fre&user_id=0', ['FREE'], ['FREE']],
    ];
    const readAll = async () => {
      const read: string[][] = [];
      for (const [path, query] of found) read.push(await (path === 'affiliates' ? logins(query) : codes(query)));
      return read;
    };

    it('find affiliates by coupon code and coupons by affiliate, and nothing more without the add-on', async () => {
      expect(await readAll()).to.deep.equal(found.map(([, , withAddOn]) => withAddOn));
      await service.withSetting('addons.management', false, async () => {
        expect(await readAll()).to.deep.equal(found.map(([, , , without]) => without));
      });
    });

    it('have the parameter `coupons` with the add-on alone: without it, it is ignored whatever its value', async () => {
      const parametersOf = async (): Promise<string> => {
        const { body } = await admin.get(operations.get_openapi.path);
        return JSON.stringify([body.paths['/affiliates'].get.parameters, body.components.parameters]);
      };
      expect(await parametersOf()).to.include('AffiliateCoupons');
      const refused = await admin.get('/affiliates?coupons=none');
      expect([refused.status, Object.keys(refused.body.data.params)]).to.deep.equal([400, ['coupons']]);
      await service.withSetting('addons.management', false, async () => {
        const { status, headers } = await admin.get('/affiliates?coupons=none');
        expect([status, headers.get('X-Svc-Ignored')]).to.deep.equal([200, 'coupons']);
        expect(await parametersOf()).not.to.include('AffiliateCoupons');
      });
    });
  });
});
