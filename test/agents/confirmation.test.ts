import { expect } from 'chai';
import type { Payment } from '../../site/extension.ts';
import { connectAgent, eras } from '../support/agent.ts';
import { onAnyEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { bankDetails, payoutDetails } from '../support/program.ts';
import { TestClock } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('a tool that writes', () => {
    let store: PayoutStore;
    let clock: TestClock;
    const payments: Payment[] = [];
    const bank = async (payment: Payment) => {
      payments.push(payment);
      return { status: 'paid' as const };
    };

    beforeEach(async () => {
      clock = new TestClock();
      payments.length = 0;
      store = await openPayoutStore(engine, { clock, settings: { 'addons.agents': true }, siteModule: { gateways: { bank } } });
    });

    const agentOf = async (era: (typeof eras)[number] = '2026-07-28') =>
      connectAgent(store.service, (await store.service.key(store.user, ['read', 'write'])).token, era);
    const payouts = async (): Promise<number> => (await store.admin.get('/payouts')).body.length;
    const request = () => ({ coupon_id: store.couponId });

    for (const era of eras)
      it(`writes nothing before it is confirmed, and once then (protocol ${era})`, async () => {
        const agent = await agentOf(era);
        const first = await agent.call('request_payout', request());
        expect(first.content.preview).to.include({ id: null, amount: 100, status: 'pending' });
        expect(await payouts()).to.equal(0);
        const second = await agent.call('request_payout', { ...request(), confirm: first.content.confirm });
        expect(second.content.result).to.include({ amount: 100, status: 'pending' });
        const third = await agent.call('request_payout', { ...request(), confirm: first.content.confirm });
        expect([third.code, await payouts()]).to.deep.equal(['svc_api_conflict', 1]);
      });

    const meanwhile = {
      balance: () => store.earn(7),
      method: () =>
        payoutDetails(store.service, { userId: store.user.id, method: 'Bank', methodType: 'banktransfer', details: bankDetails('Anna') }),
    };

    for (const [what, change] of Object.entries(meanwhile))
      it(`requests nothing if the ${what} changes between the dry run that confirms and the request`, async () => {
        const agent = await agentOf();
        const { confirm } = (await agent.call('request_payout', request())).content;
        const { storage } = store.service;
        const write = storage.write.bind(storage);
        // The first write of the call uses the confirmation.
        storage.write = (async (...given: Parameters<typeof write>) => {
          storage.write = write;
          const result = await write(...given);
          await change();
          return result;
        }) as typeof write;
        expect((await agent.call('request_payout', { ...request(), confirm })).code).to.equal('svc_api_conflict');
        expect(await payouts()).to.equal(0);
      });

    it('refuses a wrong, an expired and a foreign confirmation, and one of other arguments, and a refused one stays valid', async () => {
      const agent = await agentOf();
      const { confirm } = (await agent.call('request_payout', request())).content;
      const sameUser = await agentOf();
      const other = await connectAgent(
        store.service,
        (await store.service.key(await store.service.user('second', 'administrator'), ['read', 'write', 'manage'])).token,
      );
      const adjustment = { coupon_id: store.couponId, amount: 5, note: 'Thank you' };
      const refused = [
        await agent.call('request_payout', { ...request(), confirm: 'f'.repeat(32) }),
        await agent.call('request_payout', { ...request(), confirm: '' }),
        await sameUser.call('request_payout', { ...request(), confirm }),
        await other.call('request_payout', { ...request(), confirm }),
      ];
      expect(refused.map(({ code }) => code)).to.deep.equal(Array(4).fill('svc_api_conflict'));
      await store.set('addons.management', true);
      const small = (await other.call('adjust_balance', adjustment)).content.confirm;
      expect((await other.call('adjust_balance', { ...adjustment, amount: 5000, confirm: small })).code).to.equal('svc_api_conflict');
      expect([await payouts(), (await store.pools()).unpaid]).to.deep.equal([0, 100]);
      expect((await agent.call('request_payout', { ...request(), confirm })).isError).to.equal(false);
      clock.advance(601);
      expect((await other.call('adjust_balance', { ...adjustment, confirm: small })).code).to.equal('svc_api_conflict');
      expect((await store.pools()).unpaid).to.equal(0);
    });

    it('refuses a confirmation whose outcome is another one by now', async () => {
      const agent = await agentOf();
      const { confirm } = (await agent.call('request_payout', request())).content;
      await store.earn(7);
      expect((await agent.call('request_payout', { ...request(), confirm })).code).to.equal('svc_api_conflict');
      expect(await payouts()).to.equal(0);
    });

    it('writes once if it is confirmed several times at once', async () => {
      await store.set('addons.management', true);
      const admin = await store.service.user('busy', 'administrator');
      const agent = await connectAgent(store.service, (await store.service.key(admin, ['read', 'write', 'manage'])).token);
      const adjustment = { coupon_id: store.couponId, amount: 5, note: 'Thank you' };
      const { confirm } = (await agent.call('adjust_balance', adjustment)).content;
      const answers = await Promise.all([1, 2, 3, 4].map(() => agent.call('adjust_balance', { ...adjustment, confirm })));
      expect(answers.filter(({ isError }) => !isError)).to.have.length(1);
      expect((await store.pools()).unpaid).to.equal(105);
    });

    it('calls no gateway in a preview, says so, and calls it once when it is confirmed', async () => {
      await store.set('payouts.auto_accept.enabled', true);
      await store.set('payouts.auto_accept.gateway', 'bank');
      const agent = await agentOf();
      const { preview, confirm } = (await agent.call('request_payout', request())).content;
      expect([preview.status, preview.gateway_triggered, payments.length]).to.deep.equal(['pending', false, 0]);
      expect(preview.gateway_notice).to.equal('The payment gateway bank decides about the payout at once. A dry run does not call it.');
      const { result } = (await agent.call('request_payout', { ...request(), confirm })).content;
      expect([result.status, payments.length]).to.deep.equal(['paid', 1]);
    });

    it('says that an open payout exists already', async () => {
      await store.admin.post('/payouts', { json: request() });
      const agent = await agentOf();
      const { text, content } = await agent.call('request_payout', request());
      expect(text).to.include('It exists already').and.include(`confirm: ${content.confirm}`);
      expect((await agent.call('request_payout', { ...request(), confirm: content.confirm })).text).to.include('It exists already');
      expect(await payouts()).to.equal(1);
    });

    it('answers a refusal with its code, its message and what to do', async () => {
      const agent = await agentOf();
      await store.set('payouts.threshold', 500);
      const { isError, text } = await agent.call('request_payout', request());
      expect(isError).to.equal(true);
      expect(text).to.match(/^svc_api_below_threshold: .+ Wait until the unpaid commission reaches/);
      expect((await agent.call('request_payout', { coupon_id: 'x' })).text).to.match(/^rest_invalid_param: .*"coupon_id"/);
    });
  });
});
