import { expect } from 'chai';
import { pino } from 'pino';
import { eraseExpired, startRetention } from '../../server/jobs/retention-job.ts';
import { mailsOf, submit } from '../support/applications.ts';
import { clicks } from '../support/clicks.ts';
import { forEachEngine } from '../support/engines.ts';
import { coupon, orders } from '../support/program.ts';
import { suiteService } from '../support/service.ts';
import { findInDatabase, findInFiles } from './marked-person.ts';

const day = 86_400;
const log = pino({ level: 'silent' });

forEachEngine((engine) => {
  describe('retention', function () {
    this.timeout(60_000);
    const { service, clock, admin } = suiteService(engine, {
      now: '2024-01-10T12:00:00Z',
      settings: { 'addons.store': true, 'addons.management': true },
    });
    const run = () => eraseExpired({ storage: service.storage, settings: service.settings, dataDir: service.dataDir, clock });
    const find = (text: string) => findInDatabase(engine, service.databaseUrl, text);

    it('erases a declined application with its events, deliveries and mails after privacy.declined_days, and no other', async () => {
      const applicant = (name: string) => ({
        login: name,
        email: `${name}@apply.example`,
        displayName: name,
        couponCode: name,
        at: clock.now(),
      });
      const decisions = { zqdeclined: 'declined', zqaccepted: 'accepted', zqpending: null };
      for (const [name, status] of Object.entries(decisions)) {
        const id = await submit(service, applicant(name));
        if (status) await admin.post(`/registrations/${id}/status`, { json: { status, send_email: true } });
      }
      await mailsOf(service);
      expect(Object.keys(await find('zqdeclined'))).to.include.members(['registrations.email', 'events.info', 'mails.recipient']);
      clock.advance(179 * day);
      expect((await run()).applications).to.equal(0);
      clock.advance(2 * day);
      await service.withSetting('privacy.declined_days', 0, async () => expect((await run()).applications).to.equal(0));
      const counts = await Promise.all([run(), run()]);
      expect(counts.map(({ applications }) => applications).toSorted()).to.deep.equal([0, 1]);
      expect(await find('zqdeclined')).to.deep.equal({});
      if (engine.name === 'postgres') expect(findInFiles(service.dataDir, service.databaseUrl, 'zqdeclined')).to.deep.equal([]);
      for (const name of ['zqaccepted', 'zqpending']) expect(await find(name)).to.include.keys(['registrations.email']);
    });

    it('erases clicks after privacy.click_days, in batches, while all counts stay, also for a user with several coupons', async () => {
      const user = await service.user('clicked', 'affiliate');
      const first = await coupon(service, 'FIRST', { userId: user.id });
      const second = await coupon(service, 'SECOND', { userId: user.id });
      const at = (days: number, minute = 0): string => new Date(clock.now() + days * day * 1000 + minute * 60_000).toISOString();
      const old = Array.from({ length: 1100 }, (_, n) => ({
        coupon: first,
        at: at(n % 3, n % 600),
        visitor: `old${n % 400}`,
        campaign: 'spring',
      }));
      const recent = ['a', 'b', 'a'].map((visitor, n) => ({ coupon: n === 2 ? second : first, at: at(400 + n), visitor }));
      await clicks(service, [...old, ...recent]);
      await orders(service, [{ id: 9001, coupon: first, at: at(2, 601), visitor: 'old1' }]);
      const ranges = ['', `?from=${at(0).slice(0, 10)}&to=${at(2).slice(0, 10)}`];
      const read = async () => {
        const addresses = [`/clicks/stats`, `/affiliates/${user.id}/clicks`].flatMap((path) => ranges.map((range) => path + range));
        const answers = await Promise.all(addresses.map((address) => admin.get(address)));
        return JSON.stringify(answers.map(({ body }) => body));
      };
      const before = await read();
      expect(JSON.parse(before)[2]).to.deep.include({ clicks: 1103, unique_clicks: 402 });
      clock.advance(735 * day);
      // A stop ends the run before its next batch.
      await startRetention({ storage: service.storage, settings: service.settings, dataDir: service.dataDir, clock, log }).stop();
      expect((await run()).clicks).to.equal(1100);
      expect(await read()).to.equal(before);
      const observer = await engine.observe(service.databaseUrl);
      const left = async (table: string) =>
        Number((await observer.query<{ n: number }>(`select count(distinct visitor_hash) as n from ${table}`))[0]?.n);
      expect([await left('clicks'), await left('visitor_days')]).to.deep.equal([2, 2]);
      const json = [{ coupon_id: first, date: at(-734).slice(0, 19), visitor: 'old1' }];
      const { body } = await admin.post('/store/clicks', { json });
      expect(body[0].reason).to.match(/^The click is older than privacy\.click_days/);
      await clock.advance(1000 * day);
      expect((await run()).clicks).to.equal(3);
      expect(JSON.parse(await read())[0], 'without any click').to.deep.include({ clicks: 1103 });
    });
  });
});
