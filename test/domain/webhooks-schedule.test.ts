import { expect } from 'chai';
import type { ClaimedDelivery, DeliveryOutcome } from '../../domain/webhooks/delivery.ts';
import { savedUser } from '../db/samples.ts';
import { answered, DeliveryDesk, start, timedOut } from '../support/deliveries.ts';
import { forEachEngine } from '../support/engines.ts';

const minute = 60_000;

forEachEngine((engine) => {
  describe('a delivery that fails', () => {
    let desk: DeliveryDesk;
    let id: number;
    beforeEach(async () => {
      desk = new DeliveryDesk(await engine.open());
      id = await desk.webhook();
    });

    it('is tried seven times, at the steps of the schedule ± 20 %, and then fails permanently', async () => {
      await desk.happen();
      for (const step of [1, 4, 16, 64, 240, 720]) {
        await desk.settle(await desk.claimOne(), step === 16 ? timedOut : answered(500));
        const dueAt = (await desk.nextDueAt()) ?? 0;
        expect((dueAt - desk.now) / minute).to.be.within(step * 0.8, step * 1.2);
        desk.now = dueAt;
      }
      await desk.settle(await desk.claimOne(), answered(302));
      expect(await desk.nextDueAt()).to.equal(null);
      const [delivery] = await desk.log(id);
      expect(delivery).to.include({ status: 'failed', dueAt: null, finishedAt: desk.now });
      expect(delivery?.attempts.map(({ code, failure }) => code ?? failure)).to.deep.equal([500, 500, 'timeout', 500, 500, 500, 302]);
      const first = { at: start, code: 500, failure: null, error: 'The receiver answered 500.', excerpt: 'ok', milliseconds: 3 };
      expect(delivery?.attempts[0]).to.deep.equal(first);
    });

    it('waits as long as the receiver requests, up to twice the step, after a 429 or 503', async () => {
      const waits = async (outcome: DeliveryOutcome): Promise<number> => {
        await desk.happen();
        await desk.settle(await desk.claimOne(), outcome);
        const dueAt = (await desk.nextDueAt()) ?? 0;
        const waited = (dueAt - desk.now) / 1000;
        desk.now = dueAt;
        await desk.settle(await desk.claimOne(), answered(200));
        return waited;
      };
      expect(await waits(answered(429, '100'))).to.equal(100);
      expect(await waits(answered(503, '86400'))).to.equal(120);
      const inNinetySeconds = new Date(desk.now + 90_000).toUTCString();
      expect(await waits(answered(503, inNinetySeconds))).to.be.within(89, 90);
      for (const odd of [answered(429, '1'), answered(429, '-5'), answered(429, 'soon'), answered(500, '100'), answered(429)])
        expect(await waits(odd)).to.be.within(48, 72);
    });

    it('counts as a failure of the webhook, until one succeeds', async () => {
      await desk.happen(3);
      const claimed = await desk.claim();
      for (const failing of claimed.slice(0, 2)) await desk.settle(failing, timedOut);
      expect(await desk.state(id)).to.include({ failures: 2, lastError: timedOut.kind === 'failed' && timedOut.message });
      expect(await desk.state(id)).to.include({ lastDeliveryAt: desk.now });
      for (const fine of claimed.slice(2)) await desk.settle(fine, answered(299));
      expect(await desk.state(id)).to.include({ failures: 0, lastError: '' });
    });

    const claimAll = async (count: number): Promise<ClaimedDelivery[]> => {
      await desk.happen(count);
      const claimed: ClaimedDelivery[] = [];
      while (claimed.length < count) claimed.push(...(await desk.claim()));
      return claimed;
    };
    const settle = (claimed: readonly ClaimedDelivery[], ...codes: number[]) =>
      desk.settleAll(codes.map((code, place) => ({ claimed: claimed[place] as ClaimedDelivery, outcome: answered(code) })));
    const failed = (count: number): number[] => Array.from({ length: count }, () => 500);
    const day = 24 * 60 * minute;

    it('disables its webhook once 25 in a row have failed and the first is 24 hours old, with one event and one mail to each admin', async () => {
      await savedUser(desk.database, { role: 'administrator' });
      await savedUser(desk.database, { role: 'manager' });
      await savedUser(desk.database, { role: 'affiliate' });
      const claimed = await claimAll(30);
      await settle(claimed, ...failed(24));
      expect(await desk.state(id)).to.include({ failures: 24, failingSince: start, nextProbeAt: null });
      await settle(claimed.slice(24), ...failed(6));
      expect(await desk.state(id)).to.include({ status: 'active', failures: 30, failingSince: start, nextProbeAt: start + minute });
      desk.now = start + day - 1;
      await desk.settle(await desk.claimOne(), answered(500));
      expect(await desk.state(id)).to.include({ status: 'active', failures: 31 });
      desk.now += minute;
      await desk.settle(await desk.claimOne(), answered(500));
      expect(await desk.state(id)).to.include({ status: 'disabled', failures: 32 });
      const told = await desk.read(({ events }) => events.newest({ kinds: ['webhook_disabled'], userId: null }, { page: 1, perPage: 9 }));
      expect(told.items.map(({ objectId, userId, type }) => [objectId, userId, type])).to.deep.equal([[id, 0, null]]);
      const mails = await desk.write(({ mails }) => mails.claim({ now: desk.now + 1, leasedUntil: desk.now + 2, limit: 9 }));
      expect(mails).to.have.lengthOf(2);
      desk.now += 2 * minute;
      expect([await desk.claim(), await desk.nextDueAt()]).to.deep.equal([[], null]);
    });

    it('does not disable its webhook when the first is 24 hours old and fewer than 25 have failed', async () => {
      await settle(await claimAll(20), ...failed(20));
      desk.now = start + 2 * day;
      await desk.settle(await desk.claimOne(), answered(500));
      expect(await desk.state(id)).to.include({ status: 'active', failures: 21, nextProbeAt: null });
    });

    it('is one of 25 after which workers together send one probe a minute, until one succeeds', async () => {
      await settle(await claimAll(30), ...failed(30));
      expect(await desk.nextDueAt()).to.equal(start + minute);
      desk.now = start + 2 * minute;
      const together = await Promise.all([desk.claim(), desk.claim(), desk.claim()]);
      expect(together.flat()).to.have.length(1);
      expect(await desk.nextDueAt()).to.equal(desk.now + minute);
      await desk.settleAll(together.flat().map((claimed) => ({ claimed, outcome: answered(500) })));
      expect(await desk.claim()).to.deep.equal([]);
      desk.now += minute;
      await desk.settle(await desk.claimOne(), answered(204));
      expect(await desk.state(id)).to.include({ failures: 0, failingSince: null, nextProbeAt: null });
      expect(await desk.claim()).to.have.length(5);
    });

    it('counts in the order in which deliveries ended, also where they are recorded together', async () => {
      const claimed = await claimAll(30);
      await settle(claimed, 500, 500, 204, 503);
      expect(await desk.state(id)).to.include({ failures: 1, lastError: 'The receiver answered 503.' });
      await settle(claimed.slice(4), ...failed(23));
      expect(await desk.state(id)).to.include({ status: 'active', failures: 24 });
      desk.now += day;
      // The 25th, and then what ended after it: it is in the log, and changes nothing.
      await settle(claimed.slice(27), 500, 204);
      await settle(claimed.slice(29), 410);
      expect(await desk.state(id)).to.include({ status: 'disabled', failures: 25, lastError: 'The receiver answered 500.' });
    });

    it('with 410 is not retried, and disables its webhook at once', async () => {
      await desk.happen(2);
      await desk.settle(await desk.claimOne(), answered(410));
      expect(await desk.state(id)).to.include({ status: 'disabled', failures: 1 });
      expect((await desk.log(id)).map(({ status }) => status)).to.deep.equal(['pending', 'failed']);
    });
  });
});
