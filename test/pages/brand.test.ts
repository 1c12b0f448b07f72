import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { ask } from '../attacks/plain-http.ts';
import { onAnyEngine } from '../support/engines.ts';
import { jpeg } from '../support/invoices.ts';
import { startService, TestService } from '../support/service.ts';

const password = 'a long password of a person';
const pages = ['/', '/sign-in', '/apply', '/forgot-password'];

/** The smallest picture that a browser shows. */
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64');
const withSize = (width: number, height: number): Buffer => {
  const changed = Buffer.from(pixel);
  changed.writeUInt32BE(width, 16);
  changed.writeUInt32BE(height, 20);
  return changed;
};

onAnyEngine((engine) => {
  describe('the brand of the store', () => {
    let service: TestService;
    let boss: Record<string, string>;
    beforeEach(async () => {
      service = await startService(engine, {
        settings: {
          'addons.management': true,
          'registration.open': true,
          'service.url': 'https://affiliates.example',
          'store.name': 'Fjell & Co',
        },
      });
      await service.user('boss', 'administrator', { password });
      boss = await service.session('boss', password);
    });

    const call = async (path: string, init: RequestInit = {}, at = service) => {
      const response = await fetch(`${at.origin}${path}`, { redirect: 'manual', ...init });
      const bytes = Buffer.from(await response.arrayBuffer());
      const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
      return { status: response.status, headers: response.headers, bytes, body: isJson ? JSON.parse(bytes.toString()) : bytes.toString() };
    };
    const upload = (body: Buffer, headers = boss) => call('/console/logo', { method: 'POST', body, headers });
    const remove = (headers = boss) => call('/console/logo', { method: 'DELETE', headers });
    const events = async () => {
      const admin = await service.clientOf(await service.user('reader', 'administrator'), ['read', 'manage']);
      return (await admin.get('/events?event=settings_changed')).body;
    };

    it('is on every page without a session: name, colour and logo, with a policy that allows exactly them', async () => {
      const plain = (await call('/')).headers.get('Content-Security-Policy');
      expect(plain).to.not.include('img-src');
      await service.settings.set('brand.color', '#c2410c');
      expect((await upload(pixel)).status).to.equal(201);
      for (const path of pages) {
        const { body, headers, status } = await call(path);
        expect(status, path).to.equal(200);
        expect(body, path).to.include('<p class="store"><img class="logo" src="/logo.png" alt="">Fjell &amp; Co</p>');
        expect(body, path).to.include(':root { --brand: #c2410c; --on-brand: #ffffff; }');
        const style = /<style>([^]*)<\/style>/.exec(body)?.[1] ?? '';
        const hash = createHash('sha256').update(style).digest('base64');
        expect(headers.get('Content-Security-Policy'), path).to.include(`style-src 'sha256-${hash}'`).and.include("img-src 'self'");
      }
      await service.settings.set('brand.color', '');
      await remove();
      expect((await call('/')).headers.get('Content-Security-Policy')).to.equal(plain);
      expect((await call('/')).body)
        .to.not.include('logo.png')
        .and.not.include('--brand:');
    });

    it('has a logo at a fixed address: the bytes that were sent, as PNG, never guessed, and asked for again after a change', async () => {
      expect((await call('/logo.png')).status).to.equal(404);
      expect((await upload(pixel)).body).to.deep.equal({ url: '/logo.png' });
      const { status, headers, bytes } = await call('/logo.png');
      expect([status, bytes.equals(pixel)]).to.deep.equal([200, true]);
      expect(Object.fromEntries(headers)).to.include({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, no-cache',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      const seen = { 'If-None-Match': headers.get('ETag') ?? '' };
      // fetch would forbid an answer from a cache.
      expect((await ask(service, '/logo.png', { headers: seen })).status).to.equal(304);
      expect((await call('/logo.png', { method: 'HEAD' })).status).to.equal(200);
      await upload(withSize(2, 1));
      const changed = await call('/logo.png', { headers: seen });
      expect([changed.status, changed.bytes.equals(withSize(2, 1))]).to.deep.equal([200, true]);
    });

    it('has a logo in the database, so that another process shows it', async () => {
      await upload(pixel);
      const other = await TestService.start({ databaseUrl: service.databaseUrl });
      try {
        expect((await call('/logo.png', {}, other)).bytes.equals(pixel)).to.equal(true);
        expect((await call('/sign-in', {}, other)).body).to.include('/logo.png');
      } finally {
        await other.stop();
      }
    });

    it('has a logo that can be removed, by its address or by its setting', async () => {
      await upload(pixel);
      expect((await remove()).body).to.deep.equal({ deleted: true });
      expect((await call('/logo.png')).status).to.equal(404);
      await upload(pixel);
      await service.settings.set('brand.logo', '');
      expect((await call('/logo.png')).status).to.equal(404);
      expect((await remove()).status).to.equal(200);
    });

    it('takes only a complete PNG of at most 200 kB and 2000 × 2000 pixels as a logo, by its bytes', async () => {
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
      const refused: [Buffer, number][] = [
        [Buffer.alloc(0), 415],
        [svg, 415],
        [jpeg(), 415],
        [pixel.subarray(0, -1), 415],
        [Buffer.concat([pixel, svg]), 415],
        [Buffer.concat([pixel.subarray(0, 8), svg]), 415],
        [withSize(2001, 1), 415],
        [withSize(1, 2001), 415],
        [withSize(0, 1), 415],
        [Buffer.alloc(200_001), 413],
      ];
      for (const [at, [file, status]] of refused.entries())
        expect((await upload(file, { ...boss, 'Content-Type': 'image/png' })).status, String(at)).to.equal(status);
      expect((await call('/logo.png')).status).to.equal(404);
      const comment = Buffer.alloc(200_000 - pixel.length);
      comment.writeUInt32BE(comment.length - 12);
      comment.write('tEXt', 4);
      const picture = withSize(2000, 2000);
      const largest = Buffer.concat([picture.subarray(0, -12), comment, picture.subarray(-12)]);
      expect(largest).to.have.length(200_000);
      expect((await upload(largest)).status).to.equal(201);
    });

    it('is changed by administrators in a session with its token and a confirmed password only, and with the add-on', async () => {
      const code = async (headers: Record<string, string>) => [(await upload(pixel, headers)).body.code, (await remove(headers)).body.code];
      expect(await code({})).to.deep.equal(Array(2).fill('svc_api_unauthorized'));
      expect(await code({ Cookie: boss['Cookie'] ?? '' })).to.deep.equal(Array(2).fill('svc_api_csrf_failed'));
      for (const role of ['manager', 'affiliate', 'customer'] as const) {
        await service.user(role, role, { password });
        expect(await code(await service.session(role, password)), role).to.deep.equal(Array(2).fill('svc_api_forbidden'));
      }
      await service.user('unconfirmed', 'administrator', { password });
      expect(await code(await service.staleSession('unconfirmed', password))).to.deep.equal(Array(2).fill('svc_api_confirm_password'));
      const machine = await service.user('machine', 'administrator');
      expect(await code(await service.appPassword(machine))).to.deep.equal(Array(2).fill('svc_api_unauthorized'));
      expect(await code((await service.key(machine, ['manage'])).headers)).to.deep.equal(Array(2).fill('svc_api_key_wrong_namespace'));
      expect((await call('/logo.png')).status).to.equal(404);
      await service.settings.set('addons.management', false);
      expect(await code(boss)).to.deep.equal(Array(2).fill('rest_no_route'));
    });

    it('records its changes in the feed, and nothing where the same logo is sent again', async () => {
      for (const _ of [1, 2]) await upload(pixel);
      await remove();
      const paths = (await events()).map(({ data }: { data: { paths: string[] } }) => data.paths);
      expect(paths).to.deep.equal([['brand.logo'], ['brand.logo']]);
    });

    it('has no logo that is not stored', async () => {
      const set = service.settings.set('brand.logo', 'a'.repeat(64));
      expect(
        await set.then(
          () => '',
          ({ message }: Error) => message,
        ),
      ).to.equal('brand.logo cannot be set to a logo that is not stored. Send the file to /console/logo.');
    });
  });
});
