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

describe('the reference page in development', () => {
  it('reloads when the served contract changes, and not in other environments', async () => {
    const [dev, local, observed] = [await startSite({ env: { ENVIRONMENT: 'development' } }), await startSite(), await newPage()];
    expect(await (await fetch(`${local.origin}/docs`)).text()).not.to.include('data-reload');
    const polled = observed.page.waitForResponse((response) => response.request().method() === 'HEAD');
    await openReference(observed.page, dev.origin);
    await polled;
    await dev.service.settings.set('switches.get_me', false);
    await observed.page.locator('[data-operation=get_me]').waitFor({ state: 'detached' });
    await observed.page.locator('[data-operation=get_coupons]').waitFor();
    await observed.close();
    await Promise.all([dev.service.stop(), local.service.stop()]);
  });
});

describe('the samples of the reference page', () => {
  it('call the typed client by its names, quote ids that are texts, and read the stream with curl alone', async () => {
    const [site, observed] = [await startSite(), await newPage()];
    for (const addOn of ['management', 'agents']) await site.service.settings.set(`addons.${addOn}`, true);
    const { page } = observed;
    await openReference(page, site.origin);
    const sampleOf = async (operation: string, tab: string): Promise<string | null> => {
      const section = page.locator(`[data-operation=${operation}]`);
      await section.getByRole('tab', { name: tab, exact: true }).click();
      return section.locator('.tabbed pre').first().textContent();
    };
    expect(await sampleOf('post_payout_runs', 'Typed client')).to.include('await api.payoutRuns.create({');
    expect(await sampleOf('post_webhooks_id_deliveries_delivery_replay', 'Typed client')).to.include("api.webhooks.replay(5, 'dlv_88')");
    expect(await sampleOf('get_events_stream', 'curl')).to.include('curl -N ');
    const stream = page.locator('[data-operation=get_events_stream]');
    expect(await stream.getByRole('tab', { name: 'JavaScript', exact: true }).count()).to.equal(0);
    await observed.close();
    await site.service.stop();
  });
});

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
    await openReference(observed.page, site.origin);
    await observed.page.reload();
    await observed.page.waitForSelector('html[data-ready]');
    const entry = await observed.page.evaluate<{ transferSize: number; encodedBodySize: number }>(
      `performance.getEntriesByName('${site.origin}/docs/openapi.json')[0].toJSON()`,
    );
    // A 304 transfers headers alone; the size of the body is that of the cached one.
    expect(entry.transferSize).to.be.below(2_000);
    expect(entry.encodedBodySize).to.be.above(10_000);
  });

  describe('searched', () => {
    const results = async (words: string): Promise<string[]> => {
      await observed.page.fill('#search', words);
      return observed.page.locator('nav .results li').allTextContents();
    };
    before(() => openReference(observed.page, site.origin));
    after(() => observed.page.fill('#search', ''));

    it('finds operations, parameters, fields, records, errors, events, headers, chapters and headings of guides, each by its words', async () => {
      const expected = {
        'request payout coupon unpaid balance': 'Request a payoutPOST /payoutsoperation',
        'after cursor events': 'after',
        'pending_order_commission cleared': 'pending_order_commissionCoupon',
        couponwithstats: 'CouponWithStats',
        'unpaid below minimum': 'svc_api_below_threshold400',
        'payout.reopened': 'payout.reopened',
        'x-svc-totalpages': 'X-Svc-TotalPages',
        'csrf identify yourself': 'Identify yourself',
        'python standard library': 'Python, standard library onlyReceive webhooksguide',
      };
      for (const [words, start] of Object.entries(expected))
        expect(
          (await results(words)).filter((text) => text.startsWith(start)),
          words,
        ).to.have.length.above(0);
      expect(await results('no such words at all')).to.deep.equal([]);
      await observed.page.getByText('No results.').waitFor();
    });

    it('opens the record of a field, and focuses the field', async () => {
      const { page } = observed;
      await results('unpaid_commission Coupon:');
      await page.locator('nav .results a[href="#schema-Coupon.unpaid_commission"]').click();
      await page.waitForFunction(`document.activeElement.id === 'schema-Coupon.unpaid_commission'`);
      expect(await page.locator('#schema-Coupon').getAttribute('open')).to.equal('');
    });

    it('moves through the results with the arrow keys, and shows the contents again after Escape', async () => {
      const { page } = observed;
      await results('payout');
      await page.locator('#search').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      expect(await page.evaluate(`document.activeElement.closest('li').previousElementSibling !== null`)).to.equal(true);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Escape');
      expect(await page.locator('nav .contents').isVisible()).to.equal(true);
    });

    it('leads to the heading of a guide, which needs no script', async () => {
      const other = await newPage({ javaScriptEnabled: false });
      await results('receive webhooks what to expect');
      const href = await observed.page.locator('nav .results a').first().getAttribute('href');
      await other.page.goto(`${site.origin}${href}`);
      expect(await other.page.locator(`[id="${href?.split('#')[1]}"]`).textContent()).to.equal('What to expect');
      await other.close();
    });
  });

  it('explains every error code, and links to the explanation from each operation', async () => {
    const { page } = observed;
    await openReference(page, site.origin);
    const served = JSON.stringify(await fetchDocument(site));
    const codes = [...new Set(served.match(/"(?:svc_api|rest)_\w+"/g))].map((code) => code.slice(1, -1));
    const explained = await page.locator('li[id^="error-"]').evaluateAll((all) => all.map((each) => [each.id.slice(6), each.textContent]));
    expect(explained.map(([code]) => code)).to.include.members(codes);
    for (const [code, text] of explained) expect(text, code ?? '').to.match(/\d{3}.{20,}/);
    await page.locator('[data-operation=post_payouts] .response > summary', { hasText: 'A parameter is invalid' }).click();
    await page.locator('[data-operation=post_payouts] .codes a', { hasText: 'svc_api_below_threshold' }).click();
    await page.waitForFunction(`document.activeElement.id === 'error-svc_api_below_threshold'`);
    expect(await page.locator('#error-svc_api_below_threshold').textContent())
      .to.include('below the minimum payout')
      .and.include('POST /payouts');
  });

  it('says what pro means, where an operation has the badge', async () => {
    await observed.page.locator('[data-operation=post_payouts] .badge.edition').click();
    await observed.page.waitForURL(/#edition$/);
    expect(await observed.page.locator('.chapter:has(#edition)').textContent()).to.include('nothing to buy');
  });

  it('lists the operations without JavaScript, with links to the whole contract as text', async () => {
    const other = await newPage({ javaScriptEnabled: false });
    await other.page.goto(`${site.origin}/docs`);
    expect(await other.page.locator('main li code').allTextContents()).to.have.length(operationIds(await fetchDocument(site)).length);
    expect(await other.page.getByText('Reading the contract').isVisible()).to.equal(false);
    await other.page.getByRole('link', { name: 'Request a payout' }).click();
    await other.page.waitForURL(/\/docs\/text#post_payouts$/);
    expect(await other.page.locator('main').textContent())
      .to.include('Idempotency-Key')
      .and.include('Wait until the unpaid commission reaches');
    await other.close();
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

  it('says within its own layout that the service cannot be reached, and shows the contract once it can', async () => {
    const { page, close } = await newPage();
    await page.route('**/docs/openapi.json', (route) => route.abort());
    await page.goto(`${site.origin}/docs`);
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await page.locator('nav .brand').isVisible()).to.equal(true);
    expect(await page.locator('nav').getByRole('link', { name: 'Write a client' }).isVisible()).to.equal(true);
    await page.unroute('**/docs/openapi.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('[data-operation=get_me]');
    await close();
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
    expect(await page.locator('nav').getByRole('button', { name: 'Switch to dark colours' }).isVisible()).to.equal(true);
    await page.getByRole('button', { name: 'Enter a credential' }).click();
    await page.getByLabel('API key', { exact: true }).last().fill(site.token);
    await page.getByRole('button', { name: 'Use for calls' }).click();
    await page.waitForSelector('[data-operation=get_me]');
    await close();
    await site.service.stop();
  });
});
