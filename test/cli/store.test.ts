import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { newInvoice, paddleEvent, signPaddle, signStripe, stripeEvent, transaction } from '../connectors/billing-payloads.ts';
import { expectCommandError, Machine } from './machine.ts';
import { startService } from './running-service.ts';

describe('affiliate store', () => {
  const machine = new Machine();

  it('connects WooCommerce with a secret of ours, once, and prints what to enter in the shop', async () => {
    expectCommandError(await machine.run(['store', 'connect', 'woocommerce']), /Set it: affiliate settings set service\.url https:/);
    await machine.json('settings', 'set', 'service.url', 'https://api.shop.example/');
    const made = await machine.json<Record<string, string>>('store', 'connect', 'woocommerce', '--name', 'Fjell');
    expect(made).to.have.all.keys('id', 'platform', 'url', 'secret');
    expect(made['id']).to.match(/^[0-9a-f]{32}$/);
    expect(made['url']).to.equal(`https://api.shop.example/connect/${made['id']}`);
    expect(made['secret']).to.match(/^[\w-]{43}$/);
    expectCommandError(await machine.run(['store', 'connect', 'shopify']), /^The store is connected already, by /);
    const shown = await machine.text('store', 'show', made['id'] ?? '');
    expect(shown).to.include('Order created, Order updated, Order deleted, Order restored').and.not.include(made['secret']);
    expect(shown).to.include('affiliate settings set addons.store true');
    expect(await machine.json('store', 'deliveries', made['id'] ?? '')).to.deep.equal([]);
    expectCommandError(
      await machine.run(['store', 'pull']),
      `The key to the shop's REST API is missing: affiliate store secret ${made['id']} --api-url https://… --api-key ck_… --api-secret-stdin.`,
    );
    const api = (url: string) => ['store', 'secret', made['id'] ?? '', '--api-url', url, '--api-key', 'ck_1', '--api-secret-stdin'];
    const input = 'a consumer secret\n';
    expectCommandError(await machine.run(api('http://127.0.0.1'), { input }), '--api-url is "http://127.0.0.1". The URL must be https.');
    const set = await machine.run(api('http://127.0.0.1:9/wp-json/wc/v3/'), { input, ENVIRONMENT: 'local' });
    expect(set).to.deep.equal({ code: 0, out: 'affiliate store pull reads the orders of http://127.0.0.1:9.\n', err: '' });
    // The rules are those of the present, not those of when it was set.
    const failed = await machine.run(['store', 'pull', '--json']);
    expect(failed).to.include({
      code: 1,
      err: 'The URL must be https. What was read is recorded. Repeat the command: it continues there.\n',
    });
    expect(JSON.parse(failed.out)).to.deep.include({ complete: false, created: 0, refused: [], pulled_to: null });
    expect(await machine.json('store', 'show', made['id'] ?? '')).to.include({ api_url: 'http://127.0.0.1:9', last_pull: null });
    expect(await machine.json('store', 'disconnect', made['id'] ?? '')).to.deep.equal({ id: made['id'], status: 'disconnected' });
  });

  it('connects Shopify without a secret, which is set afterwards from standard input', async () => {
    const { id = '', ...made } = await machine.json<Record<string, string>>('store', 'connect', 'shopify');
    expect(made).to.deep.equal({ platform: 'shopify', url: `https://api.shop.example/connect/${id}`, secret: null });
    const statuses = async () => (await machine.json<{ status: string }[]>('store', 'list')).map(({ status }) => status);
    expect(await statuses()).to.deep.equal(['without secret', 'disconnected']);
    const short = await machine.run(['store', 'secret', id, '--secret-stdin'], { input: 'short\n' });
    expectCommandError(short, 'The secret on standard input must have 8 to 500 characters.');
    expect((await machine.run(['store', 'secret', id, '--secret-stdin'], { input: 'a secret of Shopify\n' })).code).to.equal(0);
    expect(await statuses()).to.deep.equal(['active', 'disconnected']);
    expectCommandError(
      await machine.run(['store', 'disconnect', 'x']),
      'There is no active connection x. affiliate store list shows them.',
    );
  });
});

const now = (): number => Math.floor(Date.now() / 1000);
const metadata = { affiliate_coupon: 'TRAIL10' };

const billing = {
  stripe: {
    events:
      'checkout.session.completed, checkout.session.async_payment_succeeded, promotion_code.created, promotion_code.updated, invoice.paid, ',
    secret: 'whsec_',
    header: 'Stripe-Signature',
    sign: signStripe,
    topic: 'invoice.paid',
    payment: () => stripeEvent('invoice.paid', newInvoice({ at: now(), metadata }), { created: now() }),
  },
  paddle: {
    events: 'transaction.completed, adjustment.created, adjustment.updated, discount.created, discount.updated.',
    secret: 'pdl_ntfset_',
    header: 'Paddle-Signature',
    sign: signPaddle,
    topic: 'transaction.completed',
    payment: () => {
      const at = new Date().toISOString();
      return paddleEvent('transaction.completed', transaction({ billed_at: at, custom_data: metadata }), at);
    },
  },
};

for (const [platform, { events, secret, header, sign, topic, payment }] of Object.entries(billing))
  describe(`affiliate store connect ${platform}`, () => {
    const machine = new Machine();
    let id = '';

    before(async () => {
      const lines = [
        { kind: 'user', login: 'trail', email: 'trail@example.com', display_name: 'Trail' },
        { kind: 'coupon', id: 1, code: 'TRAIL10', user: 'trail' },
      ];
      const file = path.join(machine.folder, 'program.ndjson');
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      await machine.json('import', file);
      const settings = { 'store.currency': 'EUR', 'service.url': 'https://api.shop.example', 'addons.store': 'true' };
      for (const [name, value] of Object.entries(settings)) await machine.json('settings', 'set', name, value);
    });

    it('prints the address, the events to select, where the secret is shown, and the command that sets it', async () => {
      const shown = await machine.text('store', 'connect', platform);
      id = /^Connection ([0-9a-f]{32}) /.exec(shown)?.[1] ?? '';
      expect(shown).to.include(`(${platform}, without secret)`).and.include(`URL     https://api.shop.example/connect/${id}\n`);
      expect(shown).to.include(`Select these events: ${events}`).and.include(`which begins with ${secret}.`);
      expect(shown).to.match(/Endpoint URL: https:\S+\/connect\/|enter this URL: https:\S+\/connect\//);
      expect(shown).to.include(`affiliate store secret ${id} --secret-stdin sets it.`).and.not.include('Secret  ');
    });

    it('accepts a signed payment once affiliate store secret has set the secret, and lists what arrived', async () => {
      const service = await startService(machine);
      const body = JSON.stringify(payment());
      const deliver = async () => {
        const headers = { [header]: sign(body, `${secret}of_the_test`, now()) };
        const response = await fetch(`${service.url}/connect/${id}`, { method: 'POST', body, headers });
        return [response.status, ((await response.json()) as { outcome?: string }).outcome];
      };
      expect(await deliver()).to.deep.equal([401, undefined]);
      const set = await machine.run(['store', 'secret', id, '--secret-stdin'], { input: `${secret}of_the_test\n` });
      expect(set).to.deep.equal({ code: 0, out: `Connection ${id} accepts what is signed with this secret.\n`, err: '' });
      expect(await deliver()).to.deep.equal([200, 'created']);
      expect(await deliver()).to.deep.equal([200, 'unchanged']);
      const deliveries = await machine.json<{ topic: string; outcome: string }[]>('store', 'deliveries', id);
      expect(deliveries.map((one) => [one.topic, one.outcome])).to.deep.equal([
        [topic, 'unchanged'],
        [topic, 'created'],
        ['', 'refused'],
      ]);
      service.child.kill('SIGTERM');
      await service.ended;
    });
  });
