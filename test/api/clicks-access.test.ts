import { expect } from 'chai';
import type { User } from '../../domain/users/user.ts';
import { forEachEngine } from '../support/engines.ts';
import { coupon, parent } from '../support/program.ts';
import { TestService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('click statistics', () => {
    let service: TestService;
    let ann: User;
    let trail: number;
    let other: number;
    before(async () => {
      service = await (await TestService.start({ databaseUrl: await engine.freshUrl() })).withoutLimits();
      ann = await service.user('ann', 'affiliate');
      trail = await coupon(service, 'TRAIL10', { userId: ann.id });
      other = await coupon(service, 'OTHER', { userId: (await service.user('bob', 'affiliate')).id });
    });
    after(() => service.stop());

    const asking = async (person: User, query: string): Promise<[number, string | undefined]> => {
      const client = await service.client((await service.key(person, ['read'])).headers);
      const { status, body } = await client.get(`/clicks/stats${query}`);
      return [status, body.code];
    };

    it('are for admins, and for the owner who names one of their own coupons', async () => {
      expect(await asking(ann, `?coupon_id=${trail}`)).to.deep.equal([200, undefined]);
      expect(await asking(ann, '')).to.deep.equal([400, 'svc_api_coupon_required']);
      expect(await asking(await service.user('customer', 'customer'), '')).to.deep.equal([400, 'svc_api_coupon_required']);
      expect(await asking(await service.user('manager', 'manager'), '')).to.deep.equal([200, undefined]);
    });

    it('answer other callers the same for a foreign coupon as for a missing one', async () => {
      const client = await service.client(await service.appPassword(ann));
      const [foreign, missing] = [await client.get(`/clicks/stats?coupon_id=${other}`), await client.get('/clicks/stats?coupon_id=999999')];
      expect(foreign.status).to.equal(404);
      expect(foreign.body).to.deep.equal(missing.body);
      const admin = await service.client(await service.appPassword(await service.user('boss', 'administrator')));
      expect((await admin.get('/clicks/stats?coupon_id=999999')).body).to.deep.equal(missing.body);
    });

    it('are not for the upline of the owner, who may read the coupon', async () => {
      const upline = await service.user('upline', 'affiliate');
      await parent(service, ann.id, upline.id);
      const client = await service.client(await service.appPassword(upline));
      expect((await client.get(`/coupons/${trail}`)).status).to.equal(200);
      expect(await asking(upline, `?coupon_id=${trail}`)).to.deep.equal([404, 'svc_api_not_found']);
    });
  });
});
