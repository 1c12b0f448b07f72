import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { Machine } from '../cli/machine.ts';
import { type RunningService, startService, waitUntil } from '../cli/running-service.ts';
import { type Receiver, receiver } from '../support/webhooks.ts';
import { openPayDesk, type PayDesk } from './pay-desk.ts';

const file = path.resolve('docs/guides/examples/site-module.mjs');

/** Commission by affiliate. */
const earned = { small: 100, refused: 90, silent: 80, mid: 600, big: 6000 };

const program = [
  { kind: 'user', login: 'boss', email: 'boss@shop.example', display_name: 'Boss', role: 'administrator' },
  ...Object.entries(earned).flatMap(([login, commission], at) => [
    { kind: 'user', login, email: `${login}@shop.example`, display_name: login, role: 'affiliate' },
    { kind: 'coupon', id: at + 1, code: `${login.toUpperCase()}10`, user: login },
    { kind: 'payout_details', user: login, method: 'PayPal', method_type: 'paypal', details: { email: `${login}@pay.example` } },
    { kind: 'order', order_id: at + 1, coupon_id: at + 1, date: '2026-11-02', status: 'completed', total: commission * 10 },
  ]),
  ...['ada@shop.example', 'bob@mailbox.invalid'].map((email) => {
    const login = email.slice(0, 3);
    return { kind: 'registration', login, email, display_name: login, coupon_code: `${login}10` };
  }),
];

/** A parsed body of any shape. */
type Json = ReturnType<typeof JSON.parse>;

interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

describe('the example site module of the guide, loaded by SITE_MODULE,', () => {
  let desk: PayDesk;
  let hooks: Receiver;
  let service: RunningService;
  const machine = new Machine();
  const book = path.join(machine.folder, 'book');
  const tokens: string[] = [];

  before(async () => {
    [desk, hooks] = [await openPayDesk(), await receiver()];
    const { code, err } = await machine.run(['import', '-', '--allow-privileged'], {
      input: program.map((line) => JSON.stringify(line)).join('\n'),
    });
    expect([code, err]).to.deep.equal([0, '']);
    const keys = [1, 2].map(() =>
      machine.json<{ id: number; token: string }>('key', 'create', '--user', 'boss', '--scopes', 'read,write,manage'),
    );
    const [partner, other] = (await Promise.all(keys)) as [{ id: number; token: string }, { token: string }];
    tokens.push(partner.token, other.token);
    await machine.store('payouts.auto_accept.enabled', true);
    const chosen = await machine.run(['settings', 'set', 'payouts.auto_accept.gateway', 'paydesk'], { SITE_MODULE: file });
    expect(chosen.code, chosen.err).to.equal(0);
    service = await startService(machine, {
      SITE_MODULE: file,
      PAYDESK_URL: desk.url,
      PARTNER_KEYS: String(partner.id),
      EVENT_BOOK: book,
    });
  });
  after(async () => {
    desk.close();
    await hooks.close();
    service.child.kill('SIGTERM');
    await service.ended;
  });

  const call = async (method: string, resource: string, body?: unknown, token = tokens[0]): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
    const answer = await fetch(`${service.url}/api/v2${resource}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
  const payoutOf = (login: keyof typeof earned) => call('POST', '/payouts', { coupon_id: Object.keys(earned).indexOf(login) + 1 });

  it('adds a field to coupons in every response, and declares it in the served document', async () => {
    const { body: document } = await call('GET', '/openapi');
    for (const name of ['Coupon', 'CouponDetail', 'CouponWithStats'])
      expect(document.components.schemas[name].properties.landing_page).to.include({ type: 'string' });
    const { body: list } = await call('GET', '/coupons?orderby=id&order=asc');
    expect([list[0].code, list[0].landing_page]).to.deep.equal(['SMALL10', 'https://shop.example/with/SMALL10']);
    expect((await call('GET', '/coupons/2')).body.landing_page).to.equal('https://shop.example/with/REFUSED10');
    const { body: affiliates } = await call('GET', '/affiliates');
    expect(affiliates[0].coupons[0].landing_page).to.match(/^https:\/\/shop\.example\/with\//);
  });

  it('refuses large payouts with its own message', async () => {
    const { status, body } = await payoutOf('big');
    expect([status, body.code, body.message]).to.deep.equal([
      409,
      'svc_api_not_created',
      'Payouts over 5000 USD are arranged in person. Write to us.',
    ]);
  });

  it('pays through its provider once, and stores the transaction id', async () => {
    const { status, body } = await payoutOf('small');
    expect([status, body.amount, body.status, body.transaction_id]).to.deep.equal([201, 100, 'paid', 'PD-1']);
    const [{ headers, order }] = desk.orders as [PayDesk['orders'][number]];
    expect(order).to.deep.equal({ amount: 10_000, currency: 'USD', to: 'small@pay.example', name: 'small' });
    expect(headers['idempotency-key']).to.be.a('string').and.not.equal('');
    expect(desk.orders).to.have.length(1);
  });

  it('leaves a refused payout pending, and one without a reply from the provider created', async () => {
    desk.behavior = 'refuses';
    const { body: refused } = await payoutOf('refused');
    expect([refused.status, refused.gateway_notice]).to.deep.equal(['pending', 'The pay desk refused the payment.']);
    desk.behavior = 'disconnects';
    const { body: silent } = await payoutOf('silent');
    expect([silent.status, silent.gateway_notice]).to.deep.equal(['created', 'The pay desk did not answer. The store looks into it.']);
  });

  it('raises its own event, which webhooks can subscribe to', async () => {
    const { body: catalog } = await call('GET', '/webhooks/events');
    expect(JSON.stringify(catalog)).to.include('A payout of 500 or more was paid.');
    expect((await call('POST', '/webhooks', { url: hooks.url, events: ['payout.large'] })).status).to.equal(201);
    const { body: payout } = await payoutOf('mid');
    expect(payout.status).to.equal('pending');
    await call('POST', `/payouts/${payout.id}/status`, { status: 'paid' });
    await waitUntil(20_000, async () => hooks.received.length > 0);
    expect(hooks.received.map(({ payload }) => [payload.event, payload.data['amount']])).to.deep.equal([['payout.large', 600]]);
  });

  it('refuses an applicant whose address cannot be reached', async () => {
    const { body: waiting } = await call('GET', '/registrations?status=pending');
    const decide = ({ id }: { id: number }): Promise<Answer> => call('POST', `/registrations/${id}/status`, { status: 'accepted' });
    const answers = await Promise.all((waiting as { id: number }[]).map(decide));
    expect(answers.map(({ status, body }) => (status === 200 ? body.status : body.message)).sort()).to.deep.equal([
      'This email address cannot receive payouts.',
      'accepted',
    ]);
  });

  it('gives partners ten times the rate limit', async () => {
    const policies = await Promise.all(tokens.map((token) => call('GET', '/me', undefined, token)));
    expect(policies.map(({ headers }) => /q=(\d+)/.exec(headers.get('RateLimit-Policy') ?? '')?.[1])).to.deep.equal(['1200', '120']);
  });

  it('receives events', async () => {
    await waitUntil(10_000, async () => existsSync(book) && /^payout_paid: Payout \d+ of .*600/m.test(readFileSync(book, 'utf8')));
    expect(readFileSync(book, 'utf8'))
      .to.match(/^payout_request: /m)
      .and.match(/^registration_accept: /m);
  });
});
