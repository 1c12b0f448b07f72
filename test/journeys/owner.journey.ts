import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { waitUntilShown } from '../support/browser.ts';
import { it, journey, openWindow } from './support/journey.ts';
import { anna, choose, owner, press, pressInDialog, saveBankAccount, setUp, signIn, startAccount } from './support/people.ts';
import { promised } from './support/promised.ts';
import { Service } from './support/service.ts';
import { SmallShop } from './support/shop.ts';

const openTheProgram = 'docs/guides/open-the-program.md';
const consoleGuide = 'docs/guides/console.md';
const payAffiliates = 'docs/guides/pay-affiliates.md';

journey('A shop owner, who is no programmer,', () => {
  let service: Service;
  let shop: SmallShop;
  let page: Page;
  let annasPage: Page;
  before(async () => {
    shop = await SmallShop.open();
    ({ page } = await openWindow());
    ({ page: annasPage } = await openWindow());
  });
  after(() => shop.close());

  it('starts the service, sets the program up behind the link in the terminal, and signs in', async () => {
    service = await Service.start(promised('README.md', 'npm start'), { readyText: 'Create the first administrator:' });
    await setUp(page, service, shop.url);
    await page.getByRole('heading', { name: 'Set up your program' }).waitFor();
  });

  it('finds that a second click on the link leads to the sign-in', async () => {
    promised(openTheProgram, 'for an hour, a second click leads to the sign-in');
    const [link = ''] = /http\S+\/setup\?token=\S+/.exec(service.output) ?? [];
    const { page: again } = await openWindow();
    await again.goto(link);
    await again.getByLabel('Login or email').waitFor();
  });

  it('signs in without HTTPS on the machine itself, also by its name', async () => {
    const address = promised('README.md', 'http://localhost:8080');
    expect(promised('docs/guides/run-in-production.md', 'http://localhost:8080')).to.equal(address);
    const { page: local } = await openWindow();
    await local.goto(address.replace('8080', new URL(service.url).port));
    await local.getByRole('link', { name: 'Sign in' }).click();
    await signIn(local, owner);
    await waitUntilShown(local);
    await local.getByRole('heading', { name: 'Set up your program' }).waitFor();
  });

  it('is told in a second terminal what is missing', async () => {
    const report = await service.run(promised('README.md', 'npx affiliate doctor'));
    expect(report).to.match(/SMTP_URL/);
  });

  it('can connect the shop in a second terminal, which prints what to click and to paste', async () => {
    const printed = await service.run(promised('README.md', 'npx affiliate store connect woocommerce'));
    expect(printed)
      .to.include('Settings, Advanced, Webhooks')
      .and.match(new RegExp(`${service.url}/connect/[0-9a-f]{32}`))
      .and.match(/Secret +\S{20,}/);
  });

  it('connects the shop by hand in the console, which shows the address and the secret to enter in the shop', async () => {
    await choose(page, promised(consoleGuide, 'Shop'));
    await press(page, 'Disconnect');
    await press(page.getByRole('dialog'), 'Disconnect');
    await press(page, 'Connect a shop');
    await page.getByRole('dialog').getByLabel('Name').fill('Fjell');
    await pressInDialog(page, 'Connect');
    const steps = page.locator('.todo li');
    await steps.getByText('Settings, Advanced, Webhooks').first().waitFor();
    const url = await page.locator('main .copy-line code').first().textContent();
    const secret = await page.locator('.notice code').textContent();
    shop.connection = { url: url ?? '', secret: secret ?? '' };
    await page.getByText('Waiting for the first order').waitFor();
  });

  it('adds an affiliate with a coupon, who is invited by mail', async () => {
    await choose(page, promised(consoleGuide, 'Affiliates'));
    await press(page, 'Add affiliate');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(anna.name);
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill(anna.email);
    await dialog.getByLabel('Coupon code').fill('ANNA10');
    await dialog.getByLabel('Commission in percent').fill('10');
    await pressInDialog(page, 'Add');
    await page.getByText(`${anna.name} is added, and an invitation is on its way.`).waitFor();
    const link = await service.readLink(anna.email, 'set your password');
    await startAccount(annasPage, link, anna);
    await saveBankAccount(annasPage, anna);
  });

  it('sees the first order in the console within a minute, and what it earned', async () => {
    await choose(page, 'Shop');
    const order = await shop.sell({ coupon_lines: [{ id: 1, code: 'anna10' }] });
    await page
      .getByRole('row')
      .filter({ hasText: `#${order}` })
      .getByText('Recorded')
      .waitFor({ timeout: 60_000 });
    await page.getByText('Connected', { exact: true }).waitFor();
    await choose(page, promised(consoleGuide, 'Orders'));
    const row = page.getByRole('row').filter({ hasText: `#${order}` });
    await row.getByText(anna.name).waitFor();
    await row.getByText('€6.00').waitFor();
    promised(consoleGuide, 'Each explains its commission');
    await press(row, `Explain #${order}`);
    await page
      .getByRole('region', { name: `Commission of order ${order}` })
      .getByText('Checked')
      .waitFor();
  });

  it('enters the account that pays', async () => {
    await choose(page, promised(consoleGuide, 'Settings'));
    await page.getByRole('link', { name: 'Payouts' }).last().click();
    for (const [label, text] of Object.entries({ 'Account holder': 'Fjell AS', IBAN: 'DE89370400440532013000', Town: 'Kiel' }))
      await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByLabel('Country', { exact: true }).selectOption('Germany');
    await press(page, 'Review and save');
    await pressInDialog(page, 'Save');
    await page.getByText('4 settings are changed.').waitFor();
  });

  it('requests what is due, and downloads the file for the bank', async () => {
    await choose(page, promised(openTheProgram, 'Payouts'));
    await page
      .getByRole('link', { name: promised(consoleGuide, 'Pay affiliates') })
      .first()
      .click();
    await press(page, 'Request 1 payout · €6.00');
    await pressInDialog(page, 'Request 1 payout');
    await service.readMail(anna.email, 'was requested');
    await press(page, /^Make .* file$/);
    await pressInDialog(page, 'Make the file');
    promised(payAffiliates, 'A file and its payouts are one batch');
    const download = page.waitForEvent('download');
    await press(page, /^Download file/);
    const file = readFileSync(await (await download).path(), 'utf8');
    expect(file).to.include('pain.001.001.09').and.include('NO9386011117947').and.include('6.00');
  });

  it('records the file as paid, after which the affiliate has a mail and sees that it is paid', async () => {
    await press(page, /^Mark file \d+ as paid/);
    await pressInDialog(page, 'Mark as paid');
    await page.getByText('1 paid.').waitFor();
    promised(openTheProgram, 'Mark what you have paid as paid, and the affiliate gets a mail');
    expect(await service.readMail(anna.email, 'was paid')).to.include('6.00');
    await choose(annasPage, 'Payouts');
    await annasPage.getByRole('table').getByText('Paid', { exact: true }).waitFor();
  });

  it('has done all steps of a new program, and creates a key for a shop that calls the API', async () => {
    await choose(page, promised(openTheProgram, 'API keys'));
    await press(page, 'New key');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('The till');
    await press(dialog, 'Create');
    await page
      .getByText(/svc_[0-9a-f]{40}/)
      .first()
      .waitFor();
    await page.reload();
    await waitUntilShown(page);
    expect(await page.getByText(/svc_[0-9a-f]{40}/).count()).to.equal(0);
    await choose(page, 'Overview');
    expect(await page.getByRole('heading', { name: 'Set up your program' }).count()).to.equal(0);
  });
});
