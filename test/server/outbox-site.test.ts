import { expect } from 'chai';
import { listDeliveries, replayDelivery } from '../../domain/webhooks/delivery-queue.ts';
import { mailsOf } from '../support/applications.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { forEachEngine } from '../support/engines.ts';
import { recordReferrals, upTo } from '../support/load.ts';
import { TestClock, TestService } from '../support/service.ts';
import { type Receiver, receiver, subscribed } from '../support/webhooks.ts';

forEachEngine((engine) => {
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

    it('disables a webhook after 25 failures in a row, tells the feed and mails every admin, once', async () => {
      await service.user('manager', 'manager');
      await service.user('affiliate', 'affiliate');
      await service.settings.set('store.name', 'Fjell');
      const { id } = await subscribed(admin, books.url);
      books.code = 500;
      await recordReferrals(service.storage, upTo(24), clock.now());
      await service.work();
      expect((await admin.get('/webhooks')).body[0]).to.include({ status: 'active', failures: 24 });
      await recordReferrals(service.storage, upTo(10), clock.now());
      await service.work();
      expect((await admin.get('/webhooks')).body[0]).to.include({ id, status: 'disabled' });
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
      it(`delivers nothing while ${path} is ${off}, and what waited when it is ${on} again`, async () => {
        await subscribed(admin, books.url);
        await recordReferrals(service.storage, [1], clock.now());
        await service.settings.set(path, off);
        await service.work();
        expect(books.received).to.have.length(0);
        await service.settings.set(path, on);
        await service.work();
        expect(books.received).to.have.length(1);
      });

    it('never counts a replayed test delivery, whatever its receiver says', async () => {
      const { id } = await subscribed(admin, books.url);
      books.code = 410;
      await admin.post(`/webhooks/${id}/test`);
      const deliveries = () => service.storage.read((stores) => listDeliveries(stores, id, { page: 1, perPage: 10 }));
      const [ping] = (await deliveries()).items;
      for (const code of [410, ...upTo(26).map(() => 500)]) {
        books.code = code;
        await service.storage.write((transaction) => replayDelivery(transaction, ping?.id ?? 0, clock.now()));
        await service.work();
      }
      expect(books.received).to.have.length(28);
      expect((await deliveries()).items[0]?.attempts).to.have.length(28);
      expect((await admin.get('/webhooks')).body[0]).to.include({ status: 'active', failures: 0, last_error: '', last_delivery: null });
      expect((await admin.get('/events?event=webhook_disabled')).body).to.have.length(0);
    });

    it('promises after a 410 what is so: what was answered 410 does not wait, and can be sent again', async () => {
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
      const gone = books.received.map(({ told }) => Number(told.id.slice(4)));
      expect(gone).to.have.length(5);
      await admin.call('PATCH', `/webhooks/${id}`, { json: { status: 'active' } });
      await service.work();
      expect(books.received).to.have.length(7);
      for (const each of gone) await service.storage.write((transaction) => replayDelivery(transaction, each, clock.now()));
      await service.work();
      expect(books.received).to.have.length(12);
    });
  });
});
