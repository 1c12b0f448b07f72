import { expect } from 'chai';
import { listDeliveries, replayDelivery } from '../../domain/webhooks/delivery-queue.ts';
import { mailsOf } from '../support/applications.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { onAnyEngine } from '../support/engines.ts';
import { recordReferrals, upTo } from '../support/load.ts';
import { TestClock, TestService } from '../support/service.ts';
import { type Receiver, receiver, subscribed } from '../support/webhooks.ts';

onAnyEngine((engine) => {
  describe('the outbox of a site', () => {
    let service: TestService;
    let clock: TestClock;
    let admin: ContractClient;
    let books: Receiver;
    beforeEach(async () => {
      clock = new TestClock();
      service = await (await TestService.start({ databaseUrl: await engine.freshUrl(), clock })).withoutLimits();
      admin = await service.admin();
      books = await receiver();
    });
    afterEach(async () => {
      await service.stop();
      await books.close();
    });

    const shown = async () => (await admin.get('/webhooks')).body[0];

    it('disables no webhook for 26 events during a short outage, and delivers them all once it is over', async () => {
      await subscribed(admin, books.url);
      books.code = 500;
      await recordReferrals(service.storage, upTo(26), clock.now());
      await service.work();
      expect(await shown()).to.include({ status: 'active' });
      expect(books.received.length).to.be.within(25, 26);
      books.code = 204;
      clock.advance(120);
      books.received.length = 0;
      await service.work();
      expect(await shown()).to.include({ status: 'active', failures: 0, last_error: '' });
      expect(new Set(books.received.map(({ payload }) => payload.id)).size).to.equal(26);
    });

    it('disables a webhook after 25 failures in a row, the first of them 24 hours ago, with one event and one mail to every admin', async () => {
      await service.user('manager', 'manager');
      await service.user('affiliate', 'affiliate');
      await service.settings.set('store.name', 'Fjell');
      const { id } = await subscribed(admin, books.url);
      books.code = 500;
      await recordReferrals(service.storage, upTo(40), clock.now());
      await service.work();
      const sentAtOnce = books.received.length;
      expect(sentAtOnce, 'and what was in flight then').to.be.within(25, 29);
      // One probe an hour here; a dead receiver holds no slots.
      for (let hour = 1; hour <= 23; hour += 1) {
        clock.advance(3600);
        await service.work();
        expect(books.received.length).to.equal(sentAtOnce + hour);
      }
      expect(await shown()).to.include({ id, status: 'active', failures: sentAtOnce + 23 });
      clock.advance(3600);
      await service.work();
      expect(await shown()).to.include({ id, status: 'disabled', failures: sentAtOnce + 24 });
      const { body: feed } = await admin.get('/events?event=webhook_disabled');
      expect(feed).to.have.length(1);
      const mails = await mailsOf(service);
      expect(mails.map(({ headers }) => headers.get('to')).toSorted()).to.deep.equal([
        'The administrator <administrator@shop.example>',
        'The manager <manager@shop.example>',
      ]);
      expect(mails[0]?.headers.get('subject')).to.match(/^Fjell: the webhook .* was disabled$/);
      expect(mails[0]?.parts.map(({ text }) => text).join()).to.include('attempts in a row failed');
      const before = books.received.length;
      clock.advance(86_400);
      await service.work();
      expect(books.received).to.have.length(before);
    });

    for (const [path, off, on] of [
      ['addons.webhooks', false, true],
      ['edition', 'free', 'pro'],
    ] as const)
      it(`delivers nothing while ${path} is ${off}, and the queued deliveries when it is ${on} again`, async () => {
        await subscribed(admin, books.url);
        await recordReferrals(service.storage, [1], clock.now());
        await service.settings.set(path, off);
        await service.work();
        expect(books.received).to.have.length(0);
        await service.settings.set(path, on);
        await service.work();
        expect(books.received).to.have.length(1);
      });

    it('never counts a replayed test delivery, whatever its receiver answers, but sets last_delivery', async () => {
      const { id } = await subscribed(admin, books.url);
      books.code = 410;
      await admin.post(`/webhooks/${id}/test`);
      const deliveries = () => service.storage.read((db) => listDeliveries(db, id, { page: 1, perPage: 10 }));
      const [ping] = (await deliveries()).items;
      for (const code of [410, ...upTo(26).map(() => 500)]) {
        books.code = code;
        await service.storage.write((transaction) => replayDelivery(transaction, { id: ping?.id ?? 0 }, clock.now()));
        await service.work();
      }
      clock.advance(5);
      await service.storage.write((transaction) => replayDelivery(transaction, { id: ping?.id ?? 0 }, clock.now()));
      await service.work();
      expect((await admin.get('/webhooks')).body[0].last_delivery).to.equal('2026-11-02T07:00:05');
      expect(books.received).to.have.length(29);
      expect((await deliveries()).items[0]?.attempts).to.have.length(20);
      expect((await admin.get('/webhooks')).body[0]).to.include({ status: 'active', failures: 0, last_error: '' });
      expect((await admin.get('/events?event=webhook_disabled')).body).to.have.length(0);
    });

    it('mails after a 410 that such deliveries do not wait and can be replayed, and that is true', async () => {
      const { id } = await subscribed(admin, books.url);
      books.code = 410;
      await recordReferrals(service.storage, upTo(7), clock.now());
      await service.work();
      expect((await admin.get('/webhooks')).body[0]).to.include({ status: 'disabled', failures: 1 });
      const [mail] = await mailsOf(service);
      const said = mail?.parts[0]?.text.replaceAll(/\s+/g, ' ');
      expect(said)
        .to.include('What its receiver answered with 410 does not wait')
        .and.include(`affiliate webhook deliveries ${id} shows it`);
      books.code = 204;
      const gone = books.received.map(({ payload }) => Number(payload.id.slice(4)));
      expect(gone).to.have.length(5);
      await admin.call('PATCH', `/webhooks/${id}`, { json: { status: 'active' } });
      await service.work();
      expect(books.received).to.have.length(7);
      for (const each of gone) await service.storage.write((transaction) => replayDelivery(transaction, { id: each }, clock.now()));
      await service.work();
      expect(books.received).to.have.length(12);
    });
  });
});
