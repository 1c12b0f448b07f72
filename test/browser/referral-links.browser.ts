import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { coupon } from '../support/program.ts';
import type { TestClock } from '../support/service.ts';
import { newPage, type ObservedPage, type Site, startSite } from './fixture.ts';

interface Referral {
  coupon: string | null;
  visitor: string | null;
  campaign: string | null;
}

const nothing: Referral = { coupon: null, visitor: null, campaign: null };

const cookieIn = ({ headers }: IncomingMessage): Partial<Referral> =>
  JSON.parse(decodeURIComponent(/affiliate=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? '{}')) as Partial<Referral>;

/** A shop on another site than the service: every page has the tag, and `/buy` sends an order, as the server of a shop does. */
class Shop {
  readonly #server: Server;
  readonly #site: Site;
  /** Of the tag. */
  attributes = '';
  tags = 1;
  /** Header fields of its pages. */
  headers: Record<string, string> = {};
  orders = 0;

  private constructor(site: Site) {
    this.#site = site;
    this.#server = createServer(async (request, response) => {
      if (request.url === '/buy') await this.#sendOrder(cookieIn(request));
      const thirdParty = { 'Set-Cookie': 'third=1; SameSite=None; Secure' };
      response.writeHead(200, { 'Content-Type': 'text/html', ...(request.url === '/third' ? thirdParty : this.headers) });
      response.end(`<!doctype html><title>Shop</title><link rel="icon" href="data:,">
        ${`<script src="${site.origin}/affiliate.js" ${this.attributes}></script>`.repeat(this.tags)}`);
    });
  }

  static async open(site: Site): Promise<Shop> {
    const shop = new Shop(site);
    await new Promise<void>((resolve) => {
      shop.#server.listen(0, resolve);
    });
    return shop;
  }

  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #sendOrder({ visitor }: Partial<Referral>): Promise<void> {
    const { origin, token, service } = this.#site;
    this.orders += 1;
    const date = new Date(service.clock.now()).toISOString().slice(0, 19).replace('T', ' ');
    const order = { order_id: this.orders, date, status: 'completed', total: 100, ...(visitor && { visitor }) };
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    await fetch(`${origin}/api/v2/store/orders`, { method: 'POST', body: JSON.stringify([order]), headers });
  }
}

const referralOn = (page: Page): Promise<Referral> =>
  page.evaluate('(({ coupon, visitor, campaign }) => ({ coupon, visitor, campaign }))(affiliate)');

const giveConsent = (page: Page): Promise<void> => page.evaluate('affiliate.consent()');

const shopCookie = async (context: BrowserContext) => (await context.cookies()).find(({ name }) => name === 'affiliate');

describe('a shop with the script of the service', () => {
  let site: Site;
  let shop: Shop;
  let couponId: number;
  let observed: ObservedPage;

  const read = async (path: string) =>
    (await fetch(`${site.origin}/api/v2${path}`, { headers: { Authorization: `Bearer ${site.token}` } })).json();
  const countClicks = async (): Promise<number> => {
    await site.service.flush();
    return ((await read(`/clicks/stats?coupon_id=${couponId}`)) as { clicks: number }).clicks;
  };
  const lastOrder = async () => ((await read(`/coupons/${couponId}/orders`)) as { order_id: number }[])[0];
  /** Waits for the click that the page sends. */
  const withClick = async (work: () => Promise<unknown>): Promise<void> => {
    const sent = observed.page.waitForResponse((response) => response.url().endsWith('/track/click'));
    await work();
    expect((await sent).status()).to.equal(204);
  };
  const sentClicks = (): string[] => observed.requests.filter((url) => url.includes('/track/'));

  before(async () => {
    site = await startSite();
    shop = await Shop.open(site);
    const { service } = site;
    for (const [path, value] of [
      ['addons.store', true],
      ['service.url', site.origin],
      ['store.url', shop.origin],
    ] as const)
      await service.settings.set(path, value);
    couponId = await coupon(service, 'TRAIL10', { userId: (await service.user('trail', 'affiliate')).id });
  });
  beforeEach(async () => {
    shop.attributes = '';
    shop.tags = 1;
    shop.headers = {};
    // All clicks come from one address.
    (site.service.clock as TestClock).advance(61);
    observed = await newPage();
  });
  afterEach(() => observed.close());
  after(async () => {
    shop.close();
    await site.service.stop();
  });

  it('credits the order of a visitor who followed a referral link', async () => {
    const { page } = observed;
    const { referral_url: link } = (await read(`/coupons/${couponId}`)) as { referral_url: string };
    expect(link).to.equal(`${site.origin}/r/TRAIL10`);
    await page.goto(`${link}?to=/tents&campaign=autumn`);
    expect(new URL(page.url()).pathname).to.equal('/tents');
    const referral = await referralOn(page);
    expect(referral).to.deep.equal({
      coupon: 'TRAIL10',
      visitor: new URL(page.url()).searchParams.get('aff_visitor'),
      campaign: 'autumn',
    });
    const cookie = await shopCookie(page.context());
    expect(cookie).to.include({ domain: 'localhost', path: '/', sameSite: 'Lax', httpOnly: false });
    expect(JSON.parse(decodeURIComponent(cookie?.value ?? ''))).to.deep.equal(referral);
    expect((cookie?.expires ?? 0) - Date.now() / 1000).to.be.within(29 * 86_400, 30 * 86_400);
    await page.goto(`${shop.origin}/tents/2`);
    expect(await referralOn(page)).to.deep.equal(referral);
    await page.goto(`${shop.origin}/buy`);
    expect(await lastOrder()).to.include({ commission: 10, credited_via: 'referral_link', campaign: 'autumn' });
    expect(await countClicks()).to.equal(1);
    expect([sentClicks(), observed.errors]).to.deep.equal([[], []]);
  });

  it("sends the click itself for the shop's own links, and recognises the visitor", async () => {
    const { page } = observed;
    const before = await countClicks();
    await withClick(() => page.goto(`${shop.origin}/?ref=trail10`));
    const { visitor } = await referralOn(page);
    expect(visitor).to.match(/^[0-9a-f]{32}$/);
    (site.service.clock as TestClock).advance(1);
    await withClick(() => page.goto(`${shop.origin}/tents?ref=TRAIL10&campaign=mail`));
    expect(await referralOn(page)).to.deep.equal({ coupon: 'TRAIL10', visitor, campaign: 'mail' });
    expect(await countClicks()).to.equal(before + 2);
    await page.goto(`${shop.origin}/buy`);
    expect(await lastOrder()).to.include({ order_id: shop.orders, credited_via: 'referral_link', campaign: 'mail' });
    expect(observed.errors).to.deep.equal([]);
  });

  it('stores and sends nothing before consent where the tag requires it', async () => {
    const { page } = observed;
    shop.attributes = 'data-consent="required"';
    const before = await countClicks();
    await page.goto(`${shop.origin}/?ref=TRAIL10`, { waitUntil: 'networkidle' });
    expect(await referralOn(page)).to.deep.equal(nothing);
    expect([await page.context().cookies(), sentClicks(), await countClicks()]).to.deep.equal([[], [], before]);
    await withClick(() => giveConsent(page));
    expect(await referralOn(page)).to.include({ coupon: 'TRAIL10' });
    expect(await shopCookie(page.context())).to.include({ domain: 'localhost' });
    await giveConsent(page);
    expect(await countClicks()).to.equal(before + 1);
    await page.goto(`${shop.origin}/tents`);
    expect(await referralOn(page)).to.deep.equal(nothing);
    await giveConsent(page);
    expect(await referralOn(page)).to.include({ coupon: 'TRAIL10' });
  });

  it('credits the link by which the page was opened, also where consent follows another page of the same document', async () => {
    const { page } = observed;
    shop.attributes = 'data-consent="required"';
    await page.goto(`${shop.origin}/?ref=TRAIL10&campaign=spa`);
    await page.evaluate("history.pushState(null, '', '/tents')");
    await withClick(() => giveConsent(page));
    expect(await referralOn(page)).to.include({ coupon: 'TRAIL10', campaign: 'spa' });
  });

  it('counts one click of a page that has the tag twice', async () => {
    const { page } = observed;
    shop.tags = 2;
    const before = await countClicks();
    await withClick(() => page.goto(`${shop.origin}/?ref=TRAIL10`, { waitUntil: 'networkidle' }));
    expect([sentClicks().length, await countClicks()]).to.deep.equal([1, before + 1]);
    expect(JSON.parse(decodeURIComponent((await shopCookie(page.context()))?.value ?? ''))).to.deep.equal(await referralOn(page));
  });

  it('cuts no character of a campaign in half', async () => {
    const { page } = observed;
    const before = await countClicks();
    await withClick(() => page.goto(`${shop.origin}/?ref=TRAIL10&campaign=a${encodeURIComponent('😀'.repeat(100))}`));
    expect((await referralOn(page)).campaign).to.equal(`a${'😀'.repeat(99)}`);
    expect([await countClicks(), (await shopCookie(page.context()))?.name]).to.deep.equal([before + 1, 'affiliate']);
    await page.goto(`${site.origin}/r/TRAIL10?campaign=${encodeURIComponent('😀'.repeat(100))}`);
    expect((await referralOn(page)).campaign).to.equal('😀'.repeat(100));
  });

  it('sends the click and offers the referral where the browser blocks all cookies', async () => {
    const { page } = observed;
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setDocumentCookieDisabled', { disabled: true });
    await withClick(() => page.goto(`${shop.origin}/?ref=TRAIL10`));
    expect(await referralOn(page)).to.include({ coupon: 'TRAIL10' });
    expect([await shopCookie(page.context()), observed.errors]).to.deep.equal([undefined, []]);
  });

  it('stores and sends nothing with Global Privacy Control', async () => {
    const { page } = observed;
    await page.addInitScript(`Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })`);
    for (const path of ['/?ref=TRAIL10', '/?ref=TRAIL10&aff_visitor=0123456789abcdef']) {
      await page.goto(`${shop.origin}${path}`, { waitUntil: 'networkidle' });
      await giveConsent(page);
      expect(await referralOn(page)).to.deep.equal(nothing);
    }
    expect([await page.context().cookies(), sentClicks()]).to.deep.equal([[], []]);
  });

  it('works where cookies of third parties are blocked, because the service sets none', async () => {
    const { page } = observed;
    const thirdParty = `http://127.0.0.1:${new URL(shop.origin).port}/third`;
    const loadThirdParty = () => page.evaluate(`fetch('${thirdParty}', { credentials: 'include', mode: 'no-cors' }).then(() => {})`);
    const domains = async (): Promise<string[]> => (await page.context().cookies()).map(({ domain }) => domain);
    await page.goto(thirdParty);
    expect(await domains()).to.deep.equal(['127.0.0.1']);
    await page.context().clearCookies();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.setCookieControls' as 'Network.enable', { enableThirdPartyCookieRestriction: true } as never);
    await page.goto(`${site.origin}/r/TRAIL10`);
    await loadThirdParty();
    expect(await domains()).to.deep.equal(['localhost']);
    await page.goto(`${shop.origin}/buy`);
    expect(await lastOrder()).to.include({ order_id: shop.orders, credited_via: 'referral_link' });
  });

  it('works under a content security policy that allows nothing but the service', async () => {
    const { page } = observed;
    shop.headers = {
      'Content-Security-Policy': `default-src 'none'; img-src data:; script-src ${site.origin}; connect-src ${site.origin}`,
      'Cross-Origin-Embedder-Policy': 'require-corp',
    };
    const before = await countClicks();
    await withClick(() => page.goto(`${shop.origin}/?ref=TRAIL10`));
    expect(await countClicks()).to.equal(before + 1);
    await page.goto(`${shop.origin}/buy`);
    expect(await lastOrder()).to.include({ order_id: shop.orders, credited_via: 'referral_link' });
    expect(observed.errors).to.deep.equal([]);
  });

  it('does not break where the page forbids the script to send, or the address is hostile', async () => {
    const { page } = observed;
    shop.headers = { 'Content-Security-Policy': `script-src ${site.origin}; connect-src 'self'` };
    await page.goto(`${shop.origin}/?ref=TRAIL10`, { waitUntil: 'networkidle' });
    expect(await referralOn(page)).to.include({ coupon: 'TRAIL10' });
    await page.context().addCookies([{ name: 'affiliate', value: 'null', url: shop.origin }]);
    const hostile = `${'x'.repeat(300)}&aff_visitor=;Domain=evil&campaign=%0d%0aSet-Cookie:a`;
    await page.goto(`${shop.origin}/?ref=${hostile}`, { waitUntil: 'networkidle' });
    expect(await referralOn(page)).to.deep.equal(nothing);
    await page.goto(`${shop.origin}/?ref=;Domain=evil.example;&aff_visitor=;Path=/x`, { waitUntil: 'networkidle' });
    expect((await referralOn(page)).visitor).to.match(/^[0-9a-f]{32}$/);
    expect(await page.context().cookies()).to.have.length(1);
    expect(observed.errors.filter((error) => error.startsWith('uncaught'))).to.deep.equal([]);
  });

  it('is where every link leads, whatever `to` says, also when the address has made too many clicks', async () => {
    const { page } = observed;
    const before = await countClicks();
    const flood = Array.from({ length: 40 }, () => page.request.get(`${site.origin}/r/TRAIL10`, { maxRedirects: 0 }));
    await Promise.all(flood);
    for (const to of [
      '//evil.example',
      '/\\evil.example',
      '/%09/evil.example',
      'https:evil.example',
      '@evil.example',
      '/%5C/evil.example',
    ]) {
      await page.goto(`${site.origin}/r/TRAIL10?to=${to}`);
      const { origin, pathname } = new URL(page.url());
      expect([origin, pathname], to).to.deep.equal([shop.origin, '/']);
    }
    expect(await countClicks()).to.equal(before + 30);
  });
});
