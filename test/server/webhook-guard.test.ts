import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { UrlRules } from '../../domain/webhooks/delivery.ts';
import { isPublicAddress } from '../../domain/webhooks/url-rules.ts';
import { openGuardedSocket } from '../../server/webhooks/guarded-socket.ts';
import { createWebhookSender, getUrlRules } from '../../server/webhooks/send.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { localRules, messageTo, type Receiver, receiver, says } from './receivers.ts';

/** Answers each question with the next list of addresses, and stays with the last. */
const resolving = (...answers: string[][]) => {
  let asked = 0;
  return { asked: () => asked, resolve: async () => answers[Math.min(asked++, answers.length - 1)] ?? [] };
};

const publicAddress = '93.184.215.14';

// Every spelling of 127.0.0.1, ::1 and of what leads there that a URL can carry.
const hosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '127.0.0.1',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '0',
  '0.0.0.0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
];
const unparsable = ['[fe80::1%25lo]', '[::1%lo]', '256.0.0.1', '127.0.0.1.1', '0x7g.1', '[127.0.0.1]', ''];

describe('the delivery guard in production', () => {
  let trap: Receiver;
  let rules: UrlRules;

  before(async () => {
    trap = await receiver(() => {});
    rules = { allowPlainHttpAndLoopback: false, ports: [trap.port] };
  });
  afterEach(() => expect(trap.connections, 'connections to this machine').to.equal(0));
  after(() => trap.close());

  const toTrap = (host: string) => `https://${host}:${trap.port}/hook`;

  it('opens no connection to this machine, however its address is spelled', async () => {
    const { send, checkUrl } = createWebhookSender({ resolve: async () => ['127.0.0.1'] });
    for (const host of [...hosts, ...unparsable]) {
      expect(await send(messageTo(toTrap(host)), rules), host).to.include({ kind: 'failed', failure: 'blocked' });
      expect(await checkUrl(toTrap(host), rules), host).to.match(/^The URL (must lead to a public address|is not valid)\.$/);
    }
  });

  it('opens none by a name of which any address is not public', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['::1'],
      [publicAddress, '127.0.0.1'],
      ['127.0.0.1', publicAddress],
      ['::ffff:127.0.0.1'],
      ['10.0.0.1', '::1'],
      ['nonsense'],
    ]) {
      const { send, checkUrl } = createWebhookSender(resolving(addresses));
      expect(await send(messageTo(toTrap('hooks.example')), rules), String(addresses)).to.include({ kind: 'failed', failure: 'blocked' });
      expect(await checkUrl(toTrap('hooks.example'), rules)).to.equal('The URL must lead to a public address.');
    }
  });

  it('refuses other protocols, ports, and user names, before any DNS query', async () => {
    const dns = resolving([publicAddress]);
    const { send, checkUrl } = createWebhookSender(dns);
    const wrong = {
      [`http://hooks.example:${trap.port}/`]: 'The URL must be https.',
      [`ftp://hooks.example:${trap.port}/`]: 'The URL must be https.',
      'file:///etc/passwd': 'The URL must be https.',
      [`https://me@hooks.example:${trap.port}/`]: 'The URL must not carry a user name or password.',
      [`https://:secret@hooks.example:${trap.port}/`]: 'The URL must not carry a user name or password.',
      'https://hooks.example/': `The URL's port must be ${trap.port}.`,
      'https://hooks.example:25/': `The URL's port must be ${trap.port}.`,
      'hooks.example/path': 'The URL is not valid.',
      '': 'The URL is not valid.',
    };
    for (const [url, sentence] of Object.entries(wrong)) {
      expect(await checkUrl(url, rules), url).to.equal(sentence);
      expect(await send(messageTo(url), rules), url).to.include({ kind: 'failed', failure: 'blocked', message: sentence });
    }
    expect(dns.asked()).to.equal(0);
  });

  it('allows public addresses on the ports of the site', async () => {
    const { checkUrl } = createWebhookSender(resolving([publicAddress, '2606:4700:4700::1111']));
    const ports = { allowPlainHttpAndLoopback: false, ports: [443, 8443] };
    for (const url of [
      'https://hooks.example/',
      'https://hooks.example:8443/a?b=c',
      'https://8.8.8.8/',
      'https://[2606:4700:4700::1111]:443/',
    ])
      expect(await checkUrl(url, ports), url).to.equal(null);
    expect(await checkUrl('https://hooks.example:444/', ports)).to.equal("The URL's port must be 443 or 8443.");
  });
});

describe('the delivery guard on the socket', () => {
  it('writes no byte to a forbidden address, even if it passed an earlier check', async () => {
    const trap = await receiver((socket) => socket.resume());
    const unchecked = { url: new URL(`https://hooks.example:${trap.port}/`), addresses: ['127.0.0.1'], isAllowed: isPublicAddress };
    const refused = await openGuardedSocket(unchecked, new AbortController().signal).catch((error: unknown) => error);
    expect(refused).to.include({ failure: 'blocked' });
    while (trap.connections === 0) await setImmediate();
    await trap.idle();
    expect(trap.received).to.equal('');
    await trap.close();
  });

  it('opens no connection after the timeout, however late the DNS response arrives', async () => {
    const hook = await receiver((socket) => socket.resume());
    const late = { url: new URL(`http://hooks.example:${hook.port}/`), addresses: ['127.0.0.1'], isAllowed: () => true };
    const refused = await openGuardedSocket(late, AbortSignal.abort()).catch((error: unknown) => error);
    expect(refused).to.include({ name: 'AbortError' });
    // Connections are accepted by turns: one of them is in time.
    (await openGuardedSocket(late, new AbortController().signal)).destroy();
    while (hook.connections === 0) await setImmediate();
    await hook.idle();
    expect(hook.connections).to.equal(1);
    await hook.close();
  });

  it('resolves the addresses once for each request, and connects to one of them', async () => {
    const hook = await receiver(says('HTTP/1.1 204 No Content\r\n\r\n'));
    const dns = resolving(['127.0.0.1'], ['127.0.0.2']);
    expect(await createWebhookSender(dns).send(messageTo(`http://hooks.example:${hook.port}/`), localRules)).to.include({ code: 204 });
    expect(dns.asked()).to.equal(1);
    await hook.close();
  });

  it('uses no proxy of the environment', async () => {
    const proxy = await receiver(() => {});
    const hook = await receiver(says('HTTP/1.1 204 No Content\r\n\r\n'));
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    const outcome = await createWebhookSender().send(messageTo(`http://127.0.0.1:${hook.port}/`), localRules);
    for (const name of names) delete process.env[name];
    expect(outcome).to.include({ kind: 'answered', code: 204 });
    expect(proxy.connections).to.equal(0);
    await Promise.all([proxy.close(), hook.close()]);
  });
});

describe('the delivery guard in environment local', () => {
  it('is used in no other environment, and the ports are those of the site', () => {
    const { settings } = buildSettings({ 'webhooks.ports': [443, 8443] });
    const allowing = (['local', 'production'] as const).map((environment) => getUrlRules(settings, { environment }));
    expect(allowing).to.deep.equal([
      { allowPlainHttpAndLoopback: true, ports: [443, 8443] },
      { allowPlainHttpAndLoopback: false, ports: [443, 8443] },
    ]);
  });

  it('allows http and this machine on any port, by address and by name', async () => {
    const hook = await receiver(says('HTTP/1.1 204 No Content\r\n\r\n'));
    const { send, checkUrl } = createWebhookSender();
    for (const host of ['127.0.0.1', 'localhost', '127.1', '2130706433']) {
      expect(await checkUrl(`http://${host}:${hook.port}/`, localRules), host).to.equal(null);
      expect(await send(messageTo(`http://${host}:${hook.port}/`), localRules), host).to.include({ kind: 'answered', code: 204 });
    }
    await hook.close();
  });

  it('connects to no private network and to no metadata service', async () => {
    const { send } = createWebhookSender(resolving(['127.0.0.1', '192.168.1.1']));
    for (const host of [
      '10.0.0.1',
      '192.168.1.1',
      '172.16.0.1',
      '169.254.169.254',
      '[fd00:ec2::254]',
      '0.0.0.0',
      '[::]',
      '[::ffff:127.0.0.1]',
      'hooks.example',
    ])
      expect(await send(messageTo(`http://${host}/`), localRules), host).to.include({ kind: 'failed', failure: 'blocked' });
  });
});
