import { expect } from 'chai';
import { listDeliveries } from '../../domain/webhooks/delivery-queue.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { suiteService } from '../support/service.ts';
import { isSigned, receiver, subscribed } from '../support/webhooks.ts';

onAnyEngine((engine) => {
  describe('a test delivery', () => {
    const { service, admin, clock } = suiteService(engine);
    const books = testFixture(() => receiver(engine));

    const log = async (id: number) => (await service.storage.read((db) => listDeliveries(db, id, { page: 1, perPage: 10 }))).items;

    it('is a signed ping with a number of its own, sent while the caller waits', async () => {
      const { id, secret } = await subscribed(admin, books.url, ['payout.paid']);
      for (const code of [204, 200]) {
        books.code = code;
        expect((await admin.post(`/webhooks/${id}/test`)).body).to.deep.equal({ code });
      }
      const [first, second] = books.received;
      if (!first || !second) throw new Error('It did not arrive.');
      expect(first.payload).to.deep.include({
        event: 'ping',
        data: { message: 'This is a test delivery.' },
        created: '2026-11-02T07:00:00Z',
      });
      expect(isSigned(first, secret, clock.now())).to.equal(true);
      expect(isSigned(first, `${secret.slice(0, -4)}AAA=`, clock.now())).to.equal(false);
      expect(first.payload.id).not.to.equal(second.payload.id);
    });

    it('returns the status code of the receiver, whatever it is, sets last_delivery, and never counts as a failure', async () => {
      const { id } = await subscribed(admin, books.url);
      for (const code of [500, 302, 410, 404]) {
        books.code = code;
        expect((await admin.post(`/webhooks/${id}/test`)).body).to.deep.equal({ code });
      }
      const last = '2026-11-02T07:00:00';
      expect((await admin.get('/webhooks')).body[0]).to.include({ status: 'active', failures: 0, last_error: '', last_delivery: last });
      await service.work();
      expect(books.received).to.have.lengthOf(4);
      expect((await log(id)).map(({ status, attempts }) => [status, attempts[0]?.code])).to.deep.equal([
        ['failed', 404],
        ['failed', 410],
        ['failed', 302],
        ['failed', 500],
      ]);
    });

    it('reaches a disabled webhook too, to find out whether it works again', async () => {
      const { id } = await subscribed(admin, books.url);
      await admin.call('PATCH', `/webhooks/${id}`, { json: { status: 'disabled' } });
      expect((await admin.post(`/webhooks/${id}/test`)).body).to.deep.equal({ code: 204 });
    });

    it('that cannot be signed answers what the operator has to do, and leaves nothing in the log', async () => {
      const { id } = await subscribed(admin, books.url);
      await (await engine.observe(service.databaseUrl)).query(`update webhooks set encrypted_secret = 'v1:AAAA' where id = ${id}`);
      const { status, body } = await admin.post(`/webhooks/${id}/test`);
      expect([status, body.code, body.data.failure]).to.deep.equal([502, 'svc_api_delivery_failed', 'other']);
      expect(body.message).to.include('MASTER_KEY');
      expect(await log(id)).to.deep.equal([]);
      expect(books.received).to.have.lengthOf(0);
    });

    it('that is answered with an invalid status has failed', async () => {
      const { id } = await subscribed(admin, books.url);
      books.code = 999;
      const { status, body } = await admin.post(`/webhooks/${id}/test`);
      expect([status, body.data.failure]).to.deep.equal([502, 'other']);
      expect((await log(id)).map(({ attempts }) => attempts[0]?.code)).to.deep.equal([null]);
    });

    it('that cannot connect answers why, without naming an address', async () => {
      const { id } = await subscribed(admin, books.url);
      await books.close();
      const { status, body } = await admin.post(`/webhooks/${id}/test`);
      expect([status, body.code, body.data.failure]).to.deep.equal([502, 'svc_api_delivery_failed', 'refused']);
      expect(body.message).not.to.match(/127|localhost|\d{4,}/);
      expect((await log(id)).map(({ attempts }) => attempts[0]?.failure)).to.deep.equal(['refused']);
    });
  });
});
