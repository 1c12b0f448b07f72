import { expect } from 'chai';
import type { SiteModule } from '../../site/extension.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { coupon } from '../support/program.ts';
import { testService } from '../support/service.ts';
import { receiver, subscribed } from '../support/webhooks.ts';

const siteModule: SiteModule = {
  webhookEvents: {
    'affiliate.welcomed': {
      description: 'A new affiliate is to be greeted.',
      raisedBy: (event) => (event.type === 'affiliate.created' ? { greeting: `Hello ${event.objectId}` } : null),
    },
    'affiliate.broken': {
      description: 'It never is.',
      raisedBy: () => {
        throw new Error('boom');
      },
    },
  },
};

onAnyEngine((engine) => {
  describe('the webhook catalog', () => {
    const { service, admin } = testService(engine, { siteModule });

    const names = async (query = '?per_page=100'): Promise<string[]> =>
      (await admin.get(`/webhooks/events${query}`)).body.map(({ event }: { event: string }) => event);

    it('has the events of the active add-ons and those of the site, and no test delivery', async () => {
      const all = await names();
      expect(all).to.have.lengthOf(20).and.include.members(['payout.paid', 'commission.mla_added', 'affiliate.welcomed']);
      expect(all).not.to.include('ping');
      await service.settings.set('addons.payouts', false);
      await service.settings.set('addons.multi_level', false);
      expect(await names()).to.deep.equal([
        'referral.created',
        'commission.added',
        'commission.removed',
        'registration.created',
        'registration.accepted',
        'registration.declined',
        'affiliate.created',
        'affiliate.welcomed',
        'affiliate.broken',
      ]);
      const { body } = await admin.post('/webhooks', { json: { url: 'https://books.example/', events: ['payout.paid'] } });
      expect(body.code).to.equal('svc_api_no_events');
    });

    it('returns pages, and a key with the read scope is enough', async () => {
      const all = await names();
      expect(await names('?per_page=5&page=2')).to.deep.equal(all.slice(5, 10));
      expect(await names('?page=9')).to.deep.equal([]);
      const reading = await service.clientOf(await service.user('manager', 'manager'), ['read']);
      const { status, headers } = await reading.get('/webhooks/events');
      expect([status, headers.get('X-Svc-Total'), headers.get('X-Svc-TotalPages')]).to.deep.equal([200, '20', '1']);
      expect((await reading.get('/webhooks')).body.code).to.equal('svc_api_insufficient_scope');
    });

    it('is not served without the add-on, and neither are webhooks', async () => {
      for (const [path, value] of [
        ['addons.webhooks', false],
        ['edition', 'free'],
      ] as const) {
        await service.settings.set(path, value);
        for (const route of ['/webhooks', '/webhooks/events']) expect((await admin.get(route)).body.code).to.equal('rest_no_route');
        await service.settings.unset(path);
      }
    });

    describe('with events of the site', () => {
      const books = testFixture(() => receiver(engine));
      const newAffiliate = async () => coupon(service, 'ANN10', { userId: (await service.user('ann', 'affiliate')).id });
      const told = () => books.received.map(({ payload: { event, data } }) => [event, data]).toSorted();

      it('delivers them to their subscribers, and one that fails blocks nothing', async () => {
        const ann = await subscribed(admin, books.url, ['affiliate.welcomed', 'affiliate.broken']);
        expect(ann.id).to.be.above(0);
        await newAffiliate();
        await service.work();
        expect(told().map(([event]) => event)).to.deep.equal(['affiliate.welcomed']);
        expect(told()[0]?.[1]).to.have.property('greeting');
      });

      it('delivers them to webhooks that subscribe to all events, while the add-on is active', async () => {
        await subscribed(admin, books.url);
        await service.settings.set('addons.webhooks', false);
        await coupon(service, 'UNTOLD', { userId: (await service.user('untold', 'affiliate')).id });
        await service.settings.set('addons.webhooks', true);
        await newAffiliate();
        await service.work();
        expect(told().map(([event]) => event)).to.deep.equal(['affiliate.created', 'affiliate.welcomed']);
      });
    });
  });
});
