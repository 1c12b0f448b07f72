import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { earn } from '../support/payouts.ts';
import { coupon } from '../support/program.ts';
import { type Received, receiver } from '../support/webhooks.ts';
import { blocksOf, browserTypeErrors, type Installed, installPackage } from './installed.ts';
import { Running, takesOnce } from './running.ts';
import { type ClientStore, onOneEngine, openClientStore, realClock } from './store.ts';

const mostBytes = 10_000;

onOneEngine((engine) => {
  describe("the client's package, packed and installed in an empty folder", () => {
    let installed: Installed;
    let store: ClientStore;
    before(async () => {
      installed = installPackage();
      store = await openClientStore(engine, realClock);
      await earn(store.service, store.couponId, 30);
      await earn(store.service, store.couponId, 12);
    });
    after(async () => {
      await store.service.stop();
      installed.remove();
    });

    const env = (token: string): Record<string, string> => ({ API_URL: store.baseUrl, API_TOKEN: token });
    const node = (file: string, variables: Record<string, string>): Running =>
      new Running(process.execPath, [file], { cwd: installed.folder, env: variables });
    const example = (name: string): string => installed.program(`${name}.ts`, readFileSync(`client/examples/${name}.ts`, 'utf8'));
    const bundle = (format: 'esm' | 'iife'): string => {
      const entryPoints = [path.join(installed.folder, 'node_modules/affiliate-program-client/dist/index.js')];
      const built = buildSync({ entryPoints, bundle: true, minify: true, format, globalName: 'client', platform: 'browser', write: false });
      return built.outputFiles[0]?.text ?? '';
    };

    it('holds what is needed to run and to compile, and nothing else', () => {
      const sources = readdirSync('client/src').map((file) => path.basename(file, '.ts'));
      // What holds types alone runs nowhere.
      const running = [...sources.filter((name) => name !== 'events'), 'contract'].map((name) => `dist/${name}.js`);
      const typed = [...sources, 'contract', 'contract-types'].map((name) => `dist/${name}.d.ts`);
      expect(installed.files).to.deep.equal(['LICENSE', 'README.md', 'package.json', ...running, ...typed].sort());
    });

    it(`is under ${mostBytes} bytes for a browser, minified, with openapi-fetch and everything it offers`, () => {
      const text = bundle('esm');
      expect(Buffer.byteLength(text)).to.be.below(mostBytes).and.above(5000);
      expect(text).not.to.include('node:').and.not.include('require(');
    });

    it('compiles for browsers without anything of Node', () => {
      expect(browserTypeErrors(installed)).to.equal('');
    });

    it('runs with nothing but what a page has, as the person who is signed in there', async () => {
      const { service } = store;
      await service.user('mia', 'administrator', { password: 'long enough to be one' });
      const cookies = await service.signIn('mia', 'long enough to be one');
      const cookie = Object.entries(cookies)
        .map((pair) => pair.join('='))
        .join('; ');
      const asBrowser = (request: Request): Promise<Response> => {
        const headers = new Headers(request.headers);
        if (request.credentials === 'include') headers.set('Cookie', cookie);
        return fetch(new Request(request, { headers }));
      };
      const document = { cookie: `other=1; svc_csrf=${cookies['svc_csrf']}` };
      const page = {
        document,
        location: { href: `${service.origin}/dashboard` },
        Request,
        Headers,
        URL,
        setTimeout,
        clearTimeout,
        crypto,
        fetch: asBrowser,
      };
      const context = createContext({ ...page, TextEncoder, TextDecoder, btoa, atob });
      const made = runInContext(
        `${bundle('iife')}; client.createApi({ session: true }).keys.create({ description: 'from a page' })`,
        context,
      );
      expect(await made).to.include({ description: 'from a page' });
    });

    it('runs its examples in plain Node', async () => {
      const { affiliateToken, adminToken, couponId, service } = store;
      await coupon(service, 'EMPTY', { userId: store.user.id });
      const asked = await node(example('request-payout'), env(affiliateToken)).all();
      expect(asked.join('\n'))
        .to.match(/has earned 42 USD with TRAIL10\npayout 1 of 42 is pending/)
        .and.match(/with EMPTY\nnot yet: /);
      const listed = await node(example('list-orders'), env(adminToken)).all();
      expect(listed).to.deep.equal([
        '2 coupons',
        'TRAIL10: 2 orders on one of 1 pages, commission 42.00',
        'EMPTY: 0 orders on one of 0 pages, commission 0.00',
      ]);
      const following = node(example('follow-feed'), env(adminToken));
      for (const line of [/order \d+ brings 30/, /order \d+ brings 12/, /payout 1 of 42 is pending/])
        expect(await following.line()).to.match(line);
      await earn(service, couponId, 5);
      expect(await following.line()).to.match(/brings 5/);
      expect(await following.end('SIGINT')).to.equal(0);
    });

    it('runs the programs of the pages that explain it, each by its own', async () => {
      const document = (await (await fetch(`${store.baseUrl}/openapi`)).json()) as OpenAPI3;
      installed.program('api.d.ts', astToString(await openapiTS(document, { defaultNonNullable: false, silent: true })));
      const typed = [...blocksOf('client/README.md', 'ts'), ...blocksOf('docs/guides/write-a-client.md', 'ts')];
      const files = [
        ...typed.map((source, at) => installed.program(`page-${at}.ts`, source)),
        ...blocksOf('docs/guides/write-a-client.md', 'js').map((source, at) => installed.program(`plain-${at}.js`, source)),
      ];
      expect(files).to.have.length(7);
      const said = await Promise.all(files.map((file) => node(file, env(store.adminToken)).all()));
      expect(said.flat().join('\n'))
        .to.match(/\d of \d coupons/)
        .and.include('There is no such payout.')
        .and.include('payout 1: 42 pending');
    });

    it('verifies a real delivery with each receiver of the guide, in Node with and without the package and in Python, once', async () => {
      const { admin, service, adminToken } = store;
      const listener = await receiver();
      const { secret } = await admin.webhooks.create({ url: listener.url, events: ['payout.paid'] });
      const [open] = (await admin.payouts.list({ status: 'pending' })).items;
      await admin.payouts.setStatus(open?.id ?? 0, { status: 'paid' });
      await service.work();
      const [delivery] = listener.received as [Received];
      await listener.close();
      const guide = 'docs/guides/receive-webhooks.md';
      const [packaged = '', plain = '', python = ''] = [blocksOf(guide, 'ts')[0], blocksOf(guide, 'js')[0], blocksOf(guide, 'python')[0]];
      const variables = { WEBHOOK_SECRET: secret, PORT: '0', API_TOKEN: adminToken };
      const receivers = [
        node(installed.program('guide.ts', packaged), variables),
        node(installed.program('guide-plain.js', plain), variables),
        new Running('python3', [installed.program('guide.py', python)], { cwd: installed.folder, env: variables }),
        node(example('receive-webhooks'), variables),
      ];
      for (const each of receivers) await takesOnce(each, delivery);
    });

    it('compiles all of these programs', () => {
      expect(installed.typeErrors()).to.equal('');
    });
  });
});
