import { expect } from 'chai';
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
      admin = await service.client(await service.appPassword(await service.user('administrator', 'administrator')));
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

    it('counts a secret that cannot be read as a failure, and goes on with the others', async () => {
      const { id } = await subscribed(admin, books.url);
      await subscribed(admin, books.url);
      await (await engine.observe(service.databaseUrl)).query(`update webhooks set encrypted_secret = 'v1:AAAA' where id = ${id}`);
      await recordReferrals(service.storage, [1], clock.now());
      await service.work();
      expect(books.received).to.have.length(1);
      const { body } = await admin.get('/webhooks');
      expect(body.map(({ failures }: { failures: number }) => failures).toSorted()).to.deep.equal([0, 1]);
    });
  });
});
