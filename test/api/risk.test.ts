import { expect } from 'chai';
import { operations } from '../../generated/operations.ts';
import { scanService } from '../risk/risk-service.ts';
import type { CallResult } from '../support/contract-client.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { createEarner, earn, openPayoutStore } from '../support/payouts.ts';
import { coupon, payoutDetails } from '../support/program.ts';
import { TestClock } from '../support/service.ts';

const settings = { 'addons.risk': true, 'addons.management': true };
const hour = 3600;

onAnyEngine((engine) => {
  let clock: TestClock;
  const store = testFixture(() => {
    clock = new TestClock();
    return openPayoutStore(engine, { clock, settings });
  });
  const replaceDetails = (email = 'thief@bank.example'): Promise<unknown> =>
    payoutDetails(store.service, { userId: store.user.id, method: 'PayPal', methodType: 'paypal', details: { email } });
  const scan = () => scanService(store.service);
  const signals = async (query = ''): Promise<Record<string, unknown>[]> => (await store.admin.get(`/risk/signals${query}`)).body;
  const decide = (id: unknown, json: object): Promise<CallResult> => store.admin.post(`/risk/signals/${id}/status`, { json });
  /** A signal of high severity: details that are replaced after the request. */
  const openSignal = async () => {
    const { body: payout } = await store.request();
    clock.advance(hour);
    await replaceDetails();
    await scan();
    const [signal] = await signals();
    return { payout, signal: signal as Record<string, unknown> & { id: number } };
  };

  describe('risk signals', () => {
    it('are listed with filters, read one by one, and decided, with events and webhooks', async () => {
      const { signal, payout } = await openSignal();
      expect(signal).to.deep.include({
        kind: 'details_changed',
        severity: 'high',
        user_id: store.user.id,
        coupon_id: null,
        status: 'open',
        count: 1,
      });
      expect(signal['evidence']).to.deep.equal([
        {
          text: `The payout details were replaced after payout ${payout.id} was requested.`,
          order_id: null,
          payout_id: payout.id,
          date: '2026-11-02T08:00:00',
        },
      ]);
      expect((await store.admin.get(`/risk/signals/${signal.id}`)).body).to.deep.equal(signal);
      const counts = ['?status=open', '?status=dismissed', '?kind=details_changed', '?kind=debt', '?severity=high', '?severity=low'].map(
        async (query) => (await signals(query)).length,
      );
      expect(await Promise.all(counts)).to.deep.equal([1, 0, 1, 0, 1, 0]);
      expect(await signals(`?user_id=${store.user.id}&kind=details_changed&severity=low`)).to.deep.equal([]);
      const { body } = await decide(signal.id, { status: 'dismissed', note: 'She called.' });
      expect(body).to.deep.include({ status: 'dismissed', note: 'She called.', date_decided: '2026-11-02T08:00:00' });
      expect((await decide(signal.id, { status: 'dismissed' })).body.code).to.equal('svc_api_no_change');
      expect((await decide(signal.id, { status: 'confirmed' })).body.status).to.equal('confirmed');
      expect((await decide(signal.id, { status: 'open' })).body).to.deep.include({ status: 'open', decided_by: null, date_decided: null });
      expect((await decide(999_999, { status: 'open' })).status).to.equal(404);
      const feed = (await store.admin.get('/events?after=0&event=risk_signal_opened,risk_signal_decided&per_page=100')).body;
      expect(feed.map(({ type, data }: { type: string; data: { status: string } }) => [type, data.status])).to.deep.equal([
        ['risk.signal_opened', 'open'],
        ['risk.signal_decided', 'dismissed'],
        ['risk.signal_decided', 'confirmed'],
        ['risk.signal_decided', 'open'],
      ]);
    });

    it('are opened again only while no other one of the same affiliate and kind is open', async () => {
      const { signal } = await openSignal();
      await decide(signal.id, { status: 'dismissed' });
      clock.advance(hour);
      await replaceDetails('another@bank.example');
      await scan();
      const [second] = await signals();
      expect(second).to.include({ status: 'open', count: 2 });
      const { status, body } = await decide(signal.id, { status: 'open' });
      expect([status, body.code]).to.deep.equal([409, 'svc_api_conflict']);
      expect(body.message).to.include(`Signal ${second?.['id']} `);
    });

    it('are seen by a manager with a read key, who cannot decide, and by nobody without the add-on', async () => {
      const { signal } = await openSignal();
      const manager = await store.service.clientOf(await store.service.user('manager', 'manager'), ['read']);
      expect((await manager.get('/risk/signals')).body).to.have.lengthOf(1);
      const refused = await manager.post(`/risk/signals/${signal.id}/status`, { json: { status: 'confirmed' } });
      expect([refused.status, refused.body.code]).to.deep.equal([403, 'svc_api_insufficient_scope']);
      await store.service.withSetting('addons.risk', false, async () => {
        expect((await store.admin.get('/risk/signals')).body.code).to.equal('rest_no_route');
        expect((await store.admin.get('/openapi')).body.paths).not.to.have.any.keys('/risk/signals', '/risk/signals/{id}');
        expect(await scan()).to.equal(null);
      });
    });

    it('are in no response, feed, mail or export that an affiliate can get', async () => {
      await store.set('payouts.auto_accept.enabled', true);
      const { signal } = await openSignal();
      await decide(signal.id, { status: 'confirmed', note: 'signalcanary' });
      await store.earn(10);
      const texts = [JSON.stringify((await store.request()).body)];
      for (const [id, { method, path }] of Object.entries(operations)) {
        if (method !== 'get' || id === 'get_openapi') continue;
        const own = path.replace(
          '{id}',
          path.includes('risk') ? String(signal.id) : path.includes('coupons') ? String(store.couponId) : String(store.user.id),
        );
        const { status, body } = await store.affiliate.get(
          `${own}${path.includes('{') ? '' : '?per_page=100'}`.replace('{order_id}', '1').replace('{delivery}', '1'),
        );
        if (path.startsWith('/risk')) expect(status, path).to.equal(403);
        else texts.push(JSON.stringify(body));
      }
      const { body: payouts } = await store.affiliate.get('/payouts');
      for (const { id } of payouts)
        texts.push(
          JSON.stringify([(await store.affiliate.get(`/payouts/${id}`)).body, (await store.affiliate.get(`/payouts/${id}/history`)).body]),
        );
      const mails = await (await engine.observe(store.service.databaseUrl)).query<object>('select * from mails');
      texts.push(JSON.stringify(mails));
      for (const text of texts) expect(text).not.to.match(/signal|details_changed|\brisk|fraud/i);
    });
  });

  describe('payouts of an affiliate with a signal', () => {
    const batch = (json: object = {}): Promise<CallResult> =>
      store.admin.post('/payout-batches', { json: { format: 'paypal', despite_changes: true, ...json } });
    const statusOf = async (id: number): Promise<string> => (await store.admin.get(`/payouts/${id}`)).body.status;

    it('are left out of a file with the signal as the reason, and are in the next after its dismissal: nothing is paid twice or lost', async () => {
      const { signal, payout } = await openSignal();
      const other = await createEarner(store.service, 'other', 50);
      const { id } = (await store.admin.post('/payouts', { json: { coupon_id: other.couponId } })).body;
      const first = (await batch()).body;
      expect(first.payouts.map(({ payout_id: each }: { payout_id: number }) => each)).to.deep.equal([id]);
      expect(first.left_out).to.have.lengthOf(1);
      expect(first.left_out[0]).to.include({ payout_id: payout.id, override: 'despite_signals' });
      expect(first.left_out[0].reason).to.include(`Risk signal ${signal.id} (details_changed) holds it:`);
      expect([await statusOf(payout.id), await statusOf(id)]).to.deep.equal(['pending', 'created']);
      await decide(signal.id, { status: 'confirmed' });
      expect((await batch()).body.message).to.include(`Risk signal ${signal.id}`);
      await decide(signal.id, { status: 'dismissed' });
      const second = (await batch()).body;
      expect(second.payouts.map(({ payout_id: each }: { payout_id: number }) => each)).to.deep.equal([payout.id]);
      for (const { id: made } of [first, second]) await store.admin.post(`/payout-batches/${made}/status`, { json: { status: 'paid' } });
      expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 0, paid: 100 });
      expect((await batch()).status).to.equal(409);
      expect(await store.service.differences()).to.deep.equal([]);
    });

    it('are included with despite_signals, or as risk.hold_payouts says', async () => {
      const { payout } = await openSignal();
      const isHeld = async (value: string): Promise<boolean> => {
        await store.set('risk.hold_payouts', value);
        const { body, status } = await batch();
        if (status === 201) await store.admin.post(`/payout-batches/${body.id}/status`, { json: { status: 'cancel' } });
        return status !== 201;
      };
      expect([await isHeld('none'), await isHeld('high'), await isHeld('medium')]).to.deep.equal([false, true, true]);
      await (await engine.observe(store.service.databaseUrl)).query("update risk_signals set kind = 'self_referral', severity = 'medium'");
      await store.set('risk.details_changed.enabled', false);
      expect([await isHeld('high'), await isHeld('medium')]).to.deep.equal([false, true]);
      expect((await batch({ despite_signals: true })).body.payouts[0].payout_id).to.equal(payout.id);
    });

    it('are held where a record of the store changed the email address within 72 hours, before the next scan and after it', async () => {
      await store.set('addons.store', true);
      const { login } = store.user;
      await store.admin.post('/store/affiliates', { json: [{ login, email: 'thief@example.com', display_name: 'Trail' }] });
      clock.advance(hour);
      await store.request();
      const reason = 'The email address was changed within 72 hours before the request.';
      expect(await leftOut()).to.deep.include({ reason, override: 'despite_signals' });
      await scan();
      const [signal] = await signals();
      expect(signal).to.include({
        kind: 'details_changed',
        severity: 'high',
        text: 'Payout details or the email address were replaced within 72 hours before a request, or after it: 1 time.',
      });
      expect(JSON.stringify(signal?.['evidence'])).to.include('The email address was changed 1 hour before payout');
      await decide(signal?.['id'], { status: 'dismissed', note: 'She asked for it.' });
      expect((await batch()).status).to.equal(201);
    });

    const payAutomatically = async (): Promise<void> => {
      for (const [path, value] of [
        ['enabled', true],
        ['gateway', 'log'],
        ['max_amount', 1000],
      ] as const)
        await store.set(`payouts.auto_accept.${path}`, value);
    };
    let others = 0;
    const leftOut = async (): Promise<{ reason: string; override: string | null }> => {
      // Another payout is in the file, so that the request does not fail.
      others += 1;
      const other = await createEarner(store.service, `other${others}`, 50);
      await store.admin.post('/payouts', { json: { coupon_id: other.couponId } });
      const { body } = await batch({ despite_changes: false });
      await store.admin.post(`/payout-batches/${body.id}/status`, { json: { status: 'cancel' } });
      expect(body.left_out).not.to.deep.equal([]);
      return body.left_out[0];
    };
    const isPaid = async (json: object = {}): Promise<boolean> => {
      const { body, status } = await batch({ despite_changes: false, ...json });
      if (status !== 201) return false;
      await store.admin.post(`/payout-batches/${body.id}/status`, { json: { status: 'cancel' } });
      return body.left_out.length === 0;
    };
    /** The affiliate owes 40 over all coupons once the balance of 100 is requested. */
    const owe = async (): Promise<void> => {
      const second = await coupon(store.service, 'SECOND', { userId: store.user.id });
      await store.admin.post('/adjustments', { json: { coupon_id: second, amount: -40, note: 'A refund.' } });
    };

    it('are left out before the next scan as well, when details were replaced shortly before the request', async () => {
      clock.advance(hour);
      await replaceDetails();
      clock.advance(hour);
      await scan();
      expect(await signals()).to.deep.equal([]);
      await store.admin.post('/payout-runs', { json: {} });
      expect(await leftOut()).to.include({
        reason: 'The payout details were replaced within 72 hours before the request.',
        override: 'despite_signals',
      });
      expect([await isPaid(), await isPaid({ despite_signals: true })]).to.deep.equal([false, true]);
      await scan();
      const [signal] = await signals();
      await decide(signal?.['id'], { status: 'dismissed' });
      expect(await isPaid()).to.equal(true);
    });

    it('name the signal about replaced details as the reason, and need nothing but its dismissal or despite_signals', async () => {
      const { signal } = await openSignal();
      const held = await leftOut();
      expect(held.reason).to.include(`Risk signal ${signal.id} (details_changed) holds it:`);
      expect(held.override).to.equal('despite_signals');
      expect([await isPaid(), await isPaid({ despite_signals: true })]).to.deep.equal([false, true]);
      await decide(signal.id, { status: 'dismissed' });
      expect(await isPaid()).to.equal(true);
      // Neither is the next payout to the same details held again.
      const second = await coupon(store.service, 'SECOND', { userId: store.user.id });
      await earn(store.service, second, 50);
      await store.admin.post('/payouts', { json: { coupon_id: second } });
      await scan();
      expect(await isPaid()).to.equal(true);
      // What is replaced after the dismissal is another matter.
      clock.advance(hour);
      await replaceDetails('another@bank.example');
      const reason = 'The payout details were replaced after the request.';
      expect(await leftOut()).to.include({ reason, override: 'despite_signals' });
      await store.service.withSetting('addons.risk', false, async () => {
        expect(await leftOut()).to.include({ reason, override: 'despite_changes' });
      });
    });

    it('name the signal about a debt as the reason, and need nothing but its dismissal or despite_signals', async () => {
      await owe();
      await store.request();
      expect(await leftOut()).to.include({ reason: 'The affiliate owes 40.00 USD over all coupons.', override: 'despite_signals' });
      await scan();
      const [signal] = await signals();
      const held = await leftOut();
      expect(held.reason).to.include(`Risk signal ${signal?.['id']} (debt) holds it:`);
      expect(held.override).to.equal('despite_signals');
      expect([await isPaid({ despite_debt: true }), await isPaid({ despite_signals: true })]).to.deep.equal([false, true]);
      await decide(signal?.['id'], { status: 'dismissed' });
      expect(await isPaid()).to.equal(true);
      await store.set('risk.hold_payouts', 'none');
      expect(await leftOut()).to.include({ override: 'despite_debt' });
    });

    it('are not accepted automatically when the request itself leaves a debt', async () => {
      await payAutomatically();
      await owe();
      const { body } = await store.admin.post('/payouts', { json: { coupon_id: store.couponId } });
      expect(body).to.include({ status: 'pending', gateway_triggered: false });
      expect(body.gateway_notice).to.include('the affiliate owes 40.00 USD over all coupons');
    });

    it('are not accepted automatically, also when the request itself is what opens the signal, until it is dismissed', async () => {
      await payAutomatically();
      clock.advance(hour);
      await replaceDetails();
      const held = await store.request();
      expect(held.body).to.include({ status: 'pending', gateway_triggered: false });
      expect(held.body).not.to.have.property('gateway_notice');
      await scan();
      const [signal] = await signals();
      expect(signal).to.include({ kind: 'details_changed', status: 'open' });
      await store.change(held.body.id, 'cancel');
      const again = await store.admin.post('/payouts', { json: { coupon_id: store.couponId } });
      expect(again.body.status).to.equal('pending');
      expect(again.body.gateway_notice).to.include(`risk signal ${signal?.['id']} (details_changed) holds it`);
      await store.change(again.body.id, 'cancel');
      await decide(signal?.['id'], { status: 'dismissed' });
      expect((await store.request()).body).to.include({ status: 'paid', gateway_triggered: true });
      expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 0, paid: 100 });
    });
  });
});
