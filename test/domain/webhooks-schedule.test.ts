import { expect } from 'chai';
import type { ClaimedDelivery, DeliveryOutcome } from '../../domain/webhooks/delivery.ts';
import { savedUser } from '../db/samples.ts';
import { answered, DeliveryFixture, start, timedOut } from '../support/deliveries.ts';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';

const minute = 60_000;

forEachEngine((engine) => {
  describe('a delivery that fails', () => {
    const fixture = testFixture(async () => new DeliveryFixture(await engine.open()));
    let id: number;
    beforeEach(async () => {
      id = await fixture.webhook();
    });

    it('is tried seven times, at the steps of the schedule ± 20 %, and then fails permanently', async () => {
      await fixture.recordEvents();
      for (const step of [1, 4, 16, 64, 240, 720]) {
        await fixture.settle(await fixture.claimOne(), step === 16 ? timedOut : answered(500));
        const dueAt = (await fixture.nextDueAt()) ?? 0;
        expect((dueAt - fixture.now) / minute).to.be.within(step * 0.8, step * 1.2);
        fixture.now = dueAt;
      }
      await fixture.settle(await fixture.claimOne(), answered(302));
      expect(await fixture.nextDueAt()).to.equal(null);
      const [delivery] = await fixture.log(id);
      expect(delivery).to.include({ status: 'failed', dueAt: null, finishedAt: fixture.now });
      expect(delivery?.attempts.map(({ code, failure }) => code ?? failure)).to.deep.equal([500, 500, 'timeout', 500, 500, 500, 302]);
      const first = { at: start, code: 500, failure: null, error: 'The receiver answered 500.', excerpt: 'ok', milliseconds: 3 };
      expect(delivery?.attempts[0]).to.deep.equal(first);
    });

    it('waits as long as the receiver requests, up to twice the step, after a 429 or 503', async () => {
      const waits = async (outcome: DeliveryOutcome): Promise<number> => {
        await fixture.recordEvents();
        await fixture.settle(await fixture.claimOne(), outcome);
        const dueAt = (await fixture.nextDueAt()) ?? 0;
        const waited = (dueAt - fixture.now) / 1000;
        fixture.now = dueAt;
        await fixture.settle(await fixture.claimOne(), answered(200));
        return waited;
      };
      expect(await waits(answered(429, '100'))).to.equal(100);
      expect(await waits(answered(503, '86400'))).to.equal(120);
      const inNinetySeconds = new Date(fixture.now + 90_000).toUTCString();
      expect(await waits(answered(503, inNinetySeconds))).to.be.within(89, 90);
      for (const odd of [answered(429, '1'), answered(429, '-5'), answered(429, 'soon'), answered(500, '100'), answered(429)])
        expect(await waits(odd)).to.be.within(48, 72);
    });

    it('counts as a failure of the webhook, until one succeeds', async () => {
      await fixture.recordEvents(3);
      const claimed = await fixture.claim();
      for (const failing of claimed.slice(0, 2)) await fixture.settle(failing, timedOut);
      expect(await fixture.state(id)).to.include({ failures: 2, lastError: timedOut.kind === 'failed' && timedOut.message });
      expect(await fixture.state(id)).to.include({ lastDeliveryAt: fixture.now });
      for (const fine of claimed.slice(2)) await fixture.settle(fine, answered(299));
      expect(await fixture.state(id)).to.include({ failures: 0, lastError: '' });
    });

    const claimAll = async (count: number): Promise<ClaimedDelivery[]> => {
      await fixture.recordEvents(count);
      const claimed: ClaimedDelivery[] = [];
      while (claimed.length < count) claimed.push(...(await fixture.claim()));
      return claimed;
    };
    const settle = (claimed: readonly ClaimedDelivery[], ...codes: number[]) =>
      fixture.settleAll(codes.map((code, place) => ({ claimed: claimed[place] as ClaimedDelivery, outcome: answered(code) })));
    const failed = (count: number): number[] => Array.from({ length: count }, () => 500);
    const day = 24 * 60 * minute;

    it('disables its webhook once 25 in a row have failed and the first is 24 hours old, with one event and one mail to each admin', async () => {
      await savedUser(fixture.database, { role: 'administrator' });
      await savedUser(fixture.database, { role: 'manager' });
      await savedUser(fixture.database, { role: 'affiliate' });
      const claimed = await claimAll(30);
      await settle(claimed, ...failed(24));
      expect(await fixture.state(id)).to.include({ failures: 24, failingSince: start, nextProbeAt: null });
      await settle(claimed.slice(24), ...failed(6));
      expect(await fixture.state(id)).to.include({ status: 'active', failures: 30, failingSince: start, nextProbeAt: start + minute });
      fixture.now = start + day - 1;
      await fixture.settle(await fixture.claimOne(), answered(500));
      expect(await fixture.state(id)).to.include({ status: 'active', failures: 31 });
      fixture.now += minute;
      await fixture.settle(await fixture.claimOne(), answered(500));
      expect(await fixture.state(id)).to.include({ status: 'disabled', failures: 32 });
      const told = await fixture.read(({ events }) =>
        events.newest({ kinds: ['webhook_disabled'], userId: null }, { page: 1, perPage: 9 }),
      );
      expect(told.items.map(({ objectId, userId, type }) => [objectId, userId, type])).to.deep.equal([[id, 0, null]]);
      const mails = await fixture.write(({ mails }) => mails.claim({ now: fixture.now + 1, leasedUntil: fixture.now + 2, limit: 9 }));
      expect(mails).to.have.lengthOf(2);
      fixture.now += 2 * minute;
      expect([await fixture.claim(), await fixture.nextDueAt()]).to.deep.equal([[], null]);
    });

    it('does not disable its webhook when the first is 24 hours old and fewer than 25 have failed', async () => {
      await settle(await claimAll(20), ...failed(20));
      fixture.now = start + 2 * day;
      await fixture.settle(await fixture.claimOne(), answered(500));
      expect(await fixture.state(id)).to.include({ status: 'active', failures: 21, nextProbeAt: null });
    });

    it('is one of 25 after which workers together send one probe a minute, until one succeeds', async () => {
      await settle(await claimAll(30), ...failed(30));
      expect(await fixture.nextDueAt()).to.equal(start + minute);
      fixture.now = start + 2 * minute;
      const together = await Promise.all([fixture.claim(), fixture.claim(), fixture.claim()]);
      expect(together.flat()).to.have.length(1);
      expect(await fixture.nextDueAt()).to.equal(fixture.now + minute);
      await fixture.settleAll(together.flat().map((claimed) => ({ claimed, outcome: answered(500) })));
      expect(await fixture.claim()).to.deep.equal([]);
      fixture.now += minute;
      await fixture.settle(await fixture.claimOne(), answered(204));
      expect(await fixture.state(id)).to.include({ failures: 0, failingSince: null, nextProbeAt: null });
      expect(await fixture.claim()).to.have.length(5);
    });

    it('counts in the order in which deliveries ended, also where they are recorded together', async () => {
      const claimed = await claimAll(30);
      await settle(claimed, 500, 500, 204, 503);
      expect(await fixture.state(id)).to.include({ failures: 1, lastError: 'The receiver answered 503.' });
      await settle(claimed.slice(4), ...failed(23));
      expect(await fixture.state(id)).to.include({ status: 'active', failures: 24 });
      fixture.now += day;
      // The 25th, and then what ended after it: it is in the log, and changes nothing.
      await settle(claimed.slice(27), 500, 204);
      await settle(claimed.slice(29), 410);
      expect(await fixture.state(id)).to.include({ status: 'disabled', failures: 25, lastError: 'The receiver answered 500.' });
    });

    it('with 410 is not retried, and disables its webhook at once', async () => {
      await fixture.recordEvents(2);
      await fixture.settle(await fixture.claimOne(), answered(410));
      expect(await fixture.state(id)).to.include({ status: 'disabled', failures: 1 });
      expect((await fixture.log(id)).map(({ status }) => status)).to.deep.equal(['pending', 'failed']);
    });
  });
});
