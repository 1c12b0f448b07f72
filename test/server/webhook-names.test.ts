import { createSocket, type Socket } from 'node:dgram';
import { getEventListeners, once } from 'node:events';
import { expect } from 'chai';
import type { UrlRules } from '../../domain/webhooks/delivery.ts';
import { queryNameServers, type ResolveHost, resolveHost } from '../../server/webhooks/resolve.ts';
import { createWebhookSender } from '../../server/webhooks/send.ts';
import { localRules, messageTo } from './receivers.ts';

const productionRules = { allowPlainHttpAndLoopback: false, ports: [443] };

/** A name server that answers every question for an address of this one's family, and knows nothing of other kinds; null stays silent. */
async function nameServer(address: string | null, code = 0): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    if (address !== null) socket.send(answerTo(question, address, code), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** RFC 1035, section 4: the head, the question once more, and one record that points back to its name. */
function answerTo(question: Buffer, address: string, code: number): Buffer {
  const asked = question.subarray(0, question.indexOf(0, 12) + 5);
  const [type, bytes] = address.includes(':') ? [28, Buffer.from(address.replaceAll(':', ''), 'hex')] : [1, address.split('.').map(Number)];
  const known = code === 0 && asked.readUInt16BE(asked.length - 4) === type;
  const head = Buffer.from([...question.subarray(0, 2), 0x81, 0x80 | code, 0, 1, 0, known ? 1 : 0, 0, 0, 0, 0]);
  const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]);
  return Buffer.concat([head, asked.subarray(12), ...(known ? [record] : [])]);
}

const asking =
  (server: Socket): ResolveHost =>
  (host, _rules, signal) =>
    queryNameServers(host, signal, [`127.0.0.1:${server.address().port}`]);

describe('a delivery to a name', () => {
  const url = 'https://hooks.example/';
  let server: Socket;
  afterEach(() => server.close());

  it('is blocked when a real name server resolves it to this machine', async () => {
    server = await nameServer('127.0.0.1');
    const outcome = await createWebhookSender({ resolve: asking(server) }).send(messageTo(url), productionRules);
    expect(outcome).to.include({ kind: 'failed', failure: 'blocked' });
  });

  for (const address of ['93.184.215.14', '2606:4700:4700:0000:0000:0000:0000:1111'])
    it(`can reach a name that has addresses of one family only, as ${address}`, async () => {
      server = await nameServer(address);
      expect(await createWebhookSender({ resolve: asking(server) }).checkUrl(url, productionRules)).to.equal(null);
    });

  it('leaves no listener on the signal that would have aborted the DNS query', async () => {
    server = await nameServer('93.184.215.14');
    const { signal } = new AbortController();
    expect(await asking(server)('hooks.example', productionRules, signal)).to.deep.equal(['93.184.215.14']);
    expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
  });

  it('fails (dns) when there is no such name, or its server is broken', async () => {
    server = await nameServer('1.1.1.1', 3);
    const { send, checkUrl } = createWebhookSender({ resolve: asking(server) });
    const message = 'The host name has no address. (ENOTFOUND)';
    expect(await send(messageTo(url), productionRules)).to.include({ failure: 'dns', message });
    expect(await checkUrl(url, productionRules)).to.equal(message);
    server.close();
    server = await nameServer('1.1.1.1', 2);
    const broken = await createWebhookSender({ resolve: asking(server) }).send(messageTo(url), productionRules);
    expect(broken).to.include({ failure: 'dns', message: 'The host name could not be resolved. (ESERVFAIL)' });
  });

  it('fails (timeout) when its name server does not answer, and aborts the query', async () => {
    server = await nameServer(null);
    let left = 0;
    const resolve: ResolveHost = async (...asked) => {
      left += 1;
      return asking(server)(...asked).finally(() => (left -= 1));
    };
    const { send, checkUrl } = createWebhookSender({ resolve, timeoutMs: 200 });
    expect(await send(messageTo(url), productionRules)).to.include({ failure: 'timeout' });
    expect(await checkUrl(url, productionRules)).to.match(/did not answer within 0.2 seconds/);
    await new Promise(setImmediate);
    expect(left).to.equal(0);
  });

  it('fails (dns) when it has no address at all', async () => {
    server = await nameServer(null);
    const outcome = await createWebhookSender({ resolve: async () => [] }).send(messageTo(url), productionRules);
    expect(outcome).to.include({ failure: 'dns' });
  });
});

describe('the host name of a receiver', () => {
  /** Of a question that is given up as soon as it is asked, so that no answer of the network is waited for. */
  const givenUp = async (host: string, rules: UrlRules): Promise<unknown> => {
    const over = new AbortController();
    const answer = resolveHost(host, rules, over.signal);
    over.abort();
    return answer.catch(({ syscall }: NodeJS.ErrnoException) => syscall);
  };

  it('is resolved by name servers only in production: the hosts file of the machine is ignored', async () => {
    expect(await givenUp('localhost', productionRules)).to.equal('queryA');
  });

  it('may be in the hosts file in environment local', async () => {
    expect(await givenUp('localhost', localRules)).to.include.oneOf(['127.0.0.1', '::1']);
  });
});
