import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { pdf } from '../support/invoices.ts';
import { earn } from '../support/payouts.ts';
import { coupon } from '../support/program.ts';
import {
  type ConsoleSite,
  changeSetting,
  checkAllPages,
  checkPage,
  downloadLines,
  figure,
  openConsole,
  signIn,
  startConsoleSite,
  visit,
  waitUntilShown,
} from './console-site.ts';
import { foreignRequests, newPage, type ObservedPage } from './fixture.ts';

const titles = (observed: ObservedPage): Promise<string[]> => observed.page.locator('#navigation li').allTextContents();

describe('the console of an affiliate', () => {
  let site: ConsoleSite;
  let own: ObservedPage;
  before(async () => {
    site = await startConsoleSite();
    own = await openConsole(site, 'affiliate');
  });
  after(async () => {
    await own.close();
    await site.service.stop();
  });
  beforeEach(() => void own.errors.splice(0));

  it('shows the first chart after at most 6 requests, none of them to another site', async () => {
    const fresh = await newPage();
    await fresh.page.goto(`${site.origin}/sign-in?to=/console`);
    await signIn(fresh.page, 'affiliate');
    await fresh.page.waitForSelector('canvas');
    const sent = fresh.requests.slice(fresh.requests.lastIndexOf(`${site.origin}/console`));
    const chart = sent.findIndex((url) => /affiliates\/\d+\/stats\?.*interval/.test(url));
    expect(chart + 1).to.be.within(4, 6);
    expect(foreignRequests(fresh, site)).to.deep.equal([]);
    await fresh.close();
  });

  it('has pages that fit a phone, are accessible and break no policy', async () => {
    expect(await titles(own)).to.deep.equal(['Overview', 'Orders', 'Payouts', 'Clicks', 'Account']);
    await checkAllPages(own, site);
  });

  it('shows the balances and figures that the API has, and follows the range in the address', async () => {
    const { body } = await site.affiliateClient.get(`/affiliates/${site.affiliate.id}/stats`);
    await visit(own, site, '/console?range=all');
    expect(await figure(own.page, 'Commission')).to.equal(`€${body.totals.total_commission.toFixed(2)}`);
    expect(await figure(own.page, 'Available')).to.equal(`€${body.totals.unpaid_commission.toFixed(2)}`);
    await own.page.getByRole('link', { name: '7 days' }).click();
    await own.page.waitForURL(/range=7d/);
    await waitUntilShown(own.page);
    expect(await figure(own.page, 'Orders')).to.equal('2');
    await own.page.getByText('Changes compare with the period before').waitFor();
    await own.page.goBack();
    await own.page.waitForURL(/range=all/);
    // Everything has no period before it.
    await own.page.getByText('Changes compare with the period before').waitFor({ state: 'detached' });
    await waitUntilShown(own.page);
    expect(await figure(own.page, 'Orders')).to.equal('25');
  });

  it('shows coupons with rate, link, copy button and QR code', async () => {
    await visit(own, site, '/console');
    await own.page.getByLabel('Coupon', { exact: true }).selectOption('TRAIL10');
    const card = own.page.getByRole('article', { name: 'Coupon TRAIL10' });
    expect(await card.textContent())
      .to.include('You earn 10% of the goods')
      .and.include('ref=TRAIL10');
    await card.getByRole('button', { name: 'Copy the referral link of TRAIL10' }).click();
    await card.getByText('Copied').waitFor();
    await card.getByRole('button', { name: 'Show the QR code' }).click();
    await card.getByRole('img', { name: /QR code of .*ref=TRAIL10/ }).waitFor();
  });

  it('filters orders in the address and saves them as CSV', async () => {
    await visit(own, site, `/console/orders?coupon=${site.couponId}&range=all`);
    await own.page.getByText('25 orders').waitFor();
    await own.page.getByRole('link', { name: 'Next' }).click();
    await own.page.getByText('Page 2 of 2').waitFor();
    await visit(own, site, `/console/orders?coupon=${site.couponId}&range=all&page=9`);
    await own.page.getByText('There is no page 9. Show the last page, 2').waitFor();
    expect(await own.page.getByText('No order matches.').count()).to.equal(0);
    await own.page.getByRole('link', { name: 'Show the last page, 2' }).click();
    await own.page.getByText('Page 2 of 2').waitFor();
    const lines = await downloadLines(own.page, own.page.getByRole('button', { name: 'Download Orders as CSV' }));
    expect(lines).to.have.length(26);
    expect(lines[0]).to.include('Order,Coupon,Date,Status');
    await own.page.getByLabel('Order status').selectOption('refunded');
    await own.page.getByText('No order matches.').waitFor();
    expect(own.page.url()).to.include('status=refunded').and.not.include('page=');
  });

  it('keeps page, filter and search of a list on the way back and forth', async () => {
    const { page } = own;
    await visit(own, site, '/console/orders?range=all');
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor();
    await page.getByLabel('Order status').selectOption('refunded');
    await page.getByText('No order matches.').waitFor();
    await page.goBack();
    await page.getByText('Page 2 of 2').waitFor();
    await waitUntilShown(page);
    expect(new URL(page.url()).search).to.equal('?range=all&page=2');
    await page.goForward();
    await page.getByText('No order matches.').waitFor();
    await page.goBack();
    await page.getByText('Page 2 of 2').waitFor();
    // One step, however many letters, the last of which is applied when the field is left.
    await page.getByLabel('Order number or coupon code').fill('TRAIL');
    await page.getByText('No order matches.').waitFor();
    await page.getByLabel('Order number or coupon code').fill('TRAIL10');
    await page.keyboard.press('Tab');
    await page.getByText('Page 1 of 2').waitFor();
    await page.goBack();
    await page.getByText('Page 2 of 2').waitFor();
    expect(await page.getByLabel('Order number or coupon code').inputValue()).to.equal('');
    expect(new URL(page.url()).search).to.equal('?range=all&page=2');
  });

  it('shows no figure beside a range that it does not belong to, and applies the days that are typed', async () => {
    const { page } = own;
    await visit(own, site, '/console');
    const sales = page.locator('.figure', { has: page.locator('dt', { hasText: /^Sales$/ }) });
    await sales.waitFor();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/stats?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('link', { name: '90 days' }).click();
    await sales.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('90 days');
    release();
    await sales.waitFor();
    await page.unroute('**/stats?*');
    await page.getByRole('button', { name: 'Custom dates' }).click();
    await page.getByLabel('From').fill('2026-01-31');
    await page.getByRole('heading', { name: 'Overview' }).click();
    await page.waitForURL(/from=2026-01-31/);
  });

  it('counts the clicks of one campaign, which the address and the page name', async () => {
    const { page } = own;
    const requests = () => own.requests.filter((url) => url.includes('/clicks?')).length;
    await visit(own, site, '/console/clicks');
    expect(await figure(page, 'Clicks')).to.equal('10');
    const before = requests();
    await page.getByLabel('Campaign').pressSequentially('spring');
    await page.getByText('Only clicks of the campaign “spring” are counted.').waitFor();
    expect(page.url()).to.equal(`${site.origin}/console/clicks?campaign=spring`);
    expect(await figure(page, 'Clicks')).to.equal('5');
    // The range and the period before it.
    expect(requests() - before).to.equal(2);
    await checkPage(own);
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(375);
    await page.getByLabel('Coupon', { exact: true }).selectOption('TRAIL10');
    await page.waitForURL(/campaign=spring&coupon=/);
    await page.getByText('Only clicks of the campaign “spring” are counted.').waitFor();
    expect(await figure(page, 'Clicks')).to.equal('5');
  });

  it('says that a campaign has no clicks, until the campaign is cleared', async () => {
    const { page } = own;
    await visit(own, site, '/console/clicks?campaign=%D7%A1%D7%AA%D7%99%D7%95%20<b>');
    await page.getByText('No clicks of the campaign “סתיו <b>” in this range.').waitFor();
    expect(await page.locator('.figure').count()).to.equal(0);
    expect(await page.getByLabel('Campaign').inputValue()).to.equal('סתיו <b>');
    await checkPage(own);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByText('No clicks of the campaign “סתיו <b>”.').waitFor();
    await page.getByLabel('Campaign').fill('');
    await page.locator('.figure').first().waitFor();
    expect(page.url()).to.equal(`${site.origin}/console/clicks?range=all`);
    expect(await figure(page, 'Clicks')).to.equal('25');
  });

  it('explains the commission of an order, at an address of its own', async () => {
    const { body: orders } = await site.affiliateClient.get<{ order_id: number }[]>(`/coupons/${site.couponId}/orders`);
    const id = orders[0]?.order_id;
    const { body } = await site.affiliateClient.get(`/coupons/${site.couponId}/orders/${id}/explanation`);
    await visit(own, site, `/console/orders?coupon=${site.couponId}&range=all`);
    await own.page.getByRole('button', { name: `Explain #${id}`, exact: true }).click();
    const panel = own.page.getByRole('region', { name: `Commission of order ${id}`, exact: true });
    await panel.getByText('Checked').waitFor();
    const { steps, inputs, attribution, movements } = body as Record<string, { text: string }[]> & {
      inputs: { rates: { value: number; text: string }[] };
      attribution: { text: string; candidates: { text: string }[] };
    };
    const text = await panel.textContent();
    const rates = inputs.rates.filter(({ value }) => value !== 0);
    for (const part of [...(steps ?? []), ...rates, attribution, ...attribution.candidates, ...(movements ?? [])])
      expect(text).to.include(part.text.replaceAll(/(\d+\.\d+) EUR/g, '€$1'));
    await checkPage(own);
    await own.page.reload();
    await panel.getByText('How it is computed').waitFor();
    await own.page.getByRole('button', { name: `Explain #${id}`, exact: true }).click();
    await panel.waitFor({ state: 'detached' });
    await changeSetting(own, site, 'addons.insights', false);
    await visit(own, site, `/console/orders?coupon=${site.couponId}&range=all&explained=${id}`);
    expect(await own.page.getByRole('button', { name: /^Explain/ }).count()).to.equal(0);
    expect(await panel.count()).to.equal(0);
    await site.service.settings.set('addons.insights', true);
    expect(own.errors).to.deep.equal([]);
  });

  it('gives the reason why a payout is not possible, and what to do', async () => {
    await changeSetting(own, site, 'payouts.threshold', 1_000_000);
    await visit(own, site, '/console/payouts');
    const refused = own.page.getByRole('region', { name: 'Payout of TRAIL10' });
    expect(await refused.textContent())
      .to.include('The balance is below the minimum of the store.')
      .and.include('Request it when you have earned more.');
    expect(await refused.getByRole('button').count()).to.equal(0);
    // A coupon with nothing to pay out is not in the list.
    expect(await own.page.getByRole('region', { name: 'Payout of TRAIL20' }).count()).to.equal(0);
    await site.service.settings.unset('payouts.threshold');
  });

  it('requests a payout, and says so when there is one already', async () => {
    await visit(own, site, '/console/payouts');
    const other = await openConsole(site, 'affiliate', { path: '/console/payouts' });
    const request = async ({ page }: ObservedPage): Promise<void> => {
      await page.getByRole('region', { name: 'Payout of TRAIL10' }).getByRole('button', { name: 'Request payout' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Request €/ })
        .click();
    };
    await request(own);
    await own.page.getByText(/€[\d.]+ is requested as payout #/).waitFor();
    await own.page.getByText('1 payout').waitFor();
    await request(other);
    await other.page.getByText('There is an open request already').waitFor();
    await other.close();
    const { body } = await site.affiliateClient.get<{ status: string; coupon_code: string }[]>('/payouts');
    expect(body.map(({ status, coupon_code }) => [status, coupon_code])).to.deep.equal([['pending', 'TRAIL10']]);
    expect(await figure(own.page, 'Available')).to.equal('€0.00');
    await visit(own, site, '/console/payouts');
    const requested = own.page.getByRole('region', { name: 'Payout of TRAIL10' });
    expect(await requested.textContent()).to.match(/€[\d.]+ is requested already\./);
    expect(await requested.getByRole('button').count()).to.equal(0);
    expect(own.errors).to.deep.equal([]);
  });

  it('hands in the invoice that a payout needs: from the reason to the file, with errors for people, and the payout takes it', async () => {
    const required = 'payouts.methods.paypal.invoice_required';
    await site.service.settings.set(required, true);
    const { body: open } = await site.affiliateClient.get<{ id: number }[]>('/payouts?status=pending');
    await site.adminClient.post(`/payouts/${open[0]?.id}/status`, { json: { status: 'cancel' } });
    const { page } = own;
    await visit(own, site, '/console/payouts');
    const region = page.getByRole('region', { name: 'Payout of TRAIL10' });
    await region.getByText('The store needs an invoice first.').waitFor();
    await region.getByRole('link', { name: 'Hand in your invoice.' }).click();
    await page.getByRole('heading', { name: 'Invoices', exact: true }).waitFor();
    await page.getByText('You have handed in no invoice yet.').waitFor();
    await page.locator('#navigation').getByText('Invoices').waitFor({ state: 'attached' });
    expect(await page.getByLabel('Coupon').inputValue()).to.equal(String(site.couponId));

    const send = page.getByRole('button', { name: 'Hand in' });
    const choose = (name: string, buffer: Buffer) => page.getByLabel('File').setInputFiles({ name, mimeType: 'application/pdf', buffer });
    expect(await send.isDisabled()).to.equal(true);
    await choose('large.pdf', Buffer.alloc(5 * 2 ** 20 + 1));
    await page.getByRole('alert').getByText('The file is too large.').waitFor();
    expect(await send.isDisabled()).to.equal(true);
    await choose('<img src=x onerror=alert(1)>.pdf', Buffer.from('<html>'));
    await send.click();
    await page.getByRole('alert').getByText('The file is not a complete PDF, PNG or JPEG file.').waitFor();
    own.errors.splice(0);
    await checkPage(own);
    const drop = `(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob('${pdf().toString('base64')}'), (c) => c.charCodeAt(0))], 'invoice.pdf'));
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    })()`;
    await page.evaluate(drop);
    await page.getByText('invoice.pdf').waitFor();
    await send.click();
    await page.getByText(/Invoice #\d+ is handed in\./).waitFor();
    await page.getByRole('table').getByText('Waiting').waitFor();
    await checkPage(own);

    await page.getByRole('link', { name: 'Request the payout' }).click();
    await region.getByRole('button', { name: 'Request payout' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Request €/ })
      .click();
    await page.getByText(/€[\d.]+ is requested as payout #/).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('table')
        .getByRole('link', { name: /^Invoice #/ })
        .click(),
    ]);
    expect([download.suggestedFilename(), readFileSync(await download.path())]).to.deep.equal(['invoice-1.pdf', pdf()]);
    await visit(own, site, '/console/invoices');
    await page
      .getByRole('table')
      .getByText(/Payout #\d+/)
      .waitFor();
    await site.service.settings.unset(required);
    expect(own.errors).to.deep.equal([]);
  });

  it('waits when there were too many requests, says so, and goes on by itself', async () => {
    let refused = 0;
    await own.page.route('**/api/v2/affiliates/*/clicks**', (route) => {
      refused += 1;
      const json = { code: 'svc_api_rate_limited', message: 'Too many requests.', data: { status: 429, retry_after: 1 } };
      return refused === 1 ? route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json }) : route.continue();
    });
    await own.page.goto(`${site.origin}/console/clicks`);
    await own.page.getByText('There were too many requests.').waitFor();
    await own.page.locator('.figure-value').first().waitFor();
    await own.page.getByText('There were too many requests.').waitFor({ state: 'hidden' });
    await own.page.unroute('**/api/v2/affiliates/*/clicks**');
  });

  it('shows an error in a sentence with its request id, and tries again', async () => {
    const url = '**/api/v2/affiliates/*/stats**';
    const json = { code: 'svc_api_db_error', message: 'The database failed.', data: { status: 500 } };
    await own.page.route(url, (route) => route.fulfill({ status: 500, headers: { 'X-Request-Id': 'req-7' }, json }));
    await own.page.goto(`${site.origin}/console`);
    await own.page.getByRole('alert').getByText('req-7').waitFor();
    await own.page.unroute(url);
    await own.page.getByRole('button', { name: 'Try again' }).click();
    await own.page.waitForSelector('canvas');
  });

  it('shows the balances of now on every page, when a payout was paid in the meantime', async () => {
    await visit(own, site, '/console/payouts');
    const { body } = await site.affiliateClient.get<{ id: number; amount: number; status: string }[]>('/payouts?status=pending');
    expect(body).to.have.length(1);
    const statusOf = (status: string) => site.adminClient.post(`/payouts/${body[0]?.id}/status`, { json: { status } });
    await statusOf('paid');
    await own.page.getByRole('link', { name: 'Overview', exact: true }).click();
    await own.page.locator('.figure', { hasText: 'Requested' }).getByText('€0.00').waitFor();
    expect(await figure(own.page, 'Requested')).to.equal('€0.00');
    await statusOf('pending');
  });

  it('is not shown by the way back after a sign-out', async () => {
    const left = await openConsole(site, 'affiliate', { path: '/console/account' });
    await left.page.context().clearCookies();
    // What the browser tells a page that it had stored when it was left.
    await left.page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await left.page.waitForURL(/\/sign-in\?to=/);
    await left.close();
  });

  it('continues where it was after a new sign-in in another tab', async () => {
    await visit(own, site, '/console/orders');
    await own.page.context().clearCookies();
    await own.page.getByLabel('Order status').selectOption('completed');
    const dialog = own.page.getByRole('dialog', { name: 'Your session has ended' });
    const [tab] = await Promise.all([own.page.context().waitForEvent('page'), dialog.getByRole('link', { name: 'Sign in' }).click()]);
    await signIn(tab, 'affiliate');
    await tab.waitForURL(`${site.origin}/console/orders?status=completed`);
    await dialog.waitFor({ state: 'detached' });
    await waitUntilShown(own.page);
    expect(await own.page.getByLabel('Order status').inputValue()).to.equal('completed');
    await tab.close();
  });

  it('works with the keyboard alone: the skip link, the navigation, and the focus on the heading of the new page', async () => {
    await visit(own, site, '/console');
    await own.page.keyboard.press('Tab');
    expect(await own.page.evaluate('document.activeElement.textContent')).to.equal('Skip to the content');
    await own.page.getByRole('link', { name: 'Clicks', exact: true }).first().focus();
    await own.page.keyboard.press('Enter');
    await own.page.waitForURL(/\/console\/clicks$/);
    await own.page.locator('h1:focus', { hasText: 'Clicks' }).waitFor();
  });

  it('has only pages that the site serves: without payouts or with a switched-off operation they are not there', async () => {
    await changeSetting(own, site, 'edition', 'free');
    await changeSetting(own, site, 'switches.get_clicks_stats', false);
    await visit(own, site, '/console');
    expect(await titles(own)).to.deep.equal(['Overview', 'Orders', 'Account']);
    await checkAllPages(own, site);
    await visit(own, site, '/console/payouts');
    await own.page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await site.service.settings.set('edition', 'pro');
    await site.service.settings.unset('switches.get_clicks_stats');
  });

  it('writes numbers and dates in the language of the reader, amounts in the currency of the store', async () => {
    const german = await openConsole(site, 'affiliate', { path: '/console?range=all', locale: 'de-DE' });
    const { body } = await site.affiliateClient.get(`/affiliates/${site.affiliate.id}/stats`);
    const amount = new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(body.totals.total_commission);
    expect(await figure(german.page, 'Commission')).to.equal(amount);
    await german.close();
  });

  it('is an account only for a person without a coupon', async () => {
    const customer = await openConsole(site, 'customer');
    await customer.page.waitForURL(`${site.origin}/console/account`);
    expect(await titles(customer)).to.deep.equal(['Account']);
    await checkPage(customer);
    await customer.close();
  });

  it('makes at most 4 calls for the first view of the payouts of several coupons', async () => {
    for (const code of ['TRAIL30', 'TRAIL40', 'TRAIL50'])
      await earn(site.service, await coupon(site.service, code, { userId: site.affiliate.id }), 20);
    own.requests.splice(0);
    await visit(own, site, '/console/payouts');
    const paths = own.requests.map((url) => new URL(url).pathname).filter((path) => path.startsWith('/api/v2/') && !path.endsWith('/me'));
    expect(paths).to.have.length.within(1, 4);
    const region = own.page.getByRole('region', { name: 'Payout of TRAIL40' });
    await region.getByRole('button', { name: 'Request payout' }).click();
    await own.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Request €/ })
      .waitFor();
    await checkPage(own);
  });
});
