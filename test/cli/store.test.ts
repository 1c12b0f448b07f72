import { expect } from 'chai';
import { expectCommandError, Machine } from './machine.ts';

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
