import { expect } from 'chai';
import { plainTerms } from '../../domain/coupons/coupon.ts';
import { type OperationId, operations } from '../../generated/operations.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { servedByDefault } from '../support/served-by-default.ts';
import { startService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('GET /me', () => {
    const service = testFixture(() => startService(engine));

    it('shows no limits to an administrator with a password', async () => {
      const user = await service.user('administrator', 'administrator');
      const { body } = await (await service.clientOf(user)).get('/me');
      expect(body).to.deep.equal({
        user: { id: user.id, display_name: 'The administrator', login: 'administrator', email: 'administrator@shop.example' },
        is_admin: true,
        is_affiliate: false,
        access_level: 'admin',
        auth: { method: 'basic', key_id: null, scopes: null },
        coupons: [],
        operations: servedByDefault,
        api_version: '2.0.0',
        edition: 'pro',
        timezone: 'UTC',
        currency: 'USD',
      });
    });

    it('shows an affiliate its own coupons, and none without the read scope', async () => {
      const user = await service.user('affiliate', 'affiliate');
      const coupon = { ...plainTerms, code: 'TRAIL10', userId: user.id, status: 'publish' as const, createdAt: service.clock.now() };
      const id = await service.storage.write(({ couponTerms }) => couponTerms.insert(coupon, null));
      const reading = await service.clientOf(user, ['read']);
      const { body } = await reading.get('/me');
      expect([body.access_level, body.is_affiliate, body.is_admin]).to.deep.equal(['affiliate', true, false]);
      expect(body.coupons).to.deep.equal([
        {
          id,
          code: 'TRAIL10',
          user_id: user.id,
          status: 'publish',
          date_created: '2026-11-02T07:00:00',
          unpaid_commission: 0,
          pending_order_commission: 0,
          pending_payout_commission: 0,
          paid_commission: 0,
        },
      ]);
      const writing = await service.clientOf(user, ['write']);
      expect((await writing.get('/me')).body.coupons).to.deep.equal([]);
    });

    it('has the newest 100 coupons of an affiliate with more', async () => {
      const user = await service.user('affiliate', 'affiliate');
      const coupon = { ...plainTerms, userId: user.id, status: 'publish' as const };
      await service.storage.write(async ({ couponTerms }) => {
        for (let n = 0; n < 120; n += 1) await couponTerms.insert({ ...coupon, code: `C${n}`, createdAt: service.clock.now() + n }, null);
      });
      const { body } = await (await service.clientOf(user, ['read'])).get('/me');
      expect(body.coupons.map(({ code }: { code: string }) => code)).to.deep.equal(Array.from({ length: 100 }, (_, at) => `C${119 - at}`));
    });

    it('lists exactly the operations that do not answer this caller with 401 or 403', async () => {
      const customer = await service.user('customer', 'customer');
      const { body } = await (await service.clientOf(customer)).get('/me');
      expect(body.operations).to.deep.equal(['get_me', 'get_payouts', 'get_openapi']);
      const administrator = await service.user('administrator', 'administrator');
      const key = await service.clientOf(administrator, ['read']);
      const reading = (await key.get('/me')).body.operations;
      expect(reading).to.include.members(['get_me', 'get_coupons', 'get_reports_summary']);
      for (const operationId of reading) expect(operations[operationId as OperationId].scope).to.be.oneOf(['none', 'read']);
    });

    it('does not list what is switched off', async () => {
      const user = await service.user('administrator', 'administrator');
      const client = await service.clientOf(user);
      await service.settings.set('switches.post_keys', false);
      const { body } = await client.get('/me');
      expect(body.operations).to.have.members(servedByDefault.filter((operationId) => operationId !== 'post_keys'));
    });
  });
});
