import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { inProof } from '../support/in-proof.ts';
import { earn } from '../support/payouts.ts';
import { coupon } from '../support/program.ts';
import { type ReceivedDelivery, receiver } from '../support/webhooks.ts';
import { type ClientFixture, onSqlite, realClock, startClientFixture } from './fixture.ts';
import { browserTypeErrors, codeBlocks, type InstalledPackage, installPackage } from './installed-package.ts';
import { expectProcessedOnce, RunningProgram } from './running-program.ts';

const maxBytes = 12_300;
/** PROVE_PACKAGES=all: packs the client, and runs every example of it and of the guides with what is packed. */
const { describeInProof } = inProof('PROVE_PACKAGES');

onSqlite((engine) => {
  describeInProof('the client package, installed in an empty project', () => {
    let installed: InstalledPackage;
    let fixture: ClientFixture;
    before(async () => {
      installed = installPackage();
      fixture = await startClientFixture(engine, realClock);
      await earn(fixture.service, fixture.couponId, 30);
      await earn(fixture.service, fixture.couponId, 12);
    });
    after(async () => {
      await fixture.service.stop();
      installed.remove();
    });

    const env = (token: string): Record<string, string> => ({ API_URL: fixture.baseUrl, API_TOKEN: token });
    const node = (file: string, variables: Record<string, string>): RunningProgram =>
      new RunningProgram(process.execPath, [file], { cwd: installed.folder, env: variables });
    const example = (name: string): string => installed.addProgram(`${name}.ts`, readFileSync(`client/examples/${name}.ts`, 'utf8'));
    const bundle = (format: 'esm' | 'iife'): string => {
      const entryPoints = [path.join(installed.folder, 'node_modules/affiliate-program-client/dist/index.js')];
      const built = buildSync({ entryPoints, bundle: true, minify: true, format, globalName: 'client', platform: 'browser', write: false });
      return built.outputFiles[0]?.text ?? '';
    };

    it('contains the compiled modules with their types, and nothing else', () => {
      const sources = readdirSync('client/src').map((file) => path.basename(file, '.ts'));
      // events.ts contains types alone, so it has no JavaScript.
      const running = [...sources.filter((name) => name !== 'events'), 'contract'].map((name) => `dist/${name}.js`);
      const typed = [...sources, 'contract', 'contract-types'].map((name) => `dist/${name}.d.ts`);
      expect(installed.files).to.deep.equal(['LICENSE', 'README.md', 'package.json', ...running, ...typed].sort());
    });

    it(`is under ${maxBytes} bytes when bundled and minified for a browser, with openapi-fetch`, () => {
      const text = bundle('esm');
      expect(Buffer.byteLength(text)).to.be.below(maxBytes).and.above(5000);
      expect(text).not.to.include('node:').and.not.include('require(');
    });

    it('compiles with the types of browsers alone', () => {
      expect(browserTypeErrors(installed)).to.equal('');
    });

    it('runs with the globals of a page alone, with the session of the signed-in person', async () => {
      const { service } = fixture;
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

    it('runs the examples of client/examples in Node', async () => {
      const { affiliateToken, adminToken, couponId, service } = fixture;
      await coupon(service, 'EMPTY', { userId: fixture.user.id });
      const asked = await node(example('request-payout'), env(affiliateToken)).allLines();
      expect(asked.join('\n'))
        .to.match(/has earned 42 USD with TRAIL10\npayout 1 of 42 is pending/)
        .and.match(/with EMPTY\nnot yet: /);
      const listed = await node(example('list-orders'), env(adminToken)).allLines();
      expect(listed).to.deep.equal([
        '2 coupons',
        'TRAIL10: 2 orders on one of 1 pages, commission 42.00',
        'EMPTY: 0 orders on one of 0 pages, commission 0.00',
      ]);
      const following = node(example('follow-feed'), env(adminToken));
      for (const line of [/order \d+ brings 30/, /order \d+ brings 12/, /payout 1 of 42 is pending/])
        expect(await following.nextLine()).to.match(line);
      await earn(service, couponId, 5);
      expect(await following.nextLine()).to.match(/brings 5/);
      expect(await following.kill('SIGINT')).to.equal(0);
    });

    it('runs each program of client/README.md and of the guides for clients and stores', async () => {
      await fixture.service.settings.set('addons.store', true);
      await fixture.service.settings.set('addons.insights', true);
      const document = (await (await fetch(`${fixture.baseUrl}/openapi`)).json()) as OpenAPI3;
      installed.addProgram('api.d.ts', astToString(await openapiTS(document, { defaultNonNullable: false, silent: true })));
      const pages = ['client/README.md', 'docs/guides/write-a-client.md', 'docs/guides/connect-a-store.md'];
      const typed = pages.flatMap((page) => codeBlocks(page, 'ts'));
      const files = [
        ...typed.map((source, at) => installed.addProgram(`page-${at}.ts`, source)),
        ...codeBlocks('docs/guides/write-a-client.md', 'js').map((source, at) => installed.addProgram(`plain-${at}.js`, source)),
      ];
      expect(files).to.have.length(8);
      const output = await Promise.all(files.map((file) => node(file, env(fixture.adminToken)).allLines()));
      expect(output.flat().join('\n'))
        .to.match(/\d of \d coupons/)
        .and.include('There is no such payout.')
        .and.match(/order 7002: created, commission \d/)
        .and.include('payout 1: 42 pending');
    });

    it('verifies a delivery with each receiver of the webhook guide: the package, plain Node and Python', async () => {
      const { admin, service, adminToken } = fixture;
      const listener = await receiver();
      const { secret } = await admin.webhooks.create({ url: listener.url, events: ['payout.paid'] });
      const [open] = (await admin.payouts.list({ status: 'pending' })).items;
      await admin.payouts.setStatus(open?.id ?? 0, { status: 'paid' });
      await service.work();
      const [delivery] = listener.received as [ReceivedDelivery];
      await listener.close();
      const guide = 'docs/guides/receive-webhooks.md';
      const [packaged = '', plain = '', python = ''] = [
        codeBlocks(guide, 'ts')[0],
        codeBlocks(guide, 'js')[0],
        codeBlocks(guide, 'python')[0],
      ];
      const variables = { WEBHOOK_SECRET: secret, PORT: '0', API_TOKEN: adminToken };
      const receivers = [
        node(installed.addProgram('guide.ts', packaged), variables),
        node(installed.addProgram('guide-plain.js', plain), variables),
        new RunningProgram('python3', [installed.addProgram('guide.py', python)], { cwd: installed.folder, env: variables }),
        node(example('receive-webhooks'), variables),
      ];
      for (const program of receivers) await expectProcessedOnce(program, delivery);
    });

    it('compiles all programs of the guides and examples', () => {
      expect(installed.typeErrors()).to.equal('');
    });
  });
});
