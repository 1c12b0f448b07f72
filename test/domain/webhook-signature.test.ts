import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { systemRandom } from '../../domain/random.ts';
import { createSignedHeaders, createSigningSecret, verifySignature } from '../../domain/webhooks/signature.ts';

const secret = createSigningSecret(systemRandom);
const body = '{"id":"dlv_88","event":"payout.paid","data":{"amount":16.18,"note":"Fjell & Wald – 25 €"}}';

const signed = (now: number, text = body) => createSignedHeaders({ secret, deliveryId: 'dlv_88', event: 'payout.paid', body: text, now });

/** Written from decision 10's words: HMAC-SHA256 of `<t>.<raw body>`, keyed with the secret's text as given, `whsec_` included. */
function receiverAccepts(header: string, raw: Buffer, key: string): boolean {
  const fields = new Map(header.split(',').map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]));
  const hmac = createHmac('sha256', key);
  hmac.update(`${fields.get('t')}.`);
  hmac.update(raw);
  return hmac.digest('hex') === fields.get('v1');
}

describe('the signature of a delivery', () => {
  it("is verified by the public Standard Webhooks library as it is, with the secret's text", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(new Webhook(secret).verify(text, signed(Date.now(), text))).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  it('is refused by that library when body, id, time or secret is another', () => {
    const headers = signed(Date.now());
    const other = new Webhook(createSigningSecret(systemRandom));
    expect(() => other.verify(body, headers)).to.throw('No matching signature');
    expect(() => new Webhook(secret).verify(`${body} `, headers)).to.throw('No matching signature');
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'dlv_89' })).to.throw('No matching signature');
    expect(() => new Webhook(secret).verify(body, signed(Date.now() - 301_000))).to.throw('too old');
  });

  it('is verified by a receiver written from the text of the specification', () => {
    const header = signed(1_792_656_300_999)['X-Svc-Signature'] ?? '';
    expect(header).to.match(/^t=1792656300,v1=[0-9a-f]{64}$/);
    expect(receiverAccepts(header, Buffer.from(body), secret)).to.equal(true);
    expect(receiverAccepts(header.replace('t=1792656300', 't=1792656301'), Buffer.from(body), secret)).to.equal(false);
    expect(receiverAccepts(header, Buffer.from(body.replace('16.18', '61.18')), secret)).to.equal(false);
    expect(receiverAccepts(header, Buffer.from(body), secret.replace('whsec_', ''))).to.equal(false);
  });

  it('matches the examples of the contract', () => {
    const headers = signed(1_792_656_300_000);
    expect(headers).to.include({
      'X-Svc-Event': 'payout.paid',
      'X-Svc-Delivery': 'dlv_88',
      'webhook-id': 'dlv_88',
      'webhook-timestamp': '1792656300',
    });
    expect(headers['webhook-signature']).to.match(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(Object.keys(headers)).to.have.length(6);
  });

  it('is valid only with both formats right and fresh, whatever the case of the header names', () => {
    const now = 1_792_656_300_000;
    const headers = signed(now);
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const holds = (given: Record<string, string>, at = now, text = body) => verifySignature(given, { secret, body: text, now: at });
    expect(holds(headers)).to.equal(true);
    expect(holds(lower, now + 299_000)).to.equal(true);
    expect([holds(headers, now + 300_000), holds(headers, now - 300_000)]).to.deep.equal([true, true]);
    expect([holds(headers, now + 300_001), holds(headers, now - 300_001)]).to.deep.equal([false, false]);
    expect(holds(headers, now, `${body} `)).to.equal(false);
    expect(holds({})).to.equal(false);
    expect(holds({ ...lower, 'x-svc-signature': 't=1792656300,v1=00' })).to.equal(false);
    expect(holds({ ...lower, 'webhook-signature': 'v1,AAAA' })).to.equal(false);
    expect(holds({ ...lower, 'webhook-timestamp': 'soon' })).to.equal(false);
  });

  it('is invalid without the id that it was made for', () => {
    const now = 1_792_656_300_000;
    for (const deliveryId of ['dlv_88', 'undefined']) {
      const { 'webhook-id': _, ...others } = createSignedHeaders({ secret, deliveryId, event: 'payout.paid', body, now });
      expect(verifySignature(others, { secret, body, now }), deliveryId).to.equal(false);
    }
  });

  it('is made with a secret of 32 random bytes', () => {
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(createSigningSecret(systemRandom)).not.to.equal(secret);
  });
});
