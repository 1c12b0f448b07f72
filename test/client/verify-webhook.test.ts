import { type RawDelivery, verifyWebhook, WebhookError, type WebhookProblem } from 'affiliate-program-client';
import { expect } from 'chai';
import { createSignedHeaders } from '../../domain/webhooks/signature.ts';
import { earn } from '../support/payouts.ts';
import { type ReceivedDelivery, type Receiver, receiver } from '../support/webhooks.ts';
import { type ClientFixture, onSqlite, rejectionOf, startClientFixture } from './fixture.ts';

async function reasonOf(verified: Promise<unknown>): Promise<WebhookProblem> {
  const error = await rejectionOf(verified);
  if (!(error instanceof WebhookError)) throw error;
  return error.reason;
}

onSqlite((engine) => {
  describe('verifyWebhook()', () => {
    let fixture: ClientFixture;
    let listener: Receiver;
    let secret: string;
    let delivery: ReceivedDelivery;
    let now: number;
    before(async () => {
      fixture = await startClientFixture(engine);
      listener = await receiver();
      ({ secret } = await fixture.admin.webhooks.create({ url: listener.url, events: ['payout.paid', 'referral.created'] }));
      await earn(fixture.service, fixture.couponId, 20);
      const { id } = await fixture.affiliate.payouts.create({ coupon_id: fixture.couponId });
      await fixture.admin.payouts.setStatus(id, { status: 'paid' });
      await fixture.service.work();
      now = fixture.service.clock.now();
      [delivery] = listener.received.filter(({ payload }) => payload.event === 'payout.paid') as [ReceivedDelivery];
    });
    after(async () => {
      await listener.close();
      await fixture.service.stop();
    });

    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const without = (...names: string[]): RawDelivery => ({
      headers: Object.fromEntries(Object.entries(delivery.headers).filter(([name]) => !names.includes(name))),
      body: delivery.body,
    });
    const withHeaders = (headers: Record<string, string>): RawDelivery => ({
      headers: { ...delivery.headers, ...headers },
      body: delivery.body,
    });

    it('returns a delivery of the service with its type', async () => {
      const paid = await verifyWebhook(delivery, secret, { now });
      expect(paid).to.deep.equal(delivery.payload);
      expect(paid.event === 'payout.paid' && paid.data.amount).to.equal(20);
      expect(listener.received.map(({ payload }) => payload.event)).to.have.members(['referral.created', 'payout.paid']);
      for (const each of listener.received) expect((await verifyWebhook(each, secret, { now })).id).to.equal(each.payload.id);
    });

    it('accepts a Request, bytes, and header names in any case', async () => {
      const headers = new Headers(delivery.headers as Record<string, string>);
      const request = new Request('https://books.example/hook', { method: 'POST', headers, body: delivery.body });
      const bytes = Buffer.from(delivery.body);
      const upperCase = Object.fromEntries(Object.entries(delivery.headers).map(([name, value]) => [name.toUpperCase(), value]));
      const forms = [
        request,
        { headers, body: bytes },
        { headers, body: new Uint8Array(bytes).buffer },
        { headers: upperCase, body: delivery.body },
      ];
      for (const form of forms) expect((await verifyWebhook(form, secret, { now })).id).to.equal(delivery.payload.id);
    });

    it('accepts either signature alone, and rejects a delivery if one of both is wrong', async () => {
      expect(await verifyWebhook(without('x-svc-signature'), secret, { now })).to.deep.equal(delivery.payload);
      expect(await verifyWebhook(without('webhook-signature'), secret, { now })).to.deep.equal(delivery.payload);
      const zeros = `${'0'.repeat(64)}`;
      const own = String(delivery.headers['x-svc-signature']);
      const wrong = [
        { 'webhook-id': 'dlv_999' },
        { 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` },
        { 'webhook-signature': 'v1,?' },
        { 'webhook-timestamp': String(Number(delivery.headers['webhook-timestamp']) + 1) },
        { 'x-svc-signature': own.replace(/v1=.*/, `v1=${zeros}`) },
        { 'x-svc-signature': own.replace(/,v1=.*/, '') },
        { 'x-svc-signature': 'nonsense' },
      ];
      for (const headers of wrong)
        expect(await reasonOf(verifyWebhook(withHeaders(headers), secret, { now })), JSON.stringify(headers)).to.equal('bad_signature');
    });

    it('rejects another body, another secret, a missing signature, and a body that is not JSON', async () => {
      expect(await reasonOf(verifyWebhook({ ...delivery, body: delivery.body.replace('20', '2000') }, secret, { now }))).to.equal(
        'bad_signature',
      );
      expect(await reasonOf(verifyWebhook({ ...delivery, body: `${delivery.body}\n` }, secret, { now }))).to.equal('bad_signature');
      expect(await reasonOf(verifyWebhook(delivery, other, { now }))).to.equal('bad_signature');
      expect(await reasonOf(verifyWebhook(delivery, [], { now }))).to.equal('bad_signature');
      expect(await reasonOf(verifyWebhook({ headers: {}, body: delivery.body }, secret, { now }))).to.equal('no_signature');
      const headers = createSignedHeaders({ secret, deliveryId: 'dlv_1', event: 'ping', body: 'not json', now });
      expect(await reasonOf(verifyWebhook({ headers, body: 'not json' }, secret, { now }))).to.equal('not_json');
    });

    it('accepts the old and the new secret during a change', async () => {
      expect(await verifyWebhook(delivery, [other, secret], { now })).to.deep.equal(delivery.payload);
    });

    it('rejects a signature more than 300 seconds, or the tolerance of the receiver, before or after now', async () => {
      const at = Math.floor(now / 1000) * 1000;
      for (const off of [301_000, -301_000])
        expect(await reasonOf(verifyWebhook(delivery, secret, { now: at + off }))).to.equal('not_recent');
      for (const off of [300_000, -300_000]) await verifyWebhook(delivery, secret, { now: at + off });
      expect(await reasonOf(verifyWebhook(delivery, secret, { now: at + 11_000, toleranceSeconds: 10 }))).to.equal('not_recent');
    });

    it('throws body_not_raw for a parsed body and bad_secret for an invalid secret', async () => {
      const parsed = { headers: delivery.headers, body: delivery.payload } as unknown as RawDelivery;
      expect(await rejectionOf(verifyWebhook(parsed, secret, { now })))
        .to.have.property('message')
        .that.includes('as text or bytes');
      const request = new Request('https://books.example/hook', { method: 'POST', body: '{}' });
      await request.json();
      expect(await reasonOf(verifyWebhook(request, secret))).to.equal('body_not_raw');
      for (const wrong of ['', 'whsec_', 'secret', 'whsec_%%'])
        expect(await reasonOf(verifyWebhook(delivery, wrong, { now })), wrong).to.equal('bad_secret');
    });
  });
});
