import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { webhookEvents } from '../../generated/events.ts';
import { scanService } from '../risk/risk-service.ts';
import { submit } from '../support/applications.ts';
import { bundleFile } from '../support/contract.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { failPayout } from '../support/payouts.ts';
import { coupon, newOrderId, orders, parent, payoutDetails } from '../support/program.ts';
import { testService } from '../support/service.ts';
import { isSigned, type ReceivedDelivery, receiver, subscribed } from '../support/webhooks.ts';

const ajv = new Ajv2020({ strict: false, logger: false }).addSchema(JSON.parse(readFileSync(bundleFile, 'utf8')), 'contract');

/** What is wrong with a delivery, by the contract's `webhooks:`. */
function faultsOf({ payload, headers }: ReceivedDelivery): unknown {
  const place = `contract#/webhooks/${payload.event}/post/requestBody/content/application~1json/schema`;
  const validate = ajv.getSchema(place) ?? ajv.compile({ $ref: place });
  const isNamed =
    headers['x-svc-event'] === payload.event && headers['x-svc-delivery'] === payload.id && headers['webhook-id'] === payload.id;
  if (!isNamed) return 'The headers say something else.';
  return validate(payload) ? null : validate.errors;
}

onAnyEngine((engine) => {
  describe('webhook deliveries', () => {
    const { service, admin, clock } = testService(engine);
    const books = testFixture(() => receiver(engine));

    const referral = async (given: { id?: number; coupon: number; status?: 'completed' | 'cancelled' }) => {
      const id = given.id ?? newOrderId();
      await orders(service, [{ ...given, id, at: '2026-11-01T12:00:00Z' }]);
      return id;
    };
    const events = () => books.received.map(({ payload }) => payload.event);

    /** Everything that can happen in a program, by the functions and operations that make it happen. */
    async function everything(): Promise<void> {
      await service.settings.set('multi_level.rates', [10]);
      const [above, ann] = [await service.user('above', 'affiliate'), await service.user('ann', 'affiliate')];
      await coupon(service, 'ABOVE', { userId: above.id });
      const code = await coupon(service, 'ANN10', { userId: ann.id });
      await parent(service, ann.id, above.id);
      const id = await referral({ coupon: code });
      await referral({ id, coupon: code, status: 'cancelled' });
      await referral({ coupon: code });
      await payoutDetails(service, { userId: ann.id, method: 'PayPal', methodType: 'paypal', details: { email: 'ann@shop.example' } });
      await payOut(code);
      await decideSignal(ann.id);
      const [accepted, declined] = [
        await submit(service),
        await submit(service, { login: 'other', email: 'o@shop.example', couponCode: 'OTHER' }),
      ];
      await admin.post(`/registrations/${accepted}/status`, { json: { status: 'accepted' } });
      await admin.post(`/registrations/${declined}/status`, { json: { status: 'declined' } });
    }

    /** Of a commission that is more than half of the order. */
    async function decideSignal(userId: number): Promise<void> {
      await service.settings.set('addons.risk', true);
      await referral({ coupon: await coupon(service, 'HALF', { userId, percentThousandths: 60_000 }) });
      await scanService(service);
      expect((await admin.post('/risk/signals/1/status', { json: { status: 'dismissed', note: 'As agreed.' } })).status).to.equal(200);
    }

    async function payOut(coupon_id: number): Promise<void> {
      const { status: made, body } = await admin.post('/payouts', { json: { coupon_id } });
      expect(made, service.log.filter((line) => line.includes('reason')).join('')).to.equal(201);
      for (const status of ['created', 'pending', 'paid', 'pending', 'cancel', 'pending', 'created'])
        expect((await admin.post(`/payouts/${body.id}/status`, { json: { status } })).status, status).to.equal(200);
      await failPayout(service, body.id);
    }

    it('are signed for every event and follow the contract', async () => {
      await service.settings.set('store.url', 'https://fjell.example');
      const { id, secret } = await subscribed(admin, books.url);
      await everything();
      await service.work();
      await admin.post(`/webhooks/${id}/test`);
      expect([...new Set(events())].toSorted()).to.deep.equal(Object.keys(webhookEvents).toSorted());
      for (const delivery of books.received) {
        expect(faultsOf(delivery), delivery.body).to.equal(null);
        expect(isSigned(delivery, secret, clock.now())).to.equal(true);
        expect(delivery.payload).to.include({ site: 'https://fjell.example', created: '2026-11-02T07:00:00Z' });
      }
      expect(new Set(books.received.map(({ payload }) => payload.id)).size).to.equal(books.received.length);
    });

    it('have the same type and data as the feed', async () => {
      await subscribed(admin, books.url);
      await everything();
      await service.work();
      const { body } = await admin.get('/events?after=0&per_page=100');
      const serialize = (each: { type: string | null; data: unknown }) => JSON.stringify([each.type, each.data]);
      const inFeed = body.filter(({ type }: { type: string | null }) => type !== null).map(serialize);
      const delivered = books.received.map(({ payload: { event: type, data } }) => serialize({ type, data }));
      expect(delivered.toSorted()).to.deep.equal(inFeed.toSorted());
    });

    it('are sent for subscribed events only', async () => {
      await subscribed(admin, books.url, ['commission.added', 'affiliate.created']);
      await everything();
      await service.work();
      expect([...new Set(events())].toSorted()).to.deep.equal(['affiliate.created', 'commission.added']);
    });

    it('are sent for active add-ons only', async () => {
      await subscribed(admin, books.url);
      await service.settings.set('addons.payouts', false);
      await service.settings.set('multi_level.rates', [10]);
      const ann = await service.user('ann', 'affiliate');
      await coupon(service, 'ANN10', { userId: ann.id });
      await payoutDetails(service, { userId: ann.id, method: 'PayPal', methodType: 'paypal', details: { email: 'ann@shop.example' } });
      for (const [path, value] of [
        ['addons.webhooks', false],
        ['addons.webhooks', true],
        ['edition', 'free'],
        ['edition', 'pro'],
      ] as const) {
        await service.settings.set(path, value);
        if (value === false || value === 'free')
          await coupon(service, `UNTOLD-${path}`, { userId: (await service.user(path, 'affiliate')).id });
      }
      await service.work();
      expect(events()).to.deep.equal(['affiliate.created']);
    });

    it('do not depend on the activity log', async () => {
      await service.settings.set('activity_log', false);
      await subscribed(admin, books.url);
      await coupon(service, 'ANN10', { userId: (await service.user('ann', 'affiliate')).id });
      await service.work();
      expect(events()).to.deep.equal(['affiliate.created']);
    });

    it('are signed with the time of their attempt, so that receivers accept a retry', async () => {
      const { secret } = await subscribed(admin, books.url);
      books.code = 500;
      await coupon(service, 'ANN10', { userId: (await service.user('ann', 'affiliate')).id });
      for (const seconds of [0, 3600]) {
        clock.advance(seconds);
        await service.work();
        expect(books.received.map((delivery) => isSigned(delivery, secret, clock.now())).at(-1), `after ${seconds} s`).to.equal(true);
      }
      expect(books.received).to.have.length(2);
    });

    it('show the result of the last one in the webhook, until one succeeds', async () => {
      const { id } = await subscribed(admin, books.url);
      books.code = 500;
      await coupon(service, 'ANN10', { userId: (await service.user('ann', 'affiliate')).id });
      clock.advance(5);
      await service.work();
      const shown = async () => (await admin.get('/webhooks')).body[0];
      expect(await shown()).to.include({ id, failures: 1, last_error: 'The receiver answered 500.', last_delivery: '2026-11-02T07:00:05' });
      books.code = 200;
      clock.advance(72);
      await service.work();
      expect(await shown()).to.include({ failures: 0, last_error: '', last_delivery: '2026-11-02T07:01:17' });
      const [first, second] = books.received;
      expect(second?.body).to.equal(first?.body);
    });
  });
});
