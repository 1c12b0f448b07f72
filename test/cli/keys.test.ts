import { expect } from 'chai';
import { operatorAs } from '../../cli/operator.ts';
import { hashToken } from '../../domain/keys/key.ts';
import { Machine } from './machine.ts';

interface Key extends Record<string, unknown> {
  id: number;
  token: string;
  status: string;
}

describe('affiliate key', () => {
  const machine = new Machine();

  before(async () => {
    await machine.addUser('ada', 'administrator');
    await machine.addUser('bob', 'affiliate');
  });

  const create = ['key', 'create', '--user', 'bob', '--scopes', 'manage,read'];

  it("creates a key on behalf of its user, and prints the API's record with the token", async () => {
    const key = await machine.json<Key>(...create, '--expires', '2099-12-31', '--description', 'order feed');
    expect(key.token).to.match(/^svc_[0-9a-f]{40}$/);
    expect(key).to.deep.include({
      id: 1,
      user_id: 2,
      user: { id: 2, display_name: 'bob', login: 'bob', email: 'bob@example.com' },
      scopes: ['read', 'manage'],
      description: 'order feed',
      status: 'active',
      date_expires: '2099-12-31T23:59:59',
      created_by: 2,
    });
    const stored = await machine.inside((database) => database.read(({ keys }) => keys.byHash(hashToken(key.token))));
    expect(stored?.id).to.equal(1);
  });

  it('prints the token on a line of its own, and that it cannot be shown again', async () => {
    const [token, blank, sentence] = (await machine.text('key', 'create', '--user', 'ada@example.com', '--scopes', 'read')).split('\n');
    expect(token).to.match(/^svc_[0-9a-f]{40}$/);
    expect([blank, sentence]).to.deep.equal(['', 'Key 2 of ada (read). Keep the token now: it cannot be shown again.']);
  });

  it('creates a key for an agent that reads, for 90 days, with the configuration to paste', async () => {
    const own = new Machine();
    await own.addUser('ada', 'administrator');
    const agent = ['key', 'create', '--user', 'ada', '--for-agent'];
    const { token, configuration, ...key } = await own.json<Key & { configuration: object; date_expires: string }>(...agent);
    expect(key).to.deep.include({ scopes: ['read'], description: 'Agent' });
    const days = (Date.parse(`${key.date_expires}Z`) - Date.now()) / 86_400_000;
    expect(days).to.be.within(89, 92);
    expect(configuration).to.deep.equal({
      mcpServers: {
        'affiliate-program': { type: 'http', url: 'http://127.0.0.1:8080/mcp', headers: { Authorization: `Bearer ${token}` } },
      },
    });
    const text = await own.text(...agent);
    expect(text).to.include('affiliate settings set addons.agents true').and.include('affiliate key revoke 2');
    expect(JSON.parse(/\{[^]+\}/.exec(text)?.[0] ?? '')).to.have.property('mcpServers');
  });

  it('lists all keys newest first, or those of one user, never with a token', async () => {
    const [all, ofBob, text] = await Promise.all([
      machine.json<Key[]>('key', 'list'),
      machine.json<Key[]>('key', 'list', '--user', 'BOB'),
      machine.text('key', 'list'),
    ]);
    expect(all.map(({ id }) => id)).to.deep.equal([2, 1]);
    expect(ofBob.map(({ id }) => id)).to.deep.equal([1]);
    expect(JSON.stringify(all)).not.to.include('token');
    const [heading = '', , bobs = ''] = text.split('\n');
    expect(heading).to.match(/^ID {2}TOKEN +USER +SCOPES +STATUS +LAST USED +EXPIRES +DESCRIPTION$/);
    expect(bobs).to.match(/^ 1 {2}svc_[0-9a-f]{8}… {2}bob {3}read,manage {2}active {2}never {6}2099-12-31 {2}order feed$/);
  });

  it('revokes a key, and prints the same for a revoked one', async () => {
    const first = await machine.json('key', 'revoke', '1');
    expect(first).to.deep.equal({ id: 1, revoked: true });
    expect(await machine.text('key', 'revoke', '1')).to.match(/^Key 1 \(svc_[0-9a-f]{8}…\) is revoked\.\n$/);
    const keys = await machine.json<Key[]>('key', 'list');
    expect(keys.map(({ id, status }) => [id, status])).to.deep.equal([
      [2, 'active'],
      [1, 'revoked'],
    ]);
  });

  it('has all permissions, whatever the role of the user', () => {
    const bob = { id: 2, login: 'bob', email: '', displayName: '', role: 'customer' as const, parentId: null, registeredAt: 0 };
    expect(operatorAs(bob)).to.deep.include({ scopes: null, user: { ...bob, role: 'administrator' } });
  });
});
