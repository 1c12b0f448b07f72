import { expect } from 'chai';
import type { SiteModule } from '../../site/extension.ts';
import { type Engine, onAnyEngine } from '../support/engines.ts';
import { canary, openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { onOneEngine } from './one-engine.ts';

type Gateway = NonNullable<SiteModule['gateways']>[string];

const long = 'x'.repeat(5_000_000);
const circle: Record<string, unknown> = { status: 'paid' };
circle['self'] = circle;

// The outcome of such a payment is unknown, so it is neither paid nor returned.
const garbage: Record<string, unknown> = {
  nothing: undefined,
  null: null,
  'a text': 'paid',
  'a number': 200,
  'a list': ['paid'],
  'another status': { status: 'PAID' },
  'a status of no kind': { status: { toString: () => 'paid' } },
  'a getter that throws': {
    get status() {
      throw new Error('canary-of-gateway');
    },
  },
};

/** A store whose payouts go to this gateway at once. */
async function storeWith(engine: Engine, bank: Gateway): Promise<PayoutStore> {
  const store = await openPayoutStore(engine, { siteModule: { gateways: { bank } } });
  await store.set('payouts.auto_accept.enabled', true);
  await store.set('payouts.auto_accept.gateway', 'bank');
  return store;
}

const request = ({ affiliate, couponId }: PayoutStore) => affiliate.post('/payouts', { json: { coupon_id: couponId } });

onOneEngine((engine) => {
  describe('API10:2023 Unsafe Consumption of APIs', () => {
    for (const [what, answer] of Object.entries(garbage))
      it(`a gateway that answers ${what} moves no money and breaks nothing`, async () => {
        const store = await storeWith(engine, async () => answer as never);
        const { status, body } = await request(store);
        expect([status, body.status === 'paid']).to.deep.equal([201, false]);
        expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 100, paid: 0 });
        expect(JSON.stringify(body)).not.to.include('canary');
        await store.service.stop();
      });
  });
});

onAnyEngine((engine) => {
  describe('API10:2023 Unsafe Consumption of APIs: gateway responses', () => {
    it('are stored beside the status as text of bounded length without the destination, and never invalidate the status', async () => {
      let told: unknown;
      const store = await storeWith(engine, async () => ({ status: 'paid', transactionId: told, notice: told }) as never);
      for (told of [long, 'a\0b\u001b[2J', '\ud800', `sent to ${canary}`, 42, { a: 1 }, ['x'], circle]) {
        const { status, body } = await request(store);
        expect([status, body.status, typeof body.transaction_id]).to.deep.equal([201, 'paid', 'string']);
        expect(body.transaction_id.length + (body.gateway_notice ?? '').length).to.be.below(3000);
        expect(JSON.stringify(body)).not.to.include(canary);
        await store.earn(10);
      }
      expect(store.service.log.join('')).not.to.include(canary);
      await store.service.stop();
    });
  });
});
