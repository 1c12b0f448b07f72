import { expect } from 'chai';
import { deleteOldDeliveries, replayDelivery } from '../../domain/webhooks/delivery-queue.ts';
import { answered, DeliveryDesk, start } from '../support/deliveries.ts';
import { forEachEngine } from '../support/engines.ts';

const day = 86_400_000;

forEachEngine((engine) => {
  describe('the log of deliveries', () => {
    let desk: DeliveryDesk;
    beforeEach(async () => {
      desk = new DeliveryDesk(await engine.open());
    });

    const replay = (id: number) => desk.write((transaction) => replayDelivery(transaction, id, desk.now));
    const forget = (limit: number) => desk.write((transaction) => deleteOldDeliveries(transaction, desk.now, limit));

    it('retains pending deliveries while a webhook is disabled, which are sent when it is active again', async () => {
      const id = await desk.webhook();
      await desk.happen();
      await desk.setStatus(id, 'disabled');
      await desk.happen();
      expect([await desk.claim(), await desk.nextDueAt()]).to.deep.equal([[], null]);
      await desk.setStatus(id, 'active');
      expect(await desk.claim()).to.have.lengthOf(1);
    });

    it('allows a delivery to be replayed under its own number, with all attempts before it, also a delivered one', async () => {
      const id = await desk.webhook();
      await desk.happen();
      const delivered = await desk.claimOne();
      await desk.settle(delivered, answered(200));
      desk.now += day;
      await replay(delivered.id);
      expect(await desk.claimOne()).to.include({ id: delivered.id, attempt: 1 });
      expect((await desk.log(id))[0]).to.deep.include({ status: 'pending', finishedAt: null });
    });

    it('discards an attempt that was in flight when its delivery was replayed', async () => {
      const id = await desk.webhook();
      await desk.happen();
      const claimed = await desk.claimOne();
      await replay(claimed.id);
      await desk.settle(claimed, answered(500));
      await desk.settle(await desk.claimOne(), answered(201));
      expect((await desk.log(id))[0]?.attempts.map(({ code }) => code)).to.deep.equal([201]);
    });

    it('allows no replay of a missing delivery, or of one whose webhook is disabled or deleted', async () => {
      const id = await desk.webhook();
      await desk.happen();
      const claimed = await desk.claimOne();
      const refusal = (which: number) => replay(which).catch(({ code }) => code);
      expect([await refusal(999), await refusal(0)]).to.deep.equal(['svc_api_not_found', 'svc_api_not_found']);
      await desk.setStatus(id, 'disabled');
      expect(await refusal(claimed.id)).to.equal('svc_api_conflict');
      await desk.write(({ webhooks }) => webhooks.remove(id));
      expect(await refusal(claimed.id)).to.equal('svc_api_not_found');
    });

    it('deletes deliveries 30 days after their end, a few at a time, and never a pending one', async () => {
      const [id, disabled] = [await desk.webhook(), await desk.webhook()];
      await desk.happen(6);
      const claimed = await desk.claim();
      for (const each of claimed.filter(({ webhookId }) => webhookId === id)) await desk.settle(each, answered(200));
      await desk.setStatus(disabled, 'disabled');
      desk.now = start + 30 * day;
      expect(await forget(100)).to.equal(0);
      // Longer than the leases, too.
      desk.now += 31_000;
      expect(await forget(4)).to.equal(4);
      expect(await forget(100)).to.equal(7);
      expect((await desk.log(id)).map(({ status }) => status)).to.deep.equal(['pending']);
      expect(await desk.log(disabled)).to.deep.equal([]);
    });
  });
});
