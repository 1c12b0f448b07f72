import { expect } from 'chai';
import { systemRandom } from '../../domain/random.ts';
import { createSignedHeaders, createSigningSecret } from '../../domain/webhooks/signature.ts';
import { openStore, type Store } from './store.ts';
import { openReference, type WatchedPage, watchedPage } from './watched-page.ts';

interface Served {
  paths: Record<string, Record<string, { operationId: string; summary: string }>>;
  webhooks?: Record<string, unknown>;
}

const servedBy = async ({ origin }: Store): Promise<Served> => (await (await fetch(`${origin}/api/v2/openapi`)).json()) as Served;

const operationsOf = ({ paths }: Served): string[] =>
  Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));

const shown = ({ page }: WatchedPage, attribute: string): Promise<string[]> =>
  page.locator(`[${attribute}]`).evaluateAll((sections, name) => sections.map((section) => section.getAttribute(name) ?? ''), attribute);

describe('the reference page', () => {
  let store: Store;
  let watched: WatchedPage;
  before(async () => {
    store = await openStore();
    watched = await watchedPage();
  });
  after(async () => {
    await watched.close();
    await store.service.stop();
  });

  it('shows every operation and every event that is served, in words and in the navigation', async () => {
    const served = await servedBy(store);
    await openReference(watched.page, store.origin);
    expect(await shown(watched, 'data-operation')).to.have.members(operationsOf(served));
    expect(await shown(watched, 'data-event')).to.deep.equal(Object.keys(served.webhooks ?? {}));
    const links = await watched.page
      .locator('nav a')
      .evaluateAll((all) => all.map((link) => (link as unknown as { hash: string }).hash.slice(1)));
    expect(links).to.include.members(operationsOf(served));
  });

  it('asks nobody but the service, and has nothing to complain about', async () => {
    expect(watched.requests).to.have.length.above(3);
    expect(watched.requests.filter((address) => new URL(address).origin !== store.origin)).to.deep.equal([]);
    expect(watched.complaints).to.deep.equal([]);
  });

  it('gets the contract over the wire once: on a reload it hears that nothing has changed', async () => {
    const statuses = (): string[] =>
      store.service.log.flatMap((line) => /"operation":"get_openapi","status":(\d+)/.exec(line)?.slice(1) ?? []);
    await openReference(watched.page, store.origin);
    const before = statuses().length;
    await watched.page.reload();
    await watched.page.waitForSelector('html[data-ready]');
    expect(statuses().slice(before)).to.deep.equal(['304']);
  });

  it('opens every fold of an operation without a complaint', async () => {
    const { page } = watched;
    // What a fold holds is made when it opens, and may have folds of its own.
    const folds = page.locator('[data-operation=get_me] details:not([open])');
    while ((await folds.count()) > 0) await folds.evaluateAll((all) => all.forEach((fold) => fold.setAttribute('open', '')));
    await page.locator('[data-operation=get_me] .field-name', { hasText: 'RateLimit-Policy' }).first().waitFor();
    expect(await page.locator('[data-operation=get_me] .field-name').allTextContents()).to.include.members([
      'display_name',
      'edition',
      'RateLimit',
    ]);
    expect(watched.complaints).to.deep.equal([]);
  });

  it('leads to an operation by its address, and marks it in the navigation', async () => {
    const other = await watchedPage();
    await openReference(other.page, store.origin, '#post_payouts');
    await other.page.waitForSelector('nav a[href="#post_payouts"][aria-current]');
    const top = await other.page
      .locator('#post_payouts')
      .evaluate((heading) => (heading as unknown as { getBoundingClientRect(): { top: number } }).getBoundingClientRect().top);
    expect(top).to.be.within(0, 200);
    await other.close();
  });

  it('shows a receiver that believes deliveries of the service, and no others', async () => {
    const code = await watched.page.getByLabel('Verify a delivery in Node.js', { exact: true }).textContent();
    const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code ?? '')}`)) as {
      isGenuine: (body: string, header: string, secret: string) => boolean;
    };
    const [secret, body] = [createSigningSecret(systemRandom), '{"id":"dlv_1"}'];
    const signature = (now: number): string =>
      createSignedHeaders({ secret, deliveryId: 'dlv_1', event: 'ping', body, now })['X-Svc-Signature'] ?? '';
    expect(isGenuine(body, signature(Date.now()), secret)).to.equal(true);
    expect(isGenuine(`${body} `, signature(Date.now()), secret)).to.equal(false);
    expect(isGenuine(body, signature(Date.now() - 600_000), secret)).to.equal(false);
    expect(isGenuine(body, 't=1,v1=short', secret)).to.equal(false);
  });

  it('shows text of a contract as text, whatever markup it holds', async () => {
    const hostile = '<img src=x onerror=alert(1)> [link](javascript:alert) `<b>`';
    const amended = await openStore({
      siteModule: { amendOpenapi: (document) => Object.assign(document, { info: { ...document.info, description: hostile } }) },
    });
    const other = await watchedPage();
    await openReference(other.page, amended.origin);
    expect(await other.page.locator('.lead').textContent()).to.equal('<img src=x onerror=alert(1)> link <b>');
    expect(await other.page.locator('.lead :is(img, a, b)').count()).to.equal(0);
    expect(other.complaints).to.deep.equal([]);
    await other.close();
    await amended.service.stop();
  });
});

describe('the reference page of a free site', () => {
  it('shows no operation and no event of the pro edition', async () => {
    const store = await openStore({ edition: 'free' });
    const watched = await watchedPage();
    await openReference(watched.page, store.origin);
    const operations = await shown(watched, 'data-operation');
    expect(operations).to.have.members(operationsOf(await servedBy(store)));
    expect(operations).to.include('get_coupons').and.not.include('get_payouts');
    expect(await watched.page.locator('[data-event], .badge.edition').count()).to.equal(0);
    expect(watched.complaints).to.deep.equal([]);
    await watched.close();
    await store.service.stop();
  });
});

describe('the reference page of a site that gives its contract to administrators', () => {
  it('says so, and shows it to one who identifies herself', async () => {
    const store = await openStore();
    await store.service.settings.set('openapi_public', false);
    const { page, close } = await watchedPage();
    await page.goto(`${store.origin}/docs`);
    await page.getByText('administrators only').waitFor();
    await page.getByRole('button', { name: /^Credentials/ }).click();
    await page.getByLabel('API key', { exact: true }).last().fill(store.token);
    await page.getByRole('button', { name: 'Use for calls' }).click();
    await page.waitForSelector('[data-operation=get_me]');
    await close();
    await store.service.stop();
  });
});
