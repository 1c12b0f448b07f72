import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { sourceFolders } from '../../scripts/shared/sources.ts';
import { type Receiver, receiver, says } from '../server/receivers.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { TestService } from '../support/service.ts';
import { onOneEngine } from './one-engine.ts';

// Every spelling, and the socket's own last word: test/server/webhook-guard.test.ts and test/domain/public-address.test.ts.
const inward = ['127.0.0.1', '2130706433', 'localhost', '169.254.169.254', '10.0.0.1', '[::1]'].map((host) => `https://${host}/hook`);
const otherwise = [
  'http://books.example/',
  'ftp://books.example/',
  'file:///etc/passwd',
  'gopher://books.example/',
  'https://me:pw@books.example/',
  'https://books.example:22/',
  'https://books.example:0/',
  'javascript:alert(1)',
  'data:text/plain,x',
  '//books.example/',
  'https://',
  'https:\\\\127.0.0.1\\',
];

onOneEngine((engine) => {
  describe('API7:2023 Server Side Request Forgery', () => {
    let service: TestService;
    let admin: ContractClient;
    let trap: Receiver;
    let addresses: string[];
    let asked: string[];

    beforeEach(async () => {
      trap = await receiver(says('HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\ncanary-of-trap'));
      [addresses, asked] = [['93.184.215.14'], []];
      const resolve = async (host: string) => {
        asked.push(host);
        return addresses;
      };
      const env = { ENVIRONMENT: 'production', TRUSTED_PROXIES: '127.0.0.1' };
      service = await (
        await TestService.start({ databaseUrl: await engine.freshUrl(), env, sender: { resolve, timeoutMs: 2000 } })
      ).withoutLimits();
      await service.settings.set('webhooks.ports', [443, trap.port]);
      const { headers } = await service.key(await service.user('boss', 'administrator'), ['read', 'write', 'manage']);
      admin = await service.client({ ...headers, 'X-Forwarded-Proto': 'https' });
    });
    afterEach(async () => {
      await service.stop();
      await trap.close();
    });

    const make = (url: string) => admin.post('/webhooks', { json: { url, events: ['*'] } });

    it('accepts no webhook to an internal address, by number or by name, nor one that is not plain https', async () => {
      for (const url of [...inward, ...otherwise]) expect((await make(url)).status, url).to.equal(400);
      addresses = ['93.184.215.14', '127.0.0.1'];
      expect((await make('https://books.example/hook')).body.code).to.equal('svc_api_invalid_url');
      expect((await admin.get('/webhooks')).body).to.deep.equal([]);
    });

    it('blocks a name that resolves to an internal address later: no test and no delivery opens a connection', async () => {
      const { body: webhook } = await make(`https://rebinding.example:${trap.port}/hook`);
      addresses = ['127.0.0.1'];
      const { status, body } = await admin.post(`/webhooks/${webhook.id}/test`);
      expect([status, body.data.failure]).to.deep.equal([502, 'blocked']);
      await admin.post('/keys');
      await service.work();
      expect([trap.connections, asked.includes('rebinding.example')]).to.deep.equal([0, true]);
    });

    it('fetches no URL that is in any other field: a name, an event, a message, a header', async () => {
      const url = `https://127.0.0.1:${trap.port}/canary`;
      await make(url);
      await admin.post('/webhooks', { json: { url: 'https://books.example/', events: [url], name: url } });
      await admin.get('/openapi', { headers: { Host: `127.0.0.1:${trap.port}`, Referer: url, 'X-Forwarded-Host': url, Origin: url } });
      await admin.get(`/affiliates?search=${encodeURIComponent(url)}`);
      await service.work();
      expect(trap.connections).to.equal(0);
    });
  });
});

describe('API7:2023 Server Side Request Forgery: outgoing connections', () => {
  it('are opened only by the webhook sender, by the mail sender, and to the API of a shop through the same guard', () => {
    // The command and the client run on the machine of the person who starts them.
    const served = sourceFolders.filter((folder) => folder !== 'cli' && folder !== 'client/src');
    const all = served.flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => `${folder}/${String(file)}`));
    const opening = /\bfetch\(|(import|from) .*node:(net|tls|http2?|https|dgram|dns)|nodemailer|undici|axios/;
    const files = all.filter((file) => file.endsWith('.ts'));
    // Types and checks of addresses open nothing.
    const harmless = /import type |BlockList|isIP\b|isIPv4|createServer|createSecureContext|RequestListener/;
    const openers = files.filter((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .some((line) => opening.test(line) && !harmless.test(line)),
    );
    expect(files.length).to.be.greaterThan(200);
    expect(openers).to.include('server/webhooks/guarded-socket.ts');
    const shopApi = 'server/store/shop-api.ts';
    expect(openers.filter((file) => !/^server\/(webhooks|mail)\//.test(file))).to.deep.equal([shopApi]);
    expect(readFileSync(shopApi, 'utf8'))
      .to.match(/get\(await connectGuarded\(/)
      .and.include('createConnection: () => socket');
  });
});
