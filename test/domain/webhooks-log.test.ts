import { expect } from 'chai';
import { deleteOldDeliveries, replayDelivery } from '../../domain/webhooks/delivery-queue.ts';
import { answered, DeliveryFixture, start } from '../support/deliveries.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';

const day = 86_400_000;

onAnyEngine((engine) => {
  describe('the log of deliveries', () => {
    const fixture = testFixture(async () => new DeliveryFixture(await engine.open()));

    const replay = (id: number) => fixture.write((transaction) => replayDelivery(transaction, { id }, fixture.now));
    const forget = (limit: number) => fixture.write((transaction) => deleteOldDeliveries(transaction, fixture.now, limit));

    it('retains pending deliveries while a webhook is disabled, which are sent when it is active again', async () => {
      const id = await fixture.webhook();
      await fixture.recordEvents();
      await fixture.setStatus(id, 'disabled');
      await fixture.recordEvents();
      expect([await fixture.claim(), await fixture.nextDueAt()]).to.deep.equal([[], null]);
      await fixture.setStatus(id, 'active');
      expect(await fixture.claim()).to.have.lengthOf(1);
    });

    it('allows a delivery to be replayed under its own number, with all attempts before it, also a delivered one', async () => {
      const id = await fixture.webhook();
      await fixture.recordEvents();
      const delivered = await fixture.claimOne();
      await fixture.settle(delivered, answered(200));
      fixture.now += day;
      await replay(delivered.id);
      expect(await fixture.claimOne()).to.include({ id: delivered.id, attempt: 1 });
      expect((await fixture.log(id))[0]).to.deep.include({ status: 'pending', finishedAt: null });
    });

    it('discards an attempt that was in flight when its delivery was replayed', async () => {
      const id = await fixture.webhook();
      await fixture.recordEvents();
      const claimed = await fixture.claimOne();
      await replay(claimed.id);
      await fixture.settle(claimed, answered(500));
      await fixture.settle(await fixture.claimOne(), answered(201));
      expect((await fixture.log(id))[0]?.attempts.map(({ code }) => code)).to.deep.equal([201]);
    });

    it('allows no replay of a missing delivery, or of one whose webhook is disabled or deleted', async () => {
      const id = await fixture.webhook();
      await fixture.recordEvents();
      const claimed = await fixture.claimOne();
      const refusal = (which: number) => replay(which).catch(({ code }) => code);
      expect([await refusal(999), await refusal(0)]).to.deep.equal(['svc_api_not_found', 'svc_api_not_found']);
      await fixture.setStatus(id, 'disabled');
      expect(await refusal(claimed.id)).to.equal('svc_api_conflict');
      await fixture.write(({ webhooks }) => webhooks.remove(id));
      expect(await refusal(claimed.id)).to.equal('svc_api_not_found');
    });

    it('deletes deliveries 30 days after their end, a few at a time, and never a pending one', async () => {
      const [id, disabled] = [await fixture.webhook(), await fixture.webhook()];
      await fixture.recordEvents(6);
      const claimed = await fixture.claim();
      for (const each of claimed.filter(({ webhookId }) => webhookId === id)) await fixture.settle(each, answered(200));
      await fixture.setStatus(disabled, 'disabled');
      fixture.now = start + 30 * day;
      expect(await forget(100)).to.equal(0);
      // Longer than the leases, too.
      fixture.now += 31_000;
      expect(await forget(4)).to.equal(4);
      expect(await forget(100)).to.equal(7);
      expect((await fixture.log(id)).map(({ status }) => status)).to.deep.equal(['pending']);
      expect(await fixture.log(disabled)).to.deep.equal([]);
    });
  });
});
