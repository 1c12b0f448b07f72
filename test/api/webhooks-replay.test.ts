import { expect } from 'chai';
import type { components } from '../../generated/api.d.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { coupon, newOrderId, orders } from '../support/program.ts';
import { testService } from '../support/service.ts';
import { type Receiver, receiver, subscribed } from '../support/webhooks.ts';

type Delivery = components['schemas']['WebhookDelivery'];

onAnyEngine((engine) => {
  describe('the deliveries of a webhook', () => {
    const { service, admin, clock } = testService(engine, { settings: { 'addons.management': true } });
    const books = testFixture(() => receiver(engine));

    const listOf = async (id: number, query = ''): Promise<Delivery[]> => (await admin.get(`/webhooks/${id}/deliveries${query}`)).body;
    const replay = (id: number, delivery: string) => admin.post(`/webhooks/${id}/deliveries/${delivery}/replay`);

    /** Records one event for each webhook that subscribed to all events. */
    async function earn(): Promise<void> {
      const { id: userId } = await service.user(`ann${newOrderId()}`, 'affiliate');
      const id = await coupon(service, `ANN${userId}`, { userId });
      await orders(service, [{ id: newOrderId(), coupon: id, at: '2026-11-01T12:00:00Z' }]);
    }

    async function deliver(to: Receiver, code: number): Promise<{ id: number; delivery: string }> {
      to.code = code;
      const { id } = await subscribed(admin, to.url, ['referral.created']);
      await earn();
      await service.work();
      const [first] = await listOf(id);
      return { id, delivery: first?.id ?? '' };
    }

    it('are listed newest first with their attempts, as the receiver knows them', async () => {
      const { id } = await deliver(books, 500);
      await earn();
      await service.work();
      const list = await listOf(id);
      expect(list.map((each) => each.id)).to.deep.equal(books.received.map(({ payload }) => payload.id).toReversed());
      expect(list[0]).to.deep.include({ webhook_id: id, event: 'referral.created', status: 'pending', date_finished: null });
      expect(list[0]?.next_attempt).to.match(/^2026-11-02T07:0\d/);
      expect(list[0]?.attempts.map(({ code, failure, error }) => [code, failure, error === ''])).to.deep.equal([[500, null, false]]);
    });

    it('are paged, and a page past the end is empty', async () => {
      const { id } = await subscribed(admin, books.url, ['referral.created']);
      for (const _ of [1, 2, 3]) await earn();
      const all = await listOf(id);
      const { body, headers } = await admin.get(`/webhooks/${id}/deliveries?per_page=2&page=2`);
      expect(body).to.deep.equal(all.slice(2));
      expect([headers.get('X-Svc-Total'), headers.get('X-Svc-TotalPages')]).to.deep.equal(['3', '2']);
      expect(await listOf(id, '?per_page=2&page=3')).to.deep.equal([]);
    });

    it('show the newest 20 attempts of a delivery that was sent again many times', async () => {
      const { id, delivery } = await deliver(books, 204);
      const deliveryId = Number(delivery.slice(4));
      const attempts = Array.from({ length: 25 }, (_, code) => ({
        ...{ deliveryId, at: clock.now(), code: 200 + code, failure: null },
        ...{ error: '', excerpt: 'thanks', milliseconds: 1 },
      }));
      await service.storage.write(({ deliveries }) => deliveries.addAttempts(attempts));
      const shown = (await listOf(id))[0]?.attempts ?? [];
      expect(shown.map(({ code }) => code)).to.deep.equal(attempts.slice(5).map(({ code }) => code));
      expect(shown[0]?.excerpt).to.equal('thanks');
    });

    it('are 404 for a webhook that does not exist', async () => {
      const { status, body } = await admin.get('/webhooks/999/deliveries');
      expect([status, body.code]).to.deep.equal([404, 'svc_api_not_found']);
    });

    for (const [status, code] of [
      ['delivered', 204],
      ['pending', 500],
      ['failed', 204],
    ] as const)
      it(`can be sent again while they are ${status}, with the same id`, async () => {
        const { id, delivery } = await deliver(books, code);
        if (status === 'failed') {
          const settled = { id: Number(delivery.slice(4)), status, attempts: 7, dueAt: null, finishedAt: clock.now() };
          await service.storage.write(({ deliveries }) => deliveries.settle([settled]));
        }
        expect((await listOf(id))[0]).to.include({ id: delivery, status });
        books.code = 200;
        const answer = await replay(id, delivery);
        expect([answer.status, answer.body]).to.deep.equal([200, { id: delivery, status: 'pending' }]);
        await service.work();
        expect(books.received.map(({ payload }) => payload.id)).to.deep.equal([delivery, delivery]);
        const [after] = await listOf(id);
        expect(after?.status).to.equal('delivered');
        expect(after?.attempts.map((attempt) => attempt.code)).to.deep.equal([code, 200]);
      });

    it('are not sent again to a disabled webhook', async () => {
      const { id, delivery } = await deliver(books, 204);
      await admin.call('PATCH', `/webhooks/${id}`, { json: { status: 'disabled' } });
      const { status, body } = await replay(id, delivery);
      expect([status, body.code, body.message]).to.deep.equal([409, 'svc_api_conflict', 'Its webhook is disabled. Make it active first.']);
      expect((await listOf(id))[0]?.status).to.equal('delivered');
    });

    it('answer the same for a delivery of another webhook, a missing one and one of a missing webhook', async () => {
      const { id, delivery } = await deliver(books, 204);
      const other = await subscribed(admin, books.url, ['payout.paid']);
      const missing = await replay(id, 'dlv_999999');
      expect([missing.status, missing.body.code]).to.deep.equal([404, 'svc_api_not_found']);
      for (const [webhook, name] of [
        [other.id, delivery],
        [999, delivery],
        [id, 'dlv_999999999999999'],
      ] as const)
        expect((await replay(webhook, name)).body).to.deep.equal(missing.body);
      await service.work();
      expect(books.received).to.have.lengthOf(1);
      expect((await listOf(id))[0]?.status).to.equal('delivered');
    });

    it('are named as people know them: anything else is 400', async () => {
      const { id } = await deliver(books, 204);
      for (const name of ['1', 'dlv_0', 'dlv_1e3', 'DLV_1']) expect((await replay(id, name)).status, name).to.equal(400);
    });

    it('never show the signing secret', async () => {
      const { id, secret } = await subscribed(admin, books.url, ['referral.created']);
      await earn();
      await service.work();
      const list = await listOf(id);
      await replay(id, list[0]?.id ?? '');
      expect(JSON.stringify([list, await listOf(id), service.log])).to.not.include(secret);
    });
  });
});
