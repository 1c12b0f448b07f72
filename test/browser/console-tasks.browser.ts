import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { wooOrder } from '../connectors/payloads.ts';
import { createEarner, earn } from '../support/payouts.ts';
import { coupon, payoutDetails } from '../support/program.ts';
import { receiver, subscribed } from '../support/webhooks.ts';
import { type ConsoleSite, checkPage, figure, openConsole, startConsoleSite, visit, waitUntilShown } from './console-site.ts';
import type { ObservedPage } from './fixture.ts';

/** A picture that the service accepts. */
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64');

/** What a shop owner does, each as one task in the browser. Effects are read through the API. */
describe('the console as a shop owner uses it', () => {
  let site: ConsoleSite;
  let owner: ObservedPage;
  before(async () => {
    site = await startConsoleSite();
    for (const [path, value] of Object.entries({
      'addons.store': true,
      'service.url': 'https://partners.example',
      'store.url': 'https://shop.example',
    }))
      await site.service.settings.set(path, value);
    owner = await openConsole(site, 'admin', { acceptDownloads: true });
  });
  after(async () => {
    await owner.close();
    await site.service.stop();
  });
  beforeEach(() => void owner.errors.splice(0));

  const dialog = (): Locator => owner.page.getByRole('dialog');
  const toast = (text: string | RegExp): Promise<void> => owner.page.locator('.toast').getByText(text).first().waitFor();

  it('adds an affiliate with a coupon and a rate, invites, disables and enables it', async () => {
    const { page } = owner;
    await visit(owner, site, '/console/affiliates');
    await page.getByRole('button', { name: 'Add affiliate' }).click();
    await dialog().getByLabel('Name', { exact: true }).fill('Anna Alm');
    await dialog().getByRole('textbox', { name: 'E-mail' }).fill('anna@alm.example');
    // A code that another affiliate has is told at the field, and nobody is added.
    await dialog().getByLabel('Coupon code (optional)').fill('trail10');
    await dialog().getByLabel('Commission in percent (optional)').focus();
    await dialog().getByText('trail10 is the coupon of The trail. Choose another code.').waitFor();
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
    await dialog().getByText('Nothing was added.').waitFor();
    expect((await site.adminClient.get('/affiliates?coupons=any&search=anna@alm.example')).body).to.deep.equal([]);
    await dialog().getByLabel('Coupon code (optional)').fill('ANNA15');
    await dialog().getByLabel('Commission in percent (optional)').fill('15');
    await dialog().getByLabel('Discount for customers in percent (optional)').fill('5');
    await checkPage(owner);
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
    await toast('Anna Alm is added, and an invitation is on its way.');
    await page.locator('.toast').getByRole('link', { name: 'Show' }).click();
    await page.getByRole('heading', { name: 'Anna Alm', level: 1 }).waitFor();
    await waitUntilShown(page);
    const { body: found } = await site.adminClient.get<{ id: number; coupons: { id: number }[] }[]>('/affiliates?search=ANNA15');
    const { body: detail } = await site.adminClient.get(`/coupons/${found[0]?.coupons[0]?.id}`);
    expect([detail.commission.percent, detail.discount]).to.deep.equal([15, { type: 'percent', amount: 5 }]);
    await page.getByRole('button', { name: 'Disable' }).click();
    await dialog().getByRole('button', { name: 'Disable' }).click();
    await toast('Anna Alm is disabled.');
    await page.getByRole('button', { name: 'Enable' }).click();
    await dialog().getByRole('button', { name: 'Enable' }).click();
    await toast('Anna Alm can sign in again.');
    // The same person again, by mistake: the record of another is never changed.
    await visit(owner, site, '/console/affiliates');
    await page.getByRole('button', { name: 'Add affiliate' }).click();
    await dialog().getByLabel('Name', { exact: true }).fill('Somebody Else');
    await dialog().getByRole('textbox', { name: 'E-mail' }).fill('manager@shop.example');
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
    await dialog().getByText('Nothing was added.').waitFor();
    await page.keyboard.press('Escape');
    expect(owner.errors).to.deep.equal([]);
  });

  it('adds nobody whose e-mail is known, and offers to open that affiliate', async () => {
    const { page } = owner;
    await site.adminClient.post('/store/affiliates', {
      json: [{ login: 'berit', email: 'berit@birch.example', display_name: 'Berit Birch', role: 'affiliate' }],
    });
    await visit(owner, site, '/console/affiliates');
    await page.getByRole('button', { name: 'Add affiliate' }).click();
    await dialog().getByLabel('Name', { exact: true }).fill('Another Berit');
    await dialog().getByRole('textbox', { name: 'E-mail' }).fill('Berit@birch.example');
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
    await dialog().getByText('Berit Birch has this e-mail already. Nothing was added.').waitFor();
    await dialog().getByRole('link', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'Berit Birch', level: 1 }).waitFor();
    expect(await dialog().count()).to.equal(0);
    expect(owner.errors).to.deep.equal([]);
  });

  it('picks an affiliate without a coupon by e-mail, and takes no typed text for a login', async () => {
    const { page } = owner;
    await site.adminClient.post('/store/affiliates', {
      json: [{ login: 'cedar', email: 'c@cedar.example', display_name: 'Cedar Path', role: 'affiliate', profile: { promote: 'One\nTwo' } }],
    });
    await visit(owner, site, '/console/coupons');
    await page.getByRole('button', { name: 'New coupon' }).click();
    await dialog().getByLabel('Code', { exact: true }).fill('CEDAR5');
    const field = dialog().getByLabel('Affiliate', { exact: true });
    await field.fill('trail');
    await dialog().getByRole('button', { name: 'Save' }).click();
    const refusal = await field.evaluate((input) => (input as unknown as { validationMessage: string }).validationMessage);
    expect(refusal).to.equal('Choose an affiliate from the list.');
    await field.fill('nobody at all');
    await dialog().getByText('No affiliate matches.').waitFor();
    await field.fill('c@cedar');
    const choice = 'Cedar Path (c@cedar.example, cedar)';
    await dialog().locator(`option[value="${choice}"]`).waitFor({ state: 'attached' });
    await field.fill(choice);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await toast('Coupon CEDAR5 is saved.');
    const { body } = await site.adminClient.get<{ id: number; user: { login: string } }[]>('/affiliates?search=CEDAR5');
    expect(body.map(({ user }) => user.login)).to.deep.equal(['cedar']);
    // What was written on several lines stays so, on the page and in the form.
    await visit(owner, site, `/console/affiliates/${body[0]?.id}?tab=details`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await dialog().getByLabel('How they promote').inputValue()).to.equal('One\nTwo');
    await page.keyboard.press('Escape');
    expect(await page.locator('main').innerText()).to.include('One\nTwo');
    expect(owner.errors).to.deep.equal([]);
  });

  it('changes and pauses a coupon', async () => {
    const { page } = owner;
    await visit(owner, site, `/console/coupons/${site.couponId}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog().getByLabel('Commission in percent (optional)').fill('12.345');
    await dialog().getByLabel('Status').selectOption('draft');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await toast('Coupon TRAIL10 is saved.');
    await page.locator('main').getByText('Paused').first().waitFor();
    await page.getByText('12.345% of the goods after discount').waitFor();
    const { body } = await site.adminClient.get(`/coupons/${site.couponId}`);
    expect([body.status, body.commission.percent_override, body.user_id]).to.deep.equal(['draft', 12.345, site.affiliate.id]);
    await page.route('**/store/coupons', (route) => route.abort());
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/store/coupons');
    owner.errors.splice(0);
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await toast('Coupon TRAIL10 is active.');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect((await site.adminClient.get(`/coupons/${site.couponId}`)).body.status).to.equal('publish');
    expect(owner.errors).to.deep.equal([]);
  });

  it('builds a link from an address as browsers show it, and says when a link is too long for a QR code', async () => {
    const { page } = owner;
    await visit(owner, site, `/console/coupons/${site.couponId}`);
    await page.getByText('Link to another page or for a campaign').click();
    const linkTo = async (typed: string): Promise<string | null> => {
      await page.getByLabel('Page of the shop').fill(typed);
      const link = (await page.locator('.copy-line a').first().getAttribute('href')) ?? '';
      return new URL(link).searchParams.get('to');
    };
    for (const typed of ['www.shop.example/tents?size=2', 'shop.example/tents?size=2', '/tents?size=2', 'tents?size=2'])
      expect(await linkTo(typed), typed).to.equal('/tents?size=2');
    expect(await linkTo('tents.html')).to.equal('/tents.html');
    await page.getByRole('button', { name: 'Show the QR code' }).click();
    await page.getByRole('img', { name: /^QR code of/ }).waitFor();
    await linkTo(`/${'ü'.repeat(1900)}`);
    await page.getByText('The link is too long for a QR code.').waitFor();
    expect(owner.errors).to.deep.equal([]);
  });

  it('applies the smallest amount of pay day when its field is left', async () => {
    const { page } = owner;
    await visit(owner, site, '/console/program/payday');
    await page.getByLabel('At least (EUR)').fill('5');
    await page.getByRole('heading', { name: 'Pay affiliates' }).click();
    await page.waitForURL(/min=5/);
    await page.goBack();
    expect(await page.getByLabel('At least (EUR)').inputValue()).to.equal('');
  });

  it('says what failed when a logo is saved or removed without a connection', async () => {
    const { page } = owner;
    await visit(owner, site, '/console/settings?tab=brand');
    const save = async (): Promise<void> => {
      await page.getByLabel('File').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pixel });
      await page.getByRole('button', { name: 'Save logo' }).click();
    };
    await page.route('**/console/logo', (route) => route.abort());
    await save();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/console/logo');
    await Promise.all([page.waitForEvent('load'), save()]);
    await waitUntilShown(page);
    await page.route('**/console/logo', (route) => route.abort());
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/console/logo');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Remove the logo' }).click()]);
    await page.getByText('There is no logo yet.').waitFor();
    expect(owner.errors.filter((text) => text.startsWith('uncaught'))).to.deep.equal([]);
  });

  it('takes the own rate of a coupon away, keeps a discount that is an amount, and says when nothing changed', async () => {
    const { page } = owner;
    const record = { id: site.couponId, code: 'TRAIL10', percent: 12.5, discount_type: 'fixed_cart', discount_amount: 5 };
    await site.adminClient.post('/store/coupons', { json: [record] });
    await visit(owner, site, `/console/coupons/${site.couponId}`);
    const edit = () => page.getByRole('button', { name: 'Edit', exact: true }).click();
    await edit();
    expect(await dialog().getByLabel('Discount for customers in EUR (optional)').inputValue()).to.equal('5');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await toast('Nothing changed: Coupon TRAIL10 was the same before.');
    await edit();
    await dialog().getByLabel('Commission in percent (optional)').fill('');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await toast('Coupon TRAIL10 is saved.');
    const { body } = await site.adminClient.get(`/coupons/${site.couponId}`);
    expect([body.commission.percent_override, body.discount]).to.deep.equal([null, { type: 'fixed_cart', amount: 5 }]);
    await edit();
    await dialog().getByLabel('Discount for customers in EUR (optional)').fill('');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('no discount').waitFor();
    expect(owner.errors).to.deep.equal([]);
  });

  it('finds an order by its number, whenever it was placed, and explains it', async () => {
    const { page } = owner;
    const { body } = await site.adminClient.get<{ order_id: number }[]>('/orders?per_page=1&page=25');
    const id = body[0]?.order_id;
    await visit(owner, site, '/console/program/orders');
    await page.getByLabel('Order number or coupon code').fill(String(id));
    await page.getByText('1 order').waitFor();
    await page.getByRole('button', { name: `Explain #${id}`, exact: true }).click();
    await page
      .getByRole('region', { name: `Commission of order ${id}` })
      .getByText('Checked')
      .waitFor();
    await page.getByRole('table', { name: 'Orders' }).getByRole('link', { name: 'The trail' }).waitFor();
    await checkPage(owner);
  });

  it('corrects a mistake with an adjustment that the affiliate sees, too', async () => {
    const { page } = owner;
    await visit(owner, site, `/console/affiliates/${site.affiliate.id}?tab=adjustments`);
    await page.getByRole('button', { name: 'Add bonus or correction' }).click();
    await dialog().getByLabel('Kind').selectOption('correction');
    await dialog().getByLabel('Coupon').selectOption('TRAIL10');
    await dialog().getByLabel('Amount in EUR').fill('1.5');
    await dialog().getByLabel('Note').fill('Counted twice.');
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
    await toast('€1.50 is taken back.');
    await page.getByRole('row').filter({ hasText: 'Counted twice.' }).getByText('-€1.50').waitFor();
    await checkPage(owner);
    const { body } = await site.affiliateClient.get<{ amount: number; note: string }[]>('/adjustments');
    expect(body.map(({ amount, note }) => [amount, note])).to.deep.equal([[-1.5, 'Counted twice.']]);
    const own = await openConsole(site, 'affiliate', { path: '/console/payouts' });
    await own.page.getByText('Counted twice.').waitFor();
    await own.close();
  });

  it('books no correction beyond the balance, and no large bonus, before it is confirmed', async () => {
    const { page } = owner;
    const count = async () => (await site.adminClient.get('/adjustments?per_page=100')).body.length;
    const before = await count();
    await visit(owner, site, `/console/affiliates/${site.affiliate.id}?tab=adjustments`);
    await page.getByRole('button', { name: 'Add bonus or correction' }).click();
    await dialog().getByLabel('Coupon').selectOption('TRAIL20');
    await dialog().getByLabel('Note').fill('A slip.');
    await dialog().getByLabel('Amount in EUR').fill('1000');
    expect(await dialog().getByRole('checkbox').count()).to.equal(0);
    await dialog().getByLabel('Amount in EUR').fill('1000.5');
    await dialog().getByLabel('Yes, €1,000.50 is right.').waitFor();
    await dialog().getByLabel('Kind').selectOption('correction');
    await dialog().getByLabel('Amount in EUR').fill('7');
    await dialog().getByText('Balance now €0.00 → after -€7.00').waitFor();
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
    expect(await count()).to.equal(before);
    await dialog().getByLabel('Yes, take €7.00 back. The affiliate then owes €7.00 with this coupon.').check();
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
    await toast('€7.00 is taken back.');
    expect(await count()).to.equal(before + 1);
    const trail20 = (await site.adminClient.get<{ id: number; code: string }[]>('/coupons')).body.find(({ code }) => code === 'TRAIL20');
    await site.adminClient.post('/adjustments', { json: { coupon_id: trail20?.id, amount: 7, note: 'Undone.' } });
  });

  it('shows the history of an affiliate, newest first, with links', async () => {
    await visit(owner, site, `/console/affiliates/${site.affiliate.id}?tab=history`);
    const entries = await owner.page.locator('.timeline li').allTextContents();
    expect([entries[0], entries.at(-1)].map((text) => text?.replace(/\d.*/, ''))).to.deep.equal(['Bonus €', 'Became an affiliate ']);
    await owner.page.locator('.timeline').getByRole('link', { name: 'TRAIL10' }).waitFor();
    await checkPage(owner);
  });

  it('shows what cannot be paid for want of payout details among what waits', async () => {
    const { page } = owner;
    const user = await site.service.user('nowhere', 'affiliate');
    await earn(site.service, await coupon(site.service, 'NOWHERE10', { userId: user.id }), 20);
    await visit(owner, site, '/console/program');
    await page.getByRole('link', { name: '1 coupon cannot be paid: payout details are missing' }).click();
    await page.getByRole('table', { name: 'Payouts to request' }).getByRole('link', { name: 'NOWHERE10' }).waitFor();
    await checkPage(owner);
  });

  it('asks before a link, Back or Forward drops settings that are not saved', async () => {
    const { page } = owner;
    await visit(owner, site, '/console/program/orders');
    await page.locator('#navigation').getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Commission', exact: true }).click();
    const field = page.getByLabel('Clearing days');
    await field.fill('17');
    page.once('dialog', (question) => question.dismiss());
    await page.locator('#navigation').getByRole('link', { name: 'Orders' }).click();
    expect([new URL(page.url()).pathname, await field.inputValue()]).to.deep.equal(['/console/settings', '17']);
    await page.goBack();
    await page.getByLabel('Name of the store').waitFor();
    const asked = page.waitForEvent('dialog');
    await page.evaluate('history.back()');
    await (await asked).dismiss();
    await page.waitForURL(`${site.origin}/console/settings`);
    // Forward still leads where it led.
    await page.goForward();
    await page.getByLabel('Clearing days').waitFor();
    expect(await field.inputValue()).to.equal('17');
    page.once('dialog', (question) => question.accept());
    await page.locator('#navigation').getByRole('link', { name: 'Orders' }).click();
    await page.waitForURL(`${site.origin}/console/program/orders`);
  });

  it('changes the clearing days after a look at before and after, and says what a setting refuses', async () => {
    const { page } = owner;
    await visit(owner, site, '/console/settings?tab=commission');
    expect(await page.getByRole('button', { name: 'Review and save' }).count()).to.equal(0);
    await page.getByLabel('Clearing days').fill('99999');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByText('It must be a whole number from 0 to 3,650.').waitFor();
    expect(await dialog().count()).to.equal(0);
    await page.getByLabel('Clearing days').fill('14');
    await page.getByRole('button', { name: 'Review and save' }).click();
    const row = dialog().getByRole('row').filter({ hasText: 'Clearing days' });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).to.deep.equal(['Clearing days', '0', '14']);
    await checkPage(owner);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await toast('1 setting is changed.');
    const { commission } = await site.service.settings.current();
    expect(commission.clearing_days).to.equal(14);
    await site.service.settings.unset('commission.clearing_days');
    await visit(owner, site, '/console/settings');
    expect(await page.getByLabel('Currency').count()).to.equal(0);
    await page.getByText('Fixed: there are amounts in EUR already.').waitFor();
    for (const tab of ['commission', 'joining', 'payouts', 'methods', 'brand', 'site', 'limits', 'switches']) {
      await visit(owner, site, `/console/settings?tab=${tab}`);
      await checkPage(owner);
    }
  });

  it('takes a decimal comma for no separator of levels', async () => {
    const { page } = owner;
    await visit(owner, site, '/console/settings?tab=commission');
    const field = page.getByLabel('Shares of recruiters in percent');
    await field.fill('12,5');
    await page.getByLabel('Clearing days').focus();
    await page.getByText('Write one number on each line, with a point before decimals, as in 12.5.').waitFor();
    await field.fill('12.345\n5');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await dialog().getByRole('cell', { name: '12.345, 5' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('changes settings of two groups at once, and says in words what a status of the shop means', async () => {
    const { page } = owner;
    await visit(owner, site, '/console/settings');
    await page.getByRole('button', { name: 'Add a status' }).click();
    await page.getByLabel('Status 1 of the shop').fill('packed');
    await page.getByLabel('Meaning of status 1').selectOption('on-hold');
    await page.getByRole('link', { name: 'Payouts' }).last().click();
    await page.getByLabel('IBAN').fill('DE00 1234');
    await page.getByLabel('BIC').focus();
    await page.getByText('The IBAN has 8 characters, and an IBAN of DE has 22.').waitFor();
    await page.getByText('1 value must be corrected').waitFor();
    await page.getByLabel('IBAN').fill('DE89370400440532013000');
    await checkPage(owner);
    await page.getByRole('button', { name: 'Review and save' }).click();
    await dialog().getByRole('cell').first().waitFor();
    expect(await dialog().getByRole('cell').allTextContents()).to.deep.equal([
      'Order statuses of your shop',
      'empty',
      'packed means on hold',
      'IBAN',
      'empty',
      'DE89370400440532013000',
    ]);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await toast('2 settings are changed.');
    const { store, payouts } = await site.service.settings.current();
    expect([store.statuses, payouts.sepa.iban]).to.deep.equal([{ packed: 'on-hold' }, 'DE89370400440532013000']);
    await site.service.settings.unset('store.statuses');
    await site.service.settings.unset('payouts.sepa.iban');
  });

  it('connects a shop, and sees its first delivery arrive', async () => {
    const { page } = owner;
    await visit(owner, site, '/console/shop');
    await checkPage(owner);
    await page.getByRole('button', { name: 'Connect a shop' }).click();
    await dialog().getByLabel('Name (optional)').fill('Fjell');
    await dialog().getByRole('button', { name: 'Connect' }).click();
    await page.locator('.todo li').last().getByText('The secret. Enter it in the shop now').waitFor();
    await page.locator('main .badge').getByText('Waiting for the first order').waitFor();
    const secret = (await page.locator('.notice code').textContent()) ?? '';
    const address = (await page.locator('main .copy-line code').first().textContent()) ?? '';
    expect(await page.getByRole('list').getByText('In WooCommerce, open Settings').count()).to.equal(1);
    await checkPage(owner);
    const deliver = async (order: object): Promise<void> => {
      const body = JSON.stringify(wooOrder(order));
      const response = await fetch(`${site.origin}${new URL(address).pathname}`, {
        method: 'POST',
        body,
        headers: {
          'Content-Type': 'application/json',
          'X-WC-Webhook-Topic': 'order.created',
          'X-WC-Webhook-Signature': createHmac('sha256', secret).update(body).digest('base64'),
        },
      });
      expect(response.status).to.equal(200);
    };
    // Of a visitor without a click, and with a coupon that no affiliate has.
    await deliver({ id: 90_000, coupon_lines: [{ code: 'OWN10' }] });
    await page.locator('.figure', { hasText: 'Unknown visitors in 30 days' }).getByText('1', { exact: true }).waitFor();
    await deliver({ id: 90_001, coupon_lines: [{ code: 'TRAIL10' }] });
    await page.getByRole('row').filter({ hasText: '#90001' }).getByText('Recorded').waitFor();
    await page.locator('main .badge').getByText('Connected', { exact: true }).waitFor();
    expect([await figure(page, 'In the last 24 hours'), await figure(page, 'Errors in 24 hours')]).to.deep.equal(['2', '0']);
    await page.getByRole('link', { name: '#90001' }).click();
    await page.getByText('1 order').waitFor();
  });

  it('sends a delivery of a webhook again', async () => {
    const { page } = owner;
    const books = await receiver();
    const { id } = await subscribed(site.adminClient, books.url, ['commission.added']);
    await site.adminClient.post('/adjustments', { json: { coupon_id: site.couponId, amount: 5, note: 'Thank you.' } });
    await site.service.work();
    await visit(owner, site, '/console/webhooks');
    await page.getByRole('link', { name: books.url }).click();
    await page.getByRole('heading', { name: books.url }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'commission.added' });
    await row.getByText('Delivered').waitFor();
    await row.getByRole('button', { name: /^Details of/ }).click();
    await page.getByText(/answered with 204 after/).waitFor();
    await checkPage(owner);
    await row.getByRole('button', { name: /^Send again: commission.added/ }).click();
    await toast('“Commission added” is sent again.');
    await site.service.work();
    expect(books.received.map(({ payload }) => payload.id)).to.have.length(2);
    expect(new Set(books.received.map(({ payload }) => payload.id)).size).to.equal(1);
    await site.adminClient.call('DELETE', `/webhooks/${id}`);
    await books.close();
    expect(owner.errors).to.deep.equal([]);
  });

  it('pays 240 people with a file and one failure in at most 12 clicks', async () => {
    const { service, adminClient } = site;
    const { page } = owner;
    await service.settings.set('payouts.sepa.name', 'Fjell Outdoor');
    await service.settings.set('payouts.sepa.iban', 'DE89370400440532013000');
    await service.settings.set('payouts.sepa.town', 'Kiel');
    await service.settings.set('payouts.sepa.country', 'DE');
    for (let number = 1; number <= 240; number += 1) {
      const user = await service.user(`payee${number}`, 'affiliate');
      await payoutDetails(service, {
        userId: user.id,
        method: 'Bank transfer',
        methodType: 'banktransfer',
        details: { holder: `Payee ${number}`, iban: 'NL91ABNA0417164300', town: 'Kiel', country: 'DE' },
      });
      await earn(service, await coupon(service, `PAYEE${number}`, { userId: user.id }), 20);
    }
    await visit(owner, site, '/console/program');
    let clicks = 0;
    const click = async (target: Locator): Promise<void> => {
      clicks += 1;
      await target.click();
    };
    await click(page.getByRole('link', { name: 'Pay affiliates' }));
    await page.getByLabel('Method').selectOption('banktransfer');
    clicks += 1;
    await page.getByRole('row').filter({ hasText: 'Can be paid now' }).getByText('€4,800.00').waitFor();
    await click(page.getByRole('button', { name: 'Request 240 payouts · €4,800.00' }));
    await click(dialog().getByRole('button', { name: 'Request 240 payouts' }));
    await toast('240 payouts requested, €4,800.00 in all.');
    await click(page.getByRole('button', { name: 'Make SEPA file' }));
    await dialog().getByText('240 payouts, €4,800.00').waitFor();
    await click(dialog().getByRole('button', { name: 'Make the file' }));
    await page.locator('.good-notice').getByText('240 payouts, €4,800.00.').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), click(page.getByRole('button', { name: /^Download file/ }))]);
    expect(readFileSync(await download.path(), 'utf8').match(/<CdtTrfTxInf>/g)).to.have.length(240);
    await click(page.getByRole('button', { name: /^Mark file \d+ as paid/ }));
    await click(dialog().getByLabel('Find a name, code or number'));
    await page.keyboard.type('payee200');
    await dialog().getByRole('checkbox').nth(1).waitFor({ state: 'detached' });
    await click(dialog().getByRole('checkbox'));
    await dialog().getByText('1 failed, €20.00: The payee200').waitFor();
    await checkPage(owner);
    await click(dialog().getByRole('button', { name: 'Mark as paid' }));
    await toast('239 paid, 1 failed.');
    expect(clicks).to.be.at.most(12);
    const count = async (query: string) => Number((await adminClient.get(`/payouts?${query}`)).headers.get('X-Svc-Total'));
    expect([await count('status=paid'), await count('status=cancel'), await count('status=pending')]).to.deep.equal([239, 1, 0]);
    await page.locator('.toast').getByRole('link', { name: 'Show' }).last().click();
    await page.getByRole('heading', { name: /^SEPA file #/ }).waitFor();
    await waitUntilShown(page);
    await checkPage(owner);
    await page.locator('.timeline').getByText('239 payouts, 1 not paid').waitFor();
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { name: /^€20.00 to / }).waitFor();
    await page.locator('.timeline').getByText('Paid').waitFor();
    await checkPage(owner);
    await page.getByRole('link', { name: /^File #/ }).click();
    await page.getByRole('heading', { name: /^SEPA file #/ }).waitFor();
    // Of more affiliates than a page of the API has, too.
    await visit(owner, site, '/console/coupons?search=PAYEE240');
    await page.getByRole('link', { name: 'The payee240' }).waitFor();
    await visit(owner, site, '/console/feed?view=payouts');
    await page.getByText(/^\d+ payouts were paid · €/).click();
    await checkPage(owner);
    expect(owner.errors).to.deep.equal([]);
  });

  it('says in words which settings a SEPA file needs, and changes one payout on its page', async () => {
    const { service, adminClient } = site;
    const { page } = owner;
    await service.settings.unset('payouts.sepa.iban');
    const { couponId } = await createEarner(service, 'larch', 30);
    const { body: payout } = await adminClient.post('/payouts', { json: { coupon_id: couponId } });
    await visit(owner, site, '/console/program/payday');
    await page.getByRole('button', { name: 'Make CSV file' }).waitFor();
    await page.route('**/payout-batches', (route) => route.continue({ postData: JSON.stringify({ format: 'sepa' }) }));
    await page.getByRole('button', { name: 'Make CSV file' }).click();
    await dialog().getByRole('button', { name: 'Make the file' }).click();
    const setting = dialog().getByRole('alert').getByRole('link', { name: 'IBAN', exact: true });
    expect(await setting.getAttribute('href')).to.equal('/console/settings?tab=payouts');
    await page.unroute('**/payout-batches');
    await page.keyboard.press('Escape');
    // The browser logs the refusal.
    owner.errors.splice(0);
    const { body: payees } = await adminClient.get<{ id: number }[]>('/coupons?search=PAYEE7');
    await earn(service, payees[0]?.id ?? 0, 20);
    await adminClient.post('/payouts', { json: { coupon_id: payees[0]?.id } });
    await visit(owner, site, '/console/program/payday');
    await page.getByRole('button', { name: 'Make SEPA file' }).click();
    await dialog().getByRole('link', { name: 'Enter your bank account' }).waitFor();
    await page.keyboard.press('Escape');
    await visit(owner, site, '/console/program/payouts');
    // The whole row is a link.
    await page
      .getByRole('row')
      .filter({ hasText: `#${payout.id}` })
      .getByText('€30.00')
      .click();
    await page.getByRole('heading', { name: '€30.00 to The larch' }).waitFor();
    await page.getByRole('button', { name: 'Cancel payout' }).click();
    await dialog().getByRole('button', { name: 'Cancel payout' }).click();
    await toast(`Payout #${payout.id} is cancelled now.`);
    await page.locator('.timeline').getByText('Cancelled').waitFor();
    expect((await adminClient.get(`/payouts/${payout.id}`)).body.status).to.equal('cancel');
    expect(owner.errors).to.deep.equal([]);
  });
});

describe('the console of a new program', () => {
  it('shows the steps to the first order instead of zeros, and ticks them off', async () => {
    const site = await startConsoleSite(undefined, { isEmpty: true });
    const owner = await openConsole(site, 'admin', { path: '/console/program' });
    await owner.page.getByRole('heading', { name: 'Set up your program' }).waitFor();
    await checkPage(owner);
    const steps = () =>
      owner.page.locator('.steps li').evaluateAll((items) => items.map((item) => (item as { className: string }).className));
    expect(await steps()).to.deep.equal(['done', '', 'done', '']);
    const user = await site.service.user('first', 'affiliate');
    await coupon(site.service, 'FIRST', { userId: user.id });
    await visit(owner, site, '/console/program');
    expect(await steps()).to.deep.equal(['done', 'done', 'done', '']);
    await owner.close();
    await site.service.stop();
  });
});

describe('the console of a program in HUF', () => {
  it('offers to pay what the preview of a run says, in amounts as they are stored, also while all balances together are below zero', async () => {
    const site = await startConsoleSite(undefined, { isEmpty: true, currency: 'HUF' });
    await createEarner(site.service, 'due', 1234.5);
    const { couponId } = await createEarner(site.service, 'debtor', 0);
    const { status } = await site.adminClient.post('/adjustments', { json: { coupon_id: couponId, amount: -2000, note: 'A correction.' } });
    expect(status).to.equal(201);
    const owner = await openConsole(site, 'admin', { path: '/console/program' });
    const link = owner.page.getByRole('listitem').filter({ has: owner.page.getByRole('link', { name: 'Pay affiliates' }) });
    await link.getByText('HUF 1,234.50 can be paid now').waitFor();
    await owner.close();
    await site.service.stop();
  });
});
