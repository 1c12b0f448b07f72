import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { loadContract } from '../../server/contract/contract.ts';
import type { SiteModule } from '../../site/extension.ts';
import { type ContractClient, contractClient } from '../support/contract-client.ts';
import { mainlyOn } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import type { TestService } from '../support/service.ts';

type Presenters = NonNullable<SiteModule['present']>;

/** Declares a text of this name for each of these records. */
const declaring =
  (field: string, ...records: string[]): NonNullable<SiteModule['amendOpenapi']> =>
  (document) => {
    for (const record of records) {
      const schema = document.components?.['schemas']?.[record] as { properties: Record<string, unknown> };
      schema.properties[field] = { type: 'string' };
    }
    return document;
  };

mainlyOn('sqlite', (engine) => {
  describe('the record extensions of a site', () => {
    let store: PayoutStore;
    /** Checks every reply against the document that this very service gives out. */
    let admin: ContractClient;
    let affiliate: ContractClient;

    const open = async (siteModule: SiteModule): Promise<void> => {
      store = await openPayoutStore(engine, { siteModule });
      const boss = await store.service.user('chief', 'administrator');
      const { headers } = await store.service.key(boss, ['read', 'write', 'manage']);
      admin = await servedClient(store.service, headers);
      affiliate = await servedClient(store.service, (await store.service.key(store.user, ['read', 'write'])).headers);
    };
    const servedClient = async ({ origin, dataDir }: TestService, headers: Record<string, string>): Promise<ContractClient> => {
      const file = path.join(dataDir, 'served.json');
      const served = await fetch(`${origin}/api/v2/openapi`, { headers });
      mkdirSync(dataDir, { recursive: true });
      writeFileSync(file, await served.text());
      return contractClient(loadContract(file), origin, headers);
    };
    const complaints = (member: string): string[] => store.service.log.filter((line) => line.includes(`"member":"${member}"`));
    const shelf = ({ code }: { code: string }) => ({ shelf: `of ${code}` });

    it('are in lists, in single records and in nested records, after the fields of the contract', async () => {
      await open({
        amendOpenapi: declaring('shelf', 'Coupon', 'CouponDetail', 'CouponWithStats', 'Affiliate'),
        present: {
          Coupon: shelf,
          CouponDetail: shelf,
          CouponWithStats: shelf,
          Affiliate: ({ coupons }) => ({ shelf: coupons.map((coupon) => Object.keys(coupon).includes('shelf')).join() }),
        },
      });
      const { body: list } = await admin.get('/coupons');
      expect(list).to.have.length(1);
      expect(Object.entries(list[0]).at(-1)).to.deep.equal(['shelf', 'of TRAIL10']);
      expect((await admin.get(`/coupons/${store.couponId}`)).body.shelf).to.equal('of TRAIL10');
      expect((await affiliate.get('/me')).body.coupons[0].shelf).to.equal('of TRAIL10');
      const { body: affiliates } = await admin.get('/affiliates');
      // Each presenter is given the contract's record.
      expect([affiliates[0].coupons[0].shelf, affiliates[0].shelf]).to.deep.equal(['of TRAIL10', 'false']);
      const { body: detail } = await admin.get(`/affiliates/${store.user.id}`);
      expect([detail.coupons[0].shelf, 'shelf' in detail]).to.deep.equal(['of TRAIL10', false]);
      expect(complaints('present.Coupon')).to.deep.equal([]);
    });

    it('are in the orders of a coupon and in those of the program', async () => {
      await open({ amendOpenapi: declaring('gift', 'Order'), present: { Order: ({ order_id }) => ({ gift: `with ${order_id}` }) } });
      await store.service.settings.set('addons.management', true);
      const auditor = await store.service.user('auditor', 'administrator');
      admin = await servedClient(store.service, (await store.service.key(auditor, ['read'])).headers);
      await store.earn(1);
      for (const path of [`/coupons/${store.couponId}/orders`, '/orders']) {
        const [first] = (await admin.get(path)).body;
        expect(first.gift, path).to.equal(`with ${first.order_id}`);
      }
    });

    it('are in the responses to writes, and in one that is replayed', async () => {
      const note = ({ id }: { id: number }) => ({ note: `payout ${id}` });
      await open({ amendOpenapi: declaring('note', 'Payout', 'PayoutCreated'), present: { Payout: note, PayoutCreated: note } });
      const ask = (key: string) => affiliate.post('/payouts', { json: { coupon_id: store.couponId }, headers: { 'Idempotency-Key': key } });
      const answers = [await ask('a'), await ask('a'), await ask('b')];
      expect(answers.map(({ status, body }) => [status, body.note])).to.deep.equal([
        [201, 'payout 1'],
        [201, 'payout 1'],
        [200, 'payout 1'],
      ]);
      const { body } = await admin.post('/payouts/1/status', { json: { status: 'paid' } });
      expect([body.status, body.note]).to.deep.equal(['paid', 'payout 1']);
    });

    it('omit what the document does not declare, and the log reports it once', async () => {
      const given: Presenters = { Coupon: () => ({ shelf: 'declared', height: 5, code: 'STOLEN' }) };
      await open({ amendOpenapi: declaring('shelf', 'Coupon'), present: given });
      for (let time = 0; time < 3; time += 1) {
        const { body } = await admin.get('/coupons');
        expect([body[0].shelf, body[0].code, 'height' in body[0]]).to.deep.equal(['declared', 'TRAIL10', false]);
      }
      const lines = complaints('present.Coupon').join('');
      expect(lines.match(/added height/g)).to.have.length(1);
      expect(lines.match(/added code/g)).to.have.length(1);
    });

    it('are empty where the document could not be amended', async () => {
      const amendOpenapi = () => {
        throw new Error('boom');
      };
      await open({ amendOpenapi, present: { Coupon: shelf } });
      expect((await admin.get('/coupons')).body[0]).not.to.have.property('shelf');
    });

    it('leave the record unchanged when they fail', async () => {
      const boom = () => {
        throw new Error('boom');
      };
      const present: Presenters = { Coupon: boom, CouponDetail: (() => Promise.reject(new Error('boom'))) as never };
      await open({ amendOpenapi: declaring('shelf', 'Coupon', 'CouponDetail'), present });
      expect((await admin.get('/coupons')).body).to.deep.equal((await store.admin.get('/coupons')).body);
      expect((await admin.get(`/coupons/${store.couponId}`)).body.code).to.equal('TRAIL10');
      expect(complaints('present.Coupon').join('')).to.include('present.Coupon failed');
    });

    it('may read anything: a response with extensions is computed each time', async () => {
      let asked = 0;
      const present: Presenters = { Coupon: () => ({ shelf: String((asked += 1)) }) };
      await open({ amendOpenapi: declaring('shelf', 'Coupon'), present });
      const shelves = [];
      for (let time = 0; time < 3; time += 1) shelves.push((await admin.get('/coupons')).body[0].shelf);
      expect(shelves).to.deep.equal(['1', '2', '3']);
    });

    it('follow the settings: what is declared under one setting only is returned under that setting only', async () => {
      const amendOpenapi: SiteModule['amendOpenapi'] = (document) =>
        document.servers?.[0]?.description === 'Fjell' ? declaring('shelf', 'Coupon')(document) : document;
      await open({ amendOpenapi, present: { Coupon: shelf } });
      expect((await admin.get('/coupons')).body[0]).not.to.have.property('shelf');
      await store.set('store.name', 'Fjell');
      const fjell = await servedClient(store.service, (await store.service.key(store.user, ['read'])).headers);
      expect((await fjell.get('/me')).body.coupons[0].shelf).to.equal('of TRAIL10');
    });
  });
});
