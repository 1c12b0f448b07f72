import { request } from 'node:http';
import { expect } from 'chai';
import { builtWeb } from '../support/built-web.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

/** Exactly this path and these headers: fetch would tidy up the one, and with `If-None-Match` it would forbid an answer from a cache. */
const rawStatus = (origin: string, path: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(origin, { path, headers }, (answer) => resolve(answer.resume().statusCode))
      .once('error', reject)
      .end();
  });

describe('the reference page', () => {
  let service: TestService;
  let page: Response;
  let text: string;
  // Not compressed: what that changes is told by encodings.test.ts.
  const get = (path: string, options: RequestInit = {}): Promise<Response> =>
    fetch(`${service.origin}${path}`, { ...options, headers: { 'Accept-Encoding': 'identity', ...options.headers } });
  const assets = (): string[] => [...text.matchAll(/(?:href|src)="(\/docs\/[^"/]+\.\w+)"/g)].map(([, path = '']) => path);
  before(async () => {
    await builtWeb();
    service = await TestService.start({ databaseUrl: `sqlite:${temporaryFolder('reference-')}/store.db` });
    page = await get('/docs');
    text = await page.text();
  });
  after(() => service.stop());

  it('is HTML under a policy that allows nothing inline and nothing from elsewhere', () => {
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(page.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(page.headers.get('referrer-policy')).to.equal('same-origin');
    expect(text).not.to.match(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:/);
  });

  it('is linked by the front page, which leads people into the program and tells machines where everything is', async () => {
    const front = await get('/');
    const html = await front.text();
    expect([front.status, front.headers.get('vary')]).to.deep.equal([200, 'Accept']);
    expect(html).to.include('<p class="store">My store</p>');
    const linksOf = (text: string) => [...text.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
    expect(linksOf(html)).to.deep.equal(['/sign-in?to=/console', '/docs']);
    for (const path of linksOf(html)) expect((await get(path)).status, path).to.equal(200);
    await service.withSetting('registration.open', true, async () => {
      expect(linksOf(await (await get('/')).text()), 'the mail that confirms would have no link').not.to.include('/apply');
      await service.withSetting('service.url', 'https://program.example', async () => {
        expect(linksOf(await (await get('/')).text())).to.deep.equal(['/apply', '/sign-in?to=/console', '/docs']);
        expect(linksOf(await (await get('/sign-in')).text())).to.deep.equal(['/forgot-password', '/apply']);
      });
    });
    expect(linksOf(await (await get('/sign-in')).text())).to.deep.equal(['/forgot-password']);
    expect(await (await get('/', { headers: { Accept: 'application/json' } })).json()).to.deep.equal({
      name: 'Affiliate Program API',
      version: '2.0.0',
      api: '/api/v2',
      console: '/console',
      reference: '/docs',
      document: '/api/v2/openapi',
      sign_in: '/sign-in',
      health: '/healthz',
      readiness: '/readyz',
    });
    // Sign-in has the same design: its policy allows the same style.
    const policy = (answer: Response): string | null => answer.headers.get('content-security-policy');
    expect(policy(await get('/sign-in')))
      .to.equal(policy(front))
      .and.match(/^default-src 'none'; style-src 'sha256-/);
  });

  it('is named by the 404 of the root of the API, with the document unless that is switched off', async () => {
    const message = async (path: string): Promise<string> => {
      const answer = await get(path);
      const body = (await answer.json()) as { code: string; message: string };
      expect([answer.status, body.code]).to.deep.equal([404, 'rest_no_route']);
      return body.message;
    };
    for (const path of ['/api', '/api/v2', '/api/v2/'])
      expect(await message(path)).to.equal(
        'There is no operation at this address. GET /api/v2/openapi lists all operations. The reference page is at /docs.',
      );
    await service.settings.set('switches.get_openapi', false);
    expect(await message('/api/v2')).to.equal('There is no operation at this address. The reference page is at /docs.');
    expect(await (await get('/')).text()).not.to.include('/api/v2/openapi');
    await service.settings.set('switches.get_openapi', true);
  });

  it('is revalidated each time, and sent again only when it has changed', async () => {
    expect(page.headers.get('cache-control')).to.equal('no-cache');
    const statusFor = (etag: string): Promise<number | undefined> => rawStatus(service.origin, '/docs', { 'If-None-Match': etag });
    expect(await statusFor(page.headers.get('etag') ?? '')).to.equal(304);
    expect(await statusFor('"another"')).to.equal(200);
  });

  it('refers to a script, a style and an icon whose names contain a hash, and which are cached forever', async () => {
    const answers = await Promise.all(assets().map((path) => get(path)));
    expect(answers.map(({ headers }) => headers.get('content-type'))).to.have.members([
      'image/svg+xml',
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
    ]);
    for (const { status, headers, url } of answers) {
      expect([status, headers.get('cache-control')]).to.deep.equal([200, 'public, max-age=31536000, immutable']);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      const known = { 'If-None-Match': headers.get('etag') ?? '' };
      expect(await rawStatus(service.origin, new URL(url).pathname, known)).to.equal(304);
    }
  });

  it('needs less than 30 kB besides the document', async () => {
    const sizes = ['/docs', ...assets()].map(async (path) =>
      (await get(path, { headers: { 'Accept-Encoding': 'br' } })).headers.get('content-length'),
    );
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + Number(size), 0);
    expect(total).to.be.within(10_000, 30_000);
  });

  it('loads the document from beside itself, which does not count against the limit that anonymous callers share', async () => {
    const left = async (): Promise<number> => Number(/r=(\d+)/.exec((await get('/api/v2/openapi')).headers.get('ratelimit') ?? '')?.[1]);
    const before = await left();
    const answers = await Promise.all(Array.from({ length: 40 }, () => get('/docs/openapi.json')));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(await left()).to.equal(before - 1);
    const [own, served] = [await answers[0]?.json(), await (await get('/api/v2/openapi')).json()];
    expect(own).to.deep.equal(served);
  });

  it('lists the operations for browsers without scripts, and is followed by the whole contract as text', async () => {
    expect(text).to.include('<a href="/docs/text#post_payouts">Request a payout</a>');
    const whole = await (await get('/docs/text')).text();
    expect(whole)
      .to.include('<h3 id="post_payouts">')
      .and.include('<dt id="error-svc_api_below_threshold">')
      .and.include('id="schema-Payout"');
    expect(whole).to.not.match(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  });

  it('lists the guides by reader, shop owners first, and every link of a guide leads to a page and a heading that exist', async () => {
    const list = await (await get('/docs/guides')).text();
    const groups = [...list.matchAll(/<section><h2>([^<]+)/g)].map(([, group]) => group);
    expect(groups).to.deep.equal(['Run your program', 'Connect', 'Operate', 'Build on the API']);
    const paths = new Set([...list.matchAll(/href="(\/docs\/guides\/[\w-]+)"/g)].map(([, path]) => path ?? ''));
    const pages = new Map(await Promise.all([...paths].map(async (path) => [path, await (await get(path)).text()] as const)));
    expect([...paths][0]).to.equal('/docs/guides/open-the-program');
    for (const [from, text] of pages)
      for (const [, href = ''] of text.matchAll(/href="(\/docs\/guides\/[^"]*|#[^"]*)"/g)) {
        const [path = '', heading] = href.startsWith('#') ? [from, href.slice(1)] : href.split('#');
        expect(pages.has(path), `${from} has ${href}`).to.equal(true);
        if (heading) expect(pages.get(path), `${from} has ${href}`).to.include(`id="${heading}"`);
      }
  });

  it('has the guides beside it, with links between them', async () => {
    const guide = await get('/docs/guides/run-in-production');
    expect([guide.status, guide.headers.get('content-security-policy')]).to.deep.equal([200, page.headers.get('content-security-policy')]);
    expect(await guide.text())
      .to.include('<h2 id="the-master-key">')
      .and.include('<a href="/docs/guides/several-processes">')
      .and.not.include('.md"');
    expect((await get('/docs/guides/none')).status).to.equal(404);
  });

  it('shows nothing of a contract that is for administrators, or that is switched off', async () => {
    const seen = async (): Promise<unknown[]> => {
      const answers = await Promise.all(['/docs', '/docs/text'].map(async (path) => (await get(path)).text()));
      return [(await get('/docs/openapi.json')).status, ...answers.map((html) => html.includes('Request a payout'))];
    };
    expect(await seen()).to.deep.equal([200, true, true]);
    await service.settings.set('openapi_public', false);
    expect(await seen()).to.deep.equal([401, false, false]);
    await service.settings.set('openapi_public', true);
    await service.settings.set('switches.get_openapi', false);
    expect(await seen()).to.deep.equal([404, false, false]);
    await service.settings.unset('switches.get_openapi');
  });

  it('answers HEAD like GET, without the content', async () => {
    for (const path of ['/docs', ...assets()]) {
      const [head, whole] = [await get(path, { method: 'HEAD' }), await get(path)];
      expect([head.status, await head.text()], path).to.deep.equal([200, '']);
      expect(head.headers.get('content-length')).to.equal(String((await whole.arrayBuffer()).byteLength));
    }
  });

  it('has nothing else below it, in any notation of the path', async () => {
    const paths = [
      '/docs/reference.js',
      '/docs/none.css',
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
      '/docs/..%2fpackage.json',
      '/docs/%',
    ];
    for (const path of paths) expect(await rawStatus(service.origin, path), path).to.equal(404);
    expect(await (await get('/docs/none.css')).json()).to.include({ code: 'rest_no_route' });
    expect((await get('/docs', { method: 'POST' })).status).to.equal(404);
  });

  it('is served where keys are refused, because a key belongs to the API', async () => {
    const answer = await get('/docs', { headers: { Authorization: 'Bearer svc_x' } });
    expect(answer.status).to.equal(403);
  });
});

describe('signing in from the reference page', () => {
  let service: TestService;
  before(async () => {
    service = await TestService.start({ databaseUrl: `sqlite:${temporaryFolder('way-back-')}/store.db` });
    await service.user('boss', 'administrator', { password: 'a long password' });
  });
  after(() => service.stop());

  async function signIn(to: string, password: string): Promise<Response> {
    const form = await (await fetch(`${service.origin}/sign-in?to=${encodeURIComponent(to)}`)).text();
    const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']): [string, string] => [
      name,
      value,
    ]);
    const headers = { Cookie: `svc_form=${new Map(hidden).get('form_token')}` };
    const body = new URLSearchParams([...hidden, ['login', 'boss'], ['password', password]]);
    return fetch(`${service.origin}/sign-in`, { method: 'POST', headers, body, redirect: 'manual' });
  }

  it('leads back to the place on the page', async () => {
    const answer = await signIn('/docs#post_payouts', 'a long password');
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([303, '/docs#post_payouts']);
  });

  it('keeps the place while the password is wrong', async () => {
    const answer = await signIn('/docs#get_me', 'another');
    expect(answer.status).to.equal(401);
    expect(await answer.text()).to.include('name="to" value="/docs#get_me"');
  });

  it('is not requested by the password dialog of the browser on a page whose session has ended', async () => {
    const ask = (headers: Record<string, string>): Promise<Response> => fetch(`${service.origin}/api/v2/me`, { headers });
    expect((await ask({ Cookie: 'svc_session=ended' })).headers.get('www-authenticate')).to.equal('Bearer realm="affiliate-api"');
    expect((await ask({})).headers.get('www-authenticate')).to.include('Basic realm="affiliate-api"');
  });
});
