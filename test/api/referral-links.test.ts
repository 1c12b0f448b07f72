import { request } from 'node:http';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { abortBody } from '../support/aborted-body.ts';
import { builtWeb } from '../support/built-web.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { suiteService } from '../support/service.ts';

const shop = 'https://fjell.example';
let lastAddress = 0;
/** An address from which no click has come yet. */
const newAddress = (): string => {
  lastAddress += 1;
  return `198.51.${Math.floor(lastAddress / 250)}.${1 + (lastAddress % 250)}`;
};

/** Exactly these headers: fetch would add some, and forbid an answer from a cache. */
const rawGet = (url: string, headers: Record<string, string>) =>
  new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    request(url, { headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) });
    })
      .once('error', reject)
      .end();
  });

onAnyEngine((engine) => {
  describe('referral links', () => {
    const env = { TRUSTED_PROXIES: '127.0.0.1,::1' };
    const { service, admin, clock } = suiteService(engine, { env, settings: { 'store.url': shop } });
    let trail: number;
    let draft: number;
    let digits: number;
    let twice: number;
    let unowned: number;

    const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
      fetch(`${service.origin}${path}`, { method, redirect: 'manual', headers: { 'X-Forwarded-For': newAddress(), ...headers } });
    /** Where the link leads. */
    const follow = async (path: string, headers?: Record<string, string>, method?: string): Promise<URL> => {
      const answer = await get(path, headers, method);
      expect([answer.status, answer.headers.get('cache-control')], path).to.deep.equal([302, 'no-store']);
      return new URL(answer.headers.get('location') ?? '');
    };
    const send = (body: string, headers: Record<string, string> = {}, method = 'POST'): Promise<Response> =>
      fetch(`${service.origin}/track/click`, {
        method,
        headers: { Origin: shop, 'X-Forwarded-For': newAddress(), ...headers },
        ...(method === 'POST' && { body }),
      });
    const click = (fields: object, headers?: Record<string, string>): Promise<Response> =>
      send(JSON.stringify({ coupon: 'TRAIL10', visitor: 'a visitor of the shop', ...fields }), headers);
    const visibleClicks = async (filter = ''): Promise<number> => (await admin.get(`/clicks/stats${filter}`)).body.clicks;
    /** With those that are still to be written. */
    const countOf = async (id: number, campaign = ''): Promise<number> => {
      await service.flush();
      return visibleClicks(`?coupon_id=${id}${campaign && `&campaign=${campaign}`}`);
    };
    /** How many clicks of the coupon the work adds. */
    const counted = async (work: () => Promise<unknown>, id = trail): Promise<number> => {
      const before = await countOf(id);
      await work();
      return (await countOf(id)) - before;
    };
    before(async () => {
      await builtWeb();
      const { id: userId } = await service.user('owner', 'affiliate');
      trail = await coupon(service, 'TRAIL10', { userId });
      draft = await coupon(service, 'DRAFT', { userId, status: 'draft' });
      digits = await coupon(service, String(trail), { userId });
      twice = await coupon(service, 'TWICE', { userId });
      await coupon(service, 'twice', { userId });
      for (const code of ['a/b ä?#%&', '..']) await coupon(service, code, { userId });
      unowned = await coupon(service, 'UNOWNED');
    });

    it('are not served while the add-on is inactive', async () => {
      for (const [path, method] of [
        ['/r/TRAIL10', 'GET'],
        ['/r/TRAIL10', 'HEAD'],
        ['/affiliate.js', 'GET'],
        ['/track/click', 'POST'],
        ['/track/click', 'OPTIONS'],
      ] as const)
        expect((await get(path, { Origin: shop }, method)).status, path).to.equal(404);
      await service.settings.set('addons.store', true);
      for (const [path, method] of [
        ['/r', 'GET'],
        ['/r/TRAIL10', 'POST'],
        ['/track/click', 'GET'],
      ] as const)
        expect((await get(path, {}, method)).status, path).to.equal(404);
    });

    it('are the referral_url of coupons once the address of the service is set, by id where the code would not lead there', async () => {
      const link = async (id: number): Promise<string> => (await admin.get(`/coupons/${id}`)).body.referral_url;
      expect(await link(trail)).to.equal(`${shop}/?ref=TRAIL10`);
      expect(await link(twice)).to.equal(`${shop}/?ref=${twice}`);
      await service.withSetting('service.url', 'https://go.fjell.example/aff/', async () => {
        expect(await link(trail)).to.equal('https://go.fjell.example/aff/r/TRAIL10');
        expect(await link(digits)).to.equal(`https://go.fjell.example/aff/r/${digits}`);
        expect(await link(twice)).to.equal(`https://go.fjell.example/aff/r/${twice}`);
        // Each of them leads to its coupon.
        for (const { id } of (await admin.get('/coupons')).body as { id: number }[]) {
          const { pathname } = new URL(await link(id));
          expect(await counted(() => follow(pathname.slice('/aff'.length)), id), pathname).to.equal(1);
        }
        await service.withSetting('addons.store', false, async () => void expect(await link(twice)).to.equal(`${shop}/?ref=TWICE`));
      });
    });

    it('lead to the shop with coupon, visitor and campaign, and credit the order of that visitor', async () => {
      const page = await follow('/r/trail10?to=/tents?size=2%23top&campaign=autumn');
      const visitor = page.searchParams.get('aff_visitor') ?? '';
      expect(visitor).to.match(/^[0-9a-f-]{36}$/);
      expect(page.href).to.equal(`${shop}/tents?size=2&ref=TRAIL10&aff_visitor=${visitor}&campaign=autumn#top`);
      expect(await countOf(trail, 'autumn')).to.equal(1);
      const order = { order_id: 900, date: '2026-11-02 07:00:00', status: 'completed', total: 100, visitor };
      const { body } = await admin.post('/store/orders', { json: [order] });
      expect(body[0]).to.include({ outcome: 'created', coupon_id: trail, commission: 10 });
      const { body: orders } = await admin.get(`/coupons/${trail}/orders`);
      expect(orders[0]).to.include({ order_id: 900, credited_via: 'referral_link', campaign: 'autumn' });
      const [first, second] = [await follow(`/r/${trail}`), await follow(`/r/${trail}`)];
      expect(first.searchParams.get('ref'), 'an id does not tell the code').to.equal(String(trail));
      expect(first.searchParams.get('aff_visitor')).not.to.equal(second.searchParams.get('aff_visitor'));
      expect((await follow(`/r/${digits}`)).searchParams.get('ref')).to.equal(String(digits));
    });

    it("stay on the shop's origin, whatever `to` is", async () => {
      const hostile = [
        '//evil.example',
        '/\\evil.example',
        '\\\\evil.example',
        '\\/evil.example',
        '///evil.example',
        '/\t/evil.example',
        'https://evil.example',
        'https:evil.example',
        'https:/evil.example',
        '@evil.example',
        '.evil.example',
        ':8443/',
        'evil.example',
        'javascript:alert(1)',
        'data:text/html,x',
        '/\n/evil.example',
        '\t//evil.example',
        ' //evil.example',
        '/a\r\nSet-Cookie: a=b',
        '/..//evil.example',
        '/.//evil.example',
        '/a/..//evil.example',
        '/%2e%2e//evil.example',
        '/a\0',
        '%2F%2Fevil.example',
        '/a\\@evil.example',
        '／／evil.example',
        '',
        `/${'a'.repeat(2000)}`,
      ];
      for (const to of hostile) {
        const page = await follow(`/r/TRAIL10?${new URLSearchParams({ to })}`);
        expect([page.origin, page.pathname, page.searchParams.get('ref')], to).to.deep.equal([shop, '/', 'TRAIL10']);
      }
      const harmless = {
        '/a': '/a',
        '/@evil.example': '/@evil.example',
        '/%2F%2Fevil.example': '/%2F%2Fevil.example',
        '/%5Cevil.example': '/%5Cevil.example',
        '/／evil.example': '/%EF%BC%8Fevil.example',
        '/zelte ä?x=https://evil.example': '/zelte%20%C3%A4',
      };
      for (const [to, pathname] of Object.entries(harmless)) {
        const page = await follow(`/r/TRAIL10?${new URLSearchParams({ to })}`);
        expect([page.origin, page.pathname], to).to.deep.equal([shop, pathname]);
      }
      const forged = await follow('/r/TRAIL10?to=/a?aff_visitor=mine%26ref=OTHER&to=//evil.example');
      expect(forged.searchParams.getAll('ref')).to.deep.equal(['TRAIL10']);
      expect(forged.searchParams.getAll('aff_visitor')).to.have.length(1).and.not.include('mine');
      await service.withSetting('store.url', `${shop}/shop/`, async () => {
        expect((await follow('/r/TRAIL10?to=/tents')).pathname).to.equal('/shop/tents');
        expect((await follow('/r/TRAIL10?to=//evil.example')).pathname).to.equal('/shop/');
        expect((await follow('/r/NONE?to=/tents')).href).to.equal(`${shop}/shop/`);
      });
    });

    it('lead to the front page, uncounted, with a coupon that is unknown, ambiguous, not published or without an affiliate', async () => {
      const names = [
        'UNOWNED',
        String(unowned),
        'NONE',
        'TWICE',
        'twice',
        'DRAFT',
        String(draft),
        '0',
        '999999',
        '9'.repeat(400),
        '%E0%A4%A',
        '%00',
        'x'.repeat(5000),
      ];
      const before = await visibleClicks();
      for (const name of names) expect((await follow(`/r/${name}?to=/tents&campaign=x`)).href, name).to.equal(`${shop}/`);
      await service.flush();
      expect(await visibleClicks()).to.equal(before);
    });

    it('leave out a campaign that cannot be stored', async () => {
      for (const campaign of ['', 'c'.repeat(101), '%00', 'a%0Ab'])
        expect(
          await counted(async () => expect((await follow(`/r/TRAIL10?campaign=${campaign}`)).search).not.to.include('campaign')),
        ).to.equal(1);
    });

    it('count no click for HEAD, for pages loaded in advance and for known bots', async () => {
      const bots = [
        'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
        'facebookexternalhit/1.1',
        'Twitterbot/1.0',
      ];
      bots.push(
        'WhatsApp/2.23.20.0',
        'Mozilla/5.0 (compatible; bingbot/2.0)',
        'Slackbot-LinkExpanding 1.0',
        'AhrefsBot/7.0',
        'Baiduspider',
      );
      const advance = [
        { 'Sec-Purpose': 'prefetch;prerender' },
        { Purpose: 'prefetch' },
        { 'X-Moz': 'prefetch' },
        { 'X-Purpose': 'preview' },
      ];
      const uncounted = await counted(async () => {
        expect((await follow('/r/TRAIL10', {}, 'HEAD')).searchParams.get('ref')).to.equal('TRAIL10');
        for (const headers of [...advance, ...bots.map((agent) => ({ 'User-Agent': agent }))])
          expect((await follow('/r/TRAIL10?to=/a', headers)).pathname, JSON.stringify(headers)).to.equal('/a');
      });
      expect(uncounted).to.equal(0);
      // The script of the page then sends the click, when the page is shown.
      expect((await follow('/r/TRAIL10', { Purpose: 'prefetch' })).search).to.equal('?ref=TRAIL10');
      const people = [
        'Mozilla/5.0 (Linux; Android 9; CUBOT X19) Chrome/120.0',
        'Mozilla/5.0 (Macintosh) Safari/605.1.15',
        'curl/8.5.0',
        '',
      ];
      for (const agent of people) expect(await counted(() => follow('/r/TRAIL10', { 'User-Agent': agent })), agent).to.equal(1);
    });

    it('count 30 clicks a minute of an address, and go on leading to the shop', async () => {
      const flood = (address: string, times: number) =>
        counted(() => Promise.all(Array.from({ length: times }, () => follow('/r/TRAIL10', { 'X-Forwarded-For': address }))));
      const address = newAddress();
      expect(await flood(address, 45)).to.equal(30);
      expect(await flood(newAddress(), 1)).to.equal(1);
      const refused = await click({}, { 'X-Forwarded-For': address });
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
      clock.advance(61);
      expect(await flood(address, 1)).to.equal(1);
      // A customer has all addresses of a /64.
      const places = Array.from({ length: 35 }, (_, at) => `2001:db8:7:8::${at + 1}`);
      expect(await counted(() => Promise.all(places.map((place) => follow('/r/TRAIL10', { 'X-Forwarded-For': place }))))).to.equal(30);
    });

    it('lead to the front page beyond 30 requests a minute of an address, also HEAD and unknown codes: trying finds no codes', async () => {
      const from = { 'X-Forwarded-For': newAddress() };
      for (let tried = 1; tried <= 30; tried += 1)
        await follow(`/r/${tried % 2 === 0 ? 'NONE' : trail}`, from, tried % 3 === 0 ? 'GET' : 'HEAD');
      const uncounted = await counted(async () => {
        for (const name of ['TRAIL10', trail, 'NONE'])
          for (const method of ['GET', 'HEAD']) expect((await follow(`/r/${name}?to=/a`, from, method)).href).to.equal(`${shop}/`);
      });
      expect(uncounted).to.equal(0);
      expect((await follow('/r/TRAIL10', {}, 'HEAD')).searchParams.get('ref')).to.equal('TRAIL10');
    });

    it('are counted in few transactions where many arrive together', async () => {
      const commits = service.storage.commits;
      expect(await counted(() => Promise.all(Array.from({ length: 100 }, () => follow('/r/TRAIL10'))))).to.equal(100);
      expect(service.storage.commits - commits).to.be.below(30);
    });

    it('do not wait for a database that is busy, and the click is counted later', async () => {
      let release = (): void => {};
      const gate = new Promise<void>((resolve) => (release = resolve));
      const before = await countOf(trail);
      const busy = service.storage.write(() => gate);
      await follow('/r/TRAIL10');
      if (engine.name === 'sqlite') expect(await visibleClicks(`?coupon_id=${trail}`)).to.equal(before);
      release();
      await busy;
      expect(await countOf(trail)).to.equal(before + 1);
    });

    it('store no address, and do not log the visitor', async () => {
      const page = await follow('/r/TRAIL10?campaign=unlogged', { 'X-Forwarded-For': '203.0.113.99' });
      await service.flush();
      const observer = await engine.observe(service.databaseUrl);
      const rows = JSON.stringify(await observer.query('select * from clicks'));
      expect(rows).to.include('unlogged');
      for (const secret of ['203.0.113', page.searchParams.get('aff_visitor') ?? '']) expect(rows).not.to.include(secret);
      const log = service.log.join('');
      expect(log).to.include('/r/TRAIL10');
      for (const secret of ['unlogged', page.searchParams.get('aff_visitor') ?? '']) expect(log).not.to.include(secret);
    });

    describe('POST /track/click', () => {
      it('counts a click of a page of the shop or of a listed origin, as text or as JSON', async () => {
        const answer = await click({ campaign: 'tracked' });
        expect([answer.status, await answer.text()]).to.deep.equal([204, '']);
        expect(answer.headers.get('access-control-allow-origin')).to.equal(shop);
        expect(answer.headers.get('vary')).to.equal('Origin');
        expect(answer.headers.get('access-control-allow-credentials')).to.equal(null);
        expect(await countOf(trail, 'tracked')).to.equal(1);
        expect(await counted(() => click({ coupon: 'trail10', visitor: 'json' }, { 'Content-Type': 'application/json' }))).to.equal(1);
        expect(await counted(() => click({ coupon: String(trail), visitor: 'id', campaign: null }))).to.equal(1);
        await service.withSetting('cors.origins', ['https://www.fjell.example'], async () => {
          expect((await click({ visitor: 'other' }, { Origin: 'https://www.fjell.example' })).status).to.equal(204);
        });
        await service.withSetting('store.url', `${shop}/shop`, async () => void expect((await click({})).status).to.equal(204));
      });

      it('allows the preflight of these origins, and refuses all others', async () => {
        const ask = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' };
        const allowed = await send('', ask, 'OPTIONS');
        expect(allowed.status).to.equal(204);
        expect(allowed.headers.get('access-control-allow-origin')).to.equal(shop);
        expect(allowed.headers.get('access-control-allow-methods')).to.equal('POST');
        expect(allowed.headers.get('access-control-allow-headers')).to.equal('Content-Type');
        const origins = ['https://evil.example', 'null', '', 'http://fjell.example', 'https://fjell.example.evil.example', `${shop}:8443`];
        const refused = await counted(async () => {
          for (const origin of origins)
            for (const answer of [
              await click({ visitor: origin }, { Origin: origin }),
              await send('', { ...ask, Origin: origin }, 'OPTIONS'),
            ]) {
              expect(answer.status, origin).to.equal(403);
              expect(answer.headers.get('access-control-allow-origin')).to.equal(null);
            }
        });
        expect(refused).to.equal(0);
      });

      it('refuses what is not a click with a sentence, and what is too large', async () => {
        const problems: Record<string, string> = {
          '': 'The body is not valid JSON.',
          '{': 'The body is not valid JSON.',
          '[]': 'Send coupon and visitor as texts, and campaign as a text or null.',
          '"TRAIL10"': 'Send a JSON object with coupon and visitor.',
          '{"coupon":"TRAIL10"}': 'Send coupon and visitor as texts, and campaign as a text or null.',
          '{"coupon":301,"visitor":"v"}': 'Send coupon and visitor as texts, and campaign as a text or null.',
          '{"coupon":"","visitor":"v"}': 'The click names no coupon.',
          '{"coupon":"TRAIL10","visitor":""}': 'The click names no visitor.',
          '{"coupon":"TRAIL10","visitor":"\\u0000"}': 'The visitor contains a character that cannot be stored.',
          [JSON.stringify({ coupon: 'TRAIL10', visitor: 'v'.repeat(201) })]: 'The visitor is longer than 200 characters.',
          [JSON.stringify({ coupon: 'TRAIL10', visitor: 'v', campaign: 'c'.repeat(101) })]: 'The campaign is longer than 100 characters.',
        };
        for (const [body, message] of Object.entries(problems)) {
          const answer = await send(body);
          expect([answer.status, ((await answer.json()) as { message: string }).message], body).to.deep.equal([400, message]);
        }
        expect((await click({ visitor: 'v'.repeat(4096) })).status).to.equal(413);
        const latin1 = await fetch(`${service.origin}/track/click`, {
          method: 'POST',
          headers: { Origin: shop },
          body: Buffer.from('{"coupon":"TRAIL10","visitor":"Jürgen"}', 'latin1'),
        });
        expect([latin1.status, ((await latin1.json()) as { message: string }).message]).to.deep.equal([400, 'The body is not UTF-8.']);
        expect(await abortBody(service, '/track/click', { Origin: shop })).to.deep.equal({ status: 400, level: 40 });
        expect(((await (await send(' '.repeat(100_000))).json()) as { message: string }).message).to.equal(
          'The body is larger than 4 KiB.',
        );
      });

      it('answers 204 for a coupon that is unknown, and for bots, and counts nothing', async () => {
        const before = await visibleClicks();
        for (const name of ['newsletter', 'TWICE', 'DRAFT', String(draft)])
          expect((await click({ coupon: name, visitor: name })).status).to.equal(204);
        expect((await click({ visitor: 'bot' }, { 'User-Agent': 'Googlebot/2.1' })).status).to.equal(204);
        await service.flush();
        expect(await visibleClicks()).to.equal(before);
      });
    });

    describe('GET /affiliate.js', () => {
      const script = (headers: Record<string, string> = {}) => rawGet(`${service.origin}/affiliate.js`, headers);

      it('is a small script that any page may load and cache', async () => {
        const { status, headers, bytes } = await script({ 'Accept-Encoding': 'gzip' });
        expect(status).to.equal(200);
        expect(headers).to.include({
          'content-type': 'text/javascript; charset=utf-8',
          'content-encoding': 'gzip',
          'cache-control': 'public, max-age=600',
          'cross-origin-resource-policy': 'cross-origin',
          'access-control-allow-origin': '*',
          'x-content-type-options': 'nosniff',
          vary: 'Accept-Encoding',
        });
        expect(bytes.length).to.be.at.most(1500);
        expect(gunzipSync(bytes).toString()).to.include('30').and.not.include('%window_days%').and.not.include('http:');
        const etag = String(headers['etag']);
        expect((await script({ 'Accept-Encoding': 'gzip', 'If-None-Match': etag })).status).to.equal(304);
      });

      /** A browser that opens pages of the shop one after the other. Returns what each page knows of the referral, and the clicks it sends. */
      const browse = async (...searches: string[]) => {
        const source = (await script()).bytes.toString();
        let cookie = '';
        return searches.map((search) => {
          const sent: string[] = [];
          const window = { affiliate: {} as { coupon: string; visitor: string; campaign: string | null } };
          runInNewContext(source, {
            window,
            URL,
            URLSearchParams,
            crypto,
            navigator: {},
            location: new URL(`${shop}/${search}`),
            document: {
              currentScript: { src: `${service.origin}/affiliate.js`, dataset: {} },
              get cookie() {
                return cookie;
              },
              set cookie(written: string) {
                cookie = written.split(';')[0] ?? '';
              },
            },
            fetch: async (_url: URL, { body }: { body: string }) => sent.push(body),
          });
          return { ...window.affiliate, sent: sent.length };
        });
      };
      it('adds the visitor to links to payment pages of Stripe where the tag says so, and to no others', async () => {
        const own = 'https://buy.stripe.com/a?client_reference_id=mine';
        const hrefs = [
          'https://buy.stripe.com/a?x=1',
          own,
          'https://buy.stripe.com:port/',
          'https://buy.stripe.com.evil.example/a',
          'https://dashboard.stripe.com/a',
        ];
        const last = 'https://book.stripe.com/b';
        const links = [...hrefs, last].map((href) => ({ href }));
        const window = { affiliate: { visitor: '' } };
        const document = {
          currentScript: { src: `${service.origin}/affiliate.js`, dataset: { stripeLinks: '' } },
          cookie: '',
          querySelectorAll: () => links,
          addEventListener: () => {},
        };
        const location = new URL(`${shop}/?ref=TRAIL10`);
        const context = { window, URL, URLSearchParams, crypto, navigator: {}, location, document, fetch: async () => {} };
        runInNewContext((await script()).bytes.toString(), context);
        const marked = `https://buy.stripe.com/a?x=1&client_reference_id=${window.affiliate.visitor}`;
        expect(window.affiliate.visitor).to.match(/^[\da-f]{32}$/);
        const markedLast = `${last}?client_reference_id=${window.affiliate.visitor}`;
        expect(links.map(({ href }) => href)).to.deep.equal([marked, ...hrefs.slice(1), markedLast]);
      });

      const known = '00000000-0000-4000-8000-000000000000';

      it('keeps the id of a visitor for the same coupon only, and never one that a link has brought', async () => {
        const [first, again, other] = await browse('?ref=TRAIL10', '?ref=trail10&campaign=a%0Ab%07', '?ref=OTHER');
        expect([first?.sent, again?.visitor, again?.campaign]).to.deep.equal([1, first?.visitor, 'ab']);
        expect([other?.coupon, other?.sent]).to.deep.equal(['OTHER', 1]);
        expect(other?.visitor)
          .to.match(/^[0-9a-f]{32}$/)
          .and.not.equal(first?.visitor);
        // An affiliate plants an id that it knows, under its own coupon or under that of another.
        for (const ref of ['TRAIL10', 'OTHER']) {
          const [planted, shown, later] = await browse(`?ref=${ref}&aff_visitor=${known}`, '?page=2', '?ref=OTHER');
          expect([planted?.visitor, planted?.sent, shown?.visitor]).to.deep.equal([known, 0, known]);
          expect([later?.visitor === known, later?.sent], ref).to.deep.equal([false, 1]);
        }
        // One that looks like an id of the script is not adopted.
        const [forged] = await browse(`?ref=TRAIL10&aff_visitor=${first?.visitor}`);
        expect([forged?.visitor === first?.visitor, forged?.sent]).to.deep.equal([false, 1]);
      });

      it('keeps the id of a visitor for ever where lifetime links need it', async () => {
        await service.withSetting('attribution.lifetime', true, async () => {
          const [first, other] = await browse(`?ref=TRAIL10&aff_visitor=${known}`, '?ref=OTHER');
          expect([first?.visitor, other?.visitor, other?.sent]).to.deep.equal([known, known, 1]);
        });
      });

      it("changes with the length of the program's window", async () => {
        const { headers } = await script();
        await service.withSetting('attribution.window_days', 7, async () => {
          const changed = await script({ 'If-None-Match': String(headers['etag']) });
          expect(changed.status).to.equal(200);
          expect(changed.bytes.toString()).to.match(/"7"\*86400|7\*86400|6048e2/);
        });
      });
    });
  });
});
