import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { coupon } from '../support/program.ts';
import { suiteService } from '../support/service.ts';
import { receiver, subscribed } from '../support/webhooks.ts';

forEachEngine((engine) => {
  describe('webhooks that several admins change concurrently', () => {
    const { service, admin } = suiteService(engine);
    const books = suiteFixture(() => receiver(engine));

    const patch = (id: number, json: unknown) => admin.call('PATCH', `/webhooks/${id}`, { json });
    const remove = (id: number) => admin.call('DELETE', `/webhooks/${id}`);
    let made = 0;
    const newAffiliate = async () => {
      made += 1;
      return coupon(service, `CODE-${made}`, { userId: (await service.user(`user-${made}`, 'affiliate')).id });
    };

    it('are deleted by one of them, and answer 404 to the others', async () => {
      const { id } = await subscribed(admin, books.url);
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => remove(id)));
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 404, 404, 404, 404]);
    });

    it('are disabled once, however many requests do it', async () => {
      const { id } = await subscribed(admin, books.url);
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => patch(id, { status: 'disabled' })));
      expect(answers.map(({ status, body }) => [status, body.status])).to.deep.equal(answers.map(() => [200, 'disabled']));
      const { body } = await admin.get('/events?event=webhook_disabled');
      expect(body.filter(({ event_id }: { event_id: number }) => event_id === id)).to.have.lengthOf(1);
      await remove(id);
    });

    it('are changed or deleted: a change is never lost and never partial', async () => {
      const { id } = await subscribed(admin, books.url);
      const answers = await Promise.all([
        patch(id, { events: ['payout.paid'] }),
        patch(id, { status: 'disabled' }),
        patch(id, { events: ['referral.created'], status: 'active' }),
        remove(id),
        admin.post(`/webhooks/${id}/test`),
      ]);
      for (const { status } of answers) expect(status).to.be.oneOf([200, 404]);
      expect((await remove(id)).status).to.equal(404);
    });

    it('do not affect events that are recorded while they are deleted', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { id } = await subscribed(admin, books.url);
        const [, { status }] = await Promise.all([newAffiliate(), remove(id), newAffiliate()]);
        expect(status).to.equal(200);
      }
      const { headers } = await admin.get('/events?event=affiliate_created');
      expect(headers.get('X-Svc-Total')).to.equal('10');
    });

    it('can be deleted while a delivery is in flight, whose outcome is then dropped without an error', async () => {
      const { id } = await subscribed(admin, books.url);
      for (let event = 0; event < 8; event += 1) await newAffiliate();
      const working = service.work();
      expect((await remove(id)).status).to.equal(200);
      await working;
      expect((await admin.get('/webhooks')).body).to.deep.equal([]);
      expect(service.log.filter((line) => line.includes('"level":50'))).to.deep.equal([]);
    });
  });
});
