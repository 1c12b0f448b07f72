import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { builtWeb } from '../support/built-web.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { TestClock, TestService } from '../support/service.ts';

const password = 'a long password of the boss';

describe('the console page', () => {
  let service: TestService;
  let headers: Record<string, string>;
  const clock = new TestClock();
  const get = (path: string, sent: Record<string, string> = headers): Promise<Response> =>
    fetch(`${service.origin}${path}`, { headers: { 'Accept-Encoding': 'identity', ...sent }, redirect: 'manual' });
  before(async () => {
    await builtWeb();
    service = await TestService.start({ databaseUrl: `sqlite:${temporaryFolder('console-')}/store.db`, clock });
    await service.user('boss', 'administrator', { password });
    headers = { Cookie: (await service.session('boss', password))['Cookie'] ?? '' };
  });
  after(() => service.stop());

  it('is one page for all its addresses, under a policy that allows nothing inline and nothing from elsewhere', async () => {
    const pages = await Promise.all(['/console', '/console/payouts?status=paid', '/console/affiliates/42'].map((path) => get(path)));
    const texts = await Promise.all(pages.map((page) => page.text()));
    expect(pages.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(new Set(texts)).to.have.length(1);
    expect(texts[0]).not.to.match(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:/);
    const reference = await get('/docs');
    for (const { headers } of pages) {
      expect(headers.get('content-security-policy'))
        .to.equal(reference.headers.get('content-security-policy'))
        .and.include("script-src 'self'; style-src 'self'");
      expect(headers.get('cache-control')).to.equal('no-cache');
      expect(headers.get('vary')).to.include('Cookie');
    }
  });

  it('sends a browser without a session to the sign-in, which returns to the same address with its filters', async () => {
    for (const path of ['/console', '/console/payouts?status=paid&page=2', '/console/orders?from=2026-10-01&to=2026-10-31']) {
      const answer = await get(path, {});
      const location = answer.headers.get('location') ?? '';
      expect([answer.status, location]).to.deep.equal([303, `/sign-in?to=${encodeURIComponent(path)}`]);
      expect((await get(location)).headers.get('location')).to.equal(path);
      expect(await (await get(location, {})).text()).to.include(`name="to" value="${path.replaceAll('&', '&amp;')}"`);
    }
    expect((await get('/console', { Cookie: 'svc_session=another' })).status).to.equal(303);
  });

  it('has one address, like every page: a trailing slash is removed on our own path, and an empty segment is no page', async () => {
    const pages = ['/console/', '/console/payouts/?status=paid', '/docs/', '/sign-in/', '/r/ANY/'];
    const targets = await Promise.all(pages.map(async (path) => (await get(path)).headers.get('location')));
    expect(targets).to.deep.equal(['/console', '/console/payouts?status=paid', '/docs', '/sign-in', '/r/ANY']);
    for (const path of ['//evil.example/', '/console//payouts', '/docs//', '/\\evil.example/', '//'])
      for (const Accept of ['text/html', 'application/json']) {
        const answer = await get(path, { ...headers, Accept });
        expect([answer.status, answer.headers.get('location')], path).to.deep.equal([404, null]);
      }
  });

  it('is no open redirect: the sign-in returns to no other address', async () => {
    const paths = [
      '//evil.example',
      '/console//evil.example',
      '/console/../docs/x',
      '/console@evil.example',
      '/console\\evil',
      '/consoles',
    ];
    const others = ['/console/a?x=<script>', '/console/a?x="', 'https://evil.example/console', '/console\nSet-Cookie: a=b', '/sign-out'];
    for (const to of [...paths, ...others, '/docs/../x', '/docs?x', '/docs#"><script>']) {
      const answer = await get(`/sign-in?to=${encodeURIComponent(to)}`);
      expect([answer.status, answer.headers.get('location')], to).to.deep.equal([200, null]);
    }
  });

  it('loads a script and a style that are cached forever, with at most 110 kB of script and 6 requests with the first data', async () => {
    const text = await (await get('/console')).text();
    const files = [...text.matchAll(/(?:href|src)="(\/console\/files\/[^"]+)"/g)].map(([, path = '']) => path);
    const answers = await Promise.all(files.map((path) => get(path, {})));
    for (const { status, headers } of answers)
      expect([status, headers.get('cache-control')]).to.deep.equal([200, 'public, max-age=31536000, immutable']);
    const scripts = answers.filter(({ headers }) => headers.get('content-type')?.startsWith('text/javascript'));
    const sizes = await Promise.all(scripts.map(async (answer) => gzipSync(Buffer.from(await answer.arrayBuffer())).length));
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.within(30_000, 110_000);
    // The page, its files, `/me` and the first data. The browser tests count them.
    expect(1 + files.length + 2).to.be.at.most(6);
    expect((await get('/console/files/none.js', {})).status).to.equal(404);
  });

  it('does not end with the session: the address is the same after the next sign-in', async () => {
    clock.advance(12 * 60 * 60);
    expect((await get('/console/payouts')).headers.get('location')).to.equal('/sign-in?to=%2Fconsole%2Fpayouts');
  });
});
