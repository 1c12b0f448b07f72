/** Attacks on the pages for people without a session. The counts are those of the tables below. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { mailsOf } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { PageVisitor } from '../support/page-visitor.ts';
import { startService, TestClock } from '../support/service.ts';

const serviceUrl = 'https://partners.fjell.example';
const application = { display_name: 'Ann', email: 'ann@example.com', website: '', promote: '', coupon_code: 'ANN10' };

/** Every form, with fields that would succeed. */
const forms: Record<string, Record<string, string>> = {
  '/apply': application,
  '/forgot-password': { name: 'known' },
  '/sign-in': { login: 'known', password: 'correct horse battery' },
};

const lineBreaks = ['\r\n', '\n', '\r', '\u2028', '\u0085', '\0', '%0d%0a'];

const injections = lineBreaks.flatMap((lineBreak) => [
  { display_name: `Ann${lineBreak}Bcc: everyone@example.com` },
  { email: `ann@example.com${lineBreak}Bcc: everyone@example.com` },
  { email: `ann${lineBreak}@example.com` },
  { coupon_code: `ANN${lineBreak}Subject: win` },
]);

const recipients = [
  'ann@example.com, bob@example.com',
  'ann@example.com;bob@example.com',
  '<ann@example.com> bob@example.com',
  '"ann" <ann@example.com>',
  'ann@example.com(comment)',
  'ann@[127.0.0.1]',
  'ann@localhost',
  '@example.com',
  'ann@@example.com',
];

onAnyEngine((engine) => {
  describe('the pages for people without a session', () => {
    const clock = suiteFixture(async () => new TestClock());
    const service = suiteFixture(() => startService(engine, { clock, env: { TRUSTED_PROXIES: '127.0.0.1' } }));
    let address = 0;
    before(async () => {
      await service.user('known', 'affiliate', { password: 'correct horse battery' });
      await service.settings.set('registration.open', true);
      await service.settings.set('service.url', serviceUrl);
      await service.settings.set('lockout.max_failures', 0);
    });
    // A visitor of another address, in another hour: no limit interferes.
    const visit = async (path: string, headers: Record<string, string> = {}): Promise<PageVisitor> => {
      address += 1;
      clock.advance(3700);
      const forwarded = { 'X-Forwarded-For': `198.51.${address >> 8}.${address & 255}`, 'X-Forwarded-Proto': 'https' };
      const visitor = new PageVisitor(service.origin, { ...forwarded, ...headers });
      await visitor.open(path);
      clock.advance(4);
      return visitor;
    };

    it('take no form of another site: 18 forged posts, of which each lacks something that a browser adds', async () => {
      const before = (await mailsOf(service)).length;
      for (const [path, fields] of Object.entries(forms)) {
        const forgeries: ((visitor: PageVisitor) => Promise<{ status: number }>)[] = [
          (visitor) => visitor.submit({ ...fields, form_token: '' }),
          (visitor) => visitor.submit({ ...fields, form_token: 'A'.repeat(32) }),
          (visitor) => {
            delete visitor.cookies['__Host-svc_form'];
            return visitor.submit(fields);
          },
          // Neither cookie nor token: two empty texts are no proof.
          (visitor) => {
            delete visitor.cookies['__Host-svc_form'];
            return visitor.submit({ ...fields, form_token: '' });
          },
          (visitor) => visitor.submit(fields, { 'Sec-Fetch-Site': 'cross-site' }),
          // A sibling domain can plant the cookie, but not the header.
          (visitor) => {
            visitor.cookies['__Host-svc_form'] = 'planted';
            return visitor.submit({ ...fields, form_token: 'planted' }, { 'Sec-Fetch-Site': 'same-site' });
          },
        ];
        for (const forge of forgeries) {
          const visitor = await visit(path);
          expect((await forge(visitor)).status, path).to.equal(403);
          expect(visitor.cookies, path).not.to.have.property('__Host-svc_session');
        }
      }
      await service.flush();
      expect((await mailsOf(service)).length).to.equal(before);
    });

    it('cannot be framed, cached, or leak their address: 5 pages', async () => {
      for (const path of [...Object.keys(forms), '/set-password?token=secret', '/confirm-application?token=secret']) {
        const { page } = await visit(path);
        expect(page.headers.get('X-Frame-Options'), path).to.equal('DENY');
        expect(page.headers.get('Content-Security-Policy'), path)
          .to.include("frame-ancestors 'none'")
          .and.include("default-src 'none'")
          .and.include("form-action 'self'");
        expect(page.headers.get('Referrer-Policy'), path).to.equal(path.includes('token=') ? 'no-referrer' : 'same-origin');
        expect(page.headers.get('Cache-Control'), path).to.equal('no-store');
        expect(page.html, path).not.to.match(/secret|<script|https?:\/\/(?!partners)/);
      }
    });

    it(`add no header and no recipient to a mail: ${injections.length + recipients.length} injections`, async () => {
      const before = (await mailsOf(service)).length;
      for (const fields of [...injections, ...recipients.map((email) => ({ email }))]) {
        const visitor = await visit('/apply');
        await visitor.submit({ ...application, ...fields });
        await service.flush();
      }
      for (const { headers } of (await mailsOf(service)).slice(before)) {
        expect([...headers.keys()].toSorted()).to.deep.equal(
          ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].toSorted(),
        );
        expect(headers.get('to')).to.match(/^ann(%0d%0a)?@example\.com$/);
      }
    });

    it('put no other host into a link: 6 headers that name one', async () => {
      const before = (await mailsOf(service)).length;
      const names = ['Host', 'X-Forwarded-Host', 'X-Host', 'X-Original-Host', 'Forwarded', 'X-Forwarded-Server'];
      for (const name of names) {
        const visitor = await visit('/forgot-password', { [name]: name === 'Forwarded' ? 'host=evil.example' : 'evil.example' });
        await visitor.submit({ name: 'known' });
        await service.flush();
      }
      const sent = (await mailsOf(service)).slice(before);
      expect(sent).to.have.length(names.length);
      for (const { parts } of sent) expect(JSON.stringify(parts)).to.include(`${serviceUrl}/set-password`).and.not.to.include('evil');
    });

    it('accept no guessed token: 150 guesses', async () => {
      const statuses = new Set<number>();
      for (let at = 0; at < 50; at += 1) {
        const token = randomBytes(32).toString('base64url');
        for (const path of ['/set-password', '/confirm-application', '/setup'])
          statuses.add((await new PageVisitor(service.origin).open(`${path}?token=${token}`)).status);
      }
      expect([...statuses]).to.deep.equal([404]);
    });

    it('start a session under a new secret, whatever cookie the browser had', async () => {
      const visitor = await visit('/sign-in');
      visitor.cookies['__Host-svc_session'] = 'planted-by-another-site';
      await visitor.open('/sign-in');
      await visitor.submit(forms['/sign-in'] ?? {});
      expect(visitor.cookies['__Host-svc_session']).to.match(/^[\w-]{43}$/);
    });

    it('show what people wrote as text: 3 scripts', async () => {
      for (const text of ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "'--><svg/onload=alert(1)>"]) {
        const visitor = await visit('/apply');
        const { html } = await visitor.submit({ ...application, display_name: text, promote: text, coupon_code: text });
        expect(html).not.to.match(/<script>|<img|<svg/);
      }
    });
  });
});
