import { expect } from 'chai';
import type { NewEvent } from '../../domain/events/event.ts';
import type { ProgramEvent, SiteModule } from '../../site/extension.ts';
import { onAnyEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

onAnyEngine((engine) => {
  describe('the onEvent listener of a site', () => {
    let store: PayoutStore;
    const open = async (onEvent: NonNullable<SiteModule['onEvent']>): Promise<void> => {
      store = await openPayoutStore(engine, { siteModule: { onEvent } });
    };
    const feed = async (): Promise<string[]> => {
      const { body } = await store.admin.get<{ event: string }[]>('/events?after=0&per_page=100');
      return body.map(({ event }) => event);
    };

    it('receives events of orders, payouts and keys once each, in feed order, whatever wrote them', async () => {
      const heard: ProgramEvent[] = [];
      await open((event) => void heard.push(event));
      const { body: payout } = await store.request();
      await store.request();
      await store.change(payout.id, 'paid');
      const { body: key } = await store.admin.post('/keys', { json: { description: 'for the books' } });
      await store.admin.call('DELETE', `/keys/${key.id}`);
      await settled();
      const kinds = heard.map(({ kind }) => kind);
      expect(kinds).to.deep.equal(await feed());
      const last = ['commission_added', 'payout_request', 'payout_paid', 'api_key_created', 'api_key_revoked'];
      expect(kinds.slice(-5)).to.deep.equal(last);
      expect(heard.find(({ kind }) => kind === 'payout_request')).to.deep.include({
        type: 'payout.requested',
        objectType: 'payout',
        objectId: payout.id,
        userId: store.user.id,
        at: store.service.clock.now(),
      });
    });

    it('does not receive what was rolled back or refused', async () => {
      const heard: ProgramEvent[] = [];
      await open((event) => void heard.push(event));
      await settled();
      const before = heard.length;
      const event: NewEvent = { ...(heard.at(-1) as NewEvent), info: 'never happened' };
      const writing = store.service.storage.write(async ({ events }) => {
        await events.record(event);
        throw new Error('changed my mind');
      });
      expect(await writing.catch(String)).to.equal('Error: changed my mind');
      expect((await store.affiliate.post('/payouts', { json: { coupon_id: 999 } })).status).to.equal(404);
      await settled();
      expect(heard).to.have.length(before);
    });

    it('cannot change what others see of an event', async () => {
      await open((event) => void Object.assign(event, { info: 'meddled', data: null }));
      expect((await store.request()).status).to.equal(201);
      const { body } = await store.admin.get<{ info: string }[]>('/events?after=0&per_page=100');
      expect(body.filter(({ info }) => info === 'meddled')).to.deep.equal([]);
    });

    for (const [what, onEvent] of [
      [
        'throws',
        () => {
          throw new Error('boom');
        },
      ],
      ['rejects', () => Promise.reject(new Error('boom'))],
      ['never returns', () => new Promise<void>(() => {})],
    ] as [string, () => Promise<void>][])
      it(`affects no request when it ${what}`, async () => {
        await open(onEvent);
        const { status } = await store.request();
        await settled();
        expect([status, await store.pools()]).to.deep.equal([201, { unpaid: 0, pending: 100, paid: 0 }]);
        expect(await store.kinds()).to.deep.equal(['payout_request']);
        const complaints = store.service.log.filter((line) => line.includes('the site module: onEvent failed'));
        expect(complaints).to.have.length(what === 'never returns' ? 0 : (await feed()).length);
      });
  });
});
