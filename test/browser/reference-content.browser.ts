import { expect } from 'chai';
import { systemRandom } from '../../domain/random.ts';
import { createSignedHeaders, createSigningSecret } from '../../domain/webhooks/signature.ts';
import { foreignRequests, newPage, type ObservedPage, openReference, type Site, startSite } from './fixture.ts';

interface ServedDocument {
  paths: Record<string, Record<string, { operationId: string; summary: string }>>;
  webhooks?: Record<string, unknown>;
}

const fetchDocument = async ({ origin }: Site): Promise<ServedDocument> =>
  (await (await fetch(`${origin}/api/v2/openapi`)).json()) as ServedDocument;

const operationIds = ({ paths }: ServedDocument): string[] =>
  Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));

const attributeValues = ({ page }: ObservedPage, attribute: string): Promise<string[]> =>
  page.locator(`[${attribute}]`).evaluateAll((sections, name) => sections.map((section) => section.getAttribute(name) ?? ''), attribute);

describe('the reference page', () => {
  let site: Site;
  let observed: ObservedPage;
  before(async () => {
    site = await startSite();
    observed = await newPage();
  });
  after(async () => {
    await observed.close();
    await site.service.stop();
  });

  it('shows every served operation and event, in the text and in the navigation', async () => {
    const served = await fetchDocument(site);
    await openReference(observed.page, site.origin);
    expect(await attributeValues(observed, 'data-operation')).to.have.members(operationIds(served));
    expect(await attributeValues(observed, 'data-event')).to.deep.equal(Object.keys(served.webhooks ?? {}));
    const links = await observed.page
      .locator('nav a')
      .evaluateAll((all) => all.map((link) => (link as unknown as { hash: string }).hash.slice(1)));
    expect(links).to.include.members(operationIds(served));
  });

  it('sends requests to no other origin, and logs no error', async () => {
    expect(observed.requests).to.have.length.above(3);
    expect(foreignRequests(observed, site)).to.deep.equal([]);
    expect(observed.errors).to.deep.equal([]);
  });

  it('revalidates the contract on a reload, and gets 304', async () => {
    const statuses = (): string[] =>
      site.service.log.flatMap((line) => /"operation":"get_openapi","status":(\d+)/.exec(line)?.slice(1) ?? []);
    await openReference(observed.page, site.origin);
    const before = statuses().length;
    await observed.page.reload();
    await observed.page.waitForSelector('html[data-ready]');
    expect(statuses().slice(before)).to.deep.equal(['304']);
  });

  it('opens every fold of an operation without an error', async () => {
    const { page } = observed;
    // The content of a fold is created when it opens, and can contain further folds.
    const folds = page.locator('[data-operation=get_me] details:not([open])');
    while ((await folds.count()) > 0) await folds.evaluateAll((all) => all.forEach((fold) => fold.setAttribute('open', '')));
    await page.locator('[data-operation=get_me] .field-name', { hasText: 'RateLimit-Policy' }).first().waitFor();
    expect(await page.locator('[data-operation=get_me] .field-name').allTextContents()).to.include.members([
      'display_name',
      'edition',
      'RateLimit',
    ]);
    expect(observed.errors).to.deep.equal([]);
  });

  it('scrolls to the operation in the URL, and marks it in the navigation', async () => {
    const other = await newPage();
    await openReference(other.page, site.origin, '#post_payouts');
    await other.page.waitForSelector('nav a[href="#post_payouts"][aria-current]');
    const top = await other.page
      .locator('#post_payouts')
      .evaluate((heading) => (heading as unknown as { getBoundingClientRect(): { top: number } }).getBoundingClientRect().top);
    expect(top).to.be.within(0, 200);
    await other.close();
  });

  it('shows verification code that accepts deliveries of the service, and rejects changed, old and malformed ones', async () => {
    const code = await observed.page.getByLabel('Verify a delivery in Node.js', { exact: true }).textContent();
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

  it('shows markup in the contract as text', async () => {
    const hostile = '<img src=x onerror=alert(1)> [link](javascript:alert) `<b>`';
    const amended = await startSite({
      siteModule: { amendOpenapi: (document) => Object.assign(document, { info: { ...document.info, description: hostile } }) },
    });
    const other = await newPage();
    await openReference(other.page, amended.origin);
    expect(await other.page.locator('.lead').textContent()).to.equal('<img src=x onerror=alert(1)> link <b>');
    expect(await other.page.locator('.lead :is(img, a, b)').count()).to.equal(0);
    expect(other.errors).to.deep.equal([]);
    await other.close();
    await amended.service.stop();
  });
});

describe('the reference page of a free site', () => {
  it('shows no operation and no event of the pro edition', async () => {
    const site = await startSite({ edition: 'free' });
    const observed = await newPage();
    await openReference(observed.page, site.origin);
    const operations = await attributeValues(observed, 'data-operation');
    expect(operations).to.have.members(operationIds(await fetchDocument(site)));
    expect(operations).to.include('get_coupons').and.not.include('get_payouts');
    expect(await observed.page.locator('[data-event], .badge.edition').count()).to.equal(0);
    expect(observed.errors).to.deep.equal([]);
    await observed.close();
    await site.service.stop();
  });
});

describe('the reference page of a site whose contract is for administrators', () => {
  it('says so, and shows the contract after an administrator enters a key', async () => {
    const site = await startSite();
    await site.service.settings.set('openapi_public', false);
    const { page, close } = await newPage();
    await page.goto(`${site.origin}/docs`);
    await page.getByText('administrators only').waitFor();
    await page.getByRole('button', { name: /^Credentials/ }).click();
    await page.getByLabel('API key', { exact: true }).last().fill(site.token);
    await page.getByRole('button', { name: 'Use for calls' }).click();
    await page.waitForSelector('[data-operation=get_me]');
    await close();
    await site.service.stop();
  });
});
