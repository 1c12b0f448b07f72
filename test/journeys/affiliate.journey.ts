import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { checkPage, type ObservedPage } from '../support/browser.ts';
import { pdf } from '../support/invoices.ts';
import { forgetRefusals, it, journey, openWindow } from './support/journey.ts';
import { anna, choose, press, pressInDialog, saveBankAccount, setUp, startAccount } from './support/people.ts';
import { promised } from './support/promised.ts';
import { Service } from './support/service.ts';
import { SmallShop } from './support/shop.ts';

const openTheProgram = 'docs/guides/open-the-program.md';
const consoleGuide = 'docs/guides/console.md';
const connectAStore = 'docs/guides/connect-a-store.md';

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

journey('An affiliate on a phone', () => {
  let service: Service;
  let shop: SmallShop;
  let window: ObservedPage;
  let page: Page;
  let ownersPage: Page;
  before(async () => {
    shop = await SmallShop.open();
    window = await openWindow(phone);
    ({ page } = window);
    ({ page: ownersPage } = await openWindow());
  });
  after(() => shop.close());

  /** The page fits the phone, is accessible and breaks no policy. */
  async function check(): Promise<void> {
    expect(await page.evaluate('document.documentElement.scrollWidth'), page.url()).to.equal(phone.viewport.width);
    forgetRefusals(window);
    await checkPage(window);
    await page.setViewportSize(phone.viewport);
  }

  it('finds the program that an owner has opened, on the front page of the service', async () => {
    // A phone is another machine: it needs HTTPS, or this variable.
    service = await Service.start(promised('README.md', 'ENVIRONMENT=local npm start'), { readyText: 'Create the first administrator:' });
    await setUp(ownersPage, service, shop.url);
    await choose(ownersPage, 'Settings');
    await ownersPage.getByRole('link', { name: 'Payout methods' }).click();
    await ownersPage.getByRole('row').filter({ hasText: 'Bank transfer' }).getByRole('checkbox').last().check();
    await press(ownersPage, 'Review and save');
    await press(ownersPage.getByRole('dialog'), 'Save');
    await ownersPage.getByText('1 setting is changed.').waitFor();
    await page.goto(service.url);
    await check();
    await page.getByRole('link', { name: promised(openTheProgram, 'Join the program') }).click();
    await check();
  });

  it('applies, and confirms the address by the link in a mail', async () => {
    await page.getByLabel('Name', { exact: true }).fill(anna.name);
    await page.getByLabel('E-mail').fill(anna.email);
    await page.getByLabel('How will you promote us?').fill('A newsletter about huts');
    // At the pace of a person: a form that is sent within 3 seconds is shown again.
    await page.getByLabel('Coupon code').pressSequentially('ANNA10', { delay: 500 });
    await press(page, 'Apply');
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await check();
    promised(openTheProgram, 'An applicant gets a mail and confirms the address');
    await page.goto(await service.readLink(anna.email, 'confirm your application'));
    await check();
    await press(page, 'Confirm');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  });

  it('is accepted, and gets the coupon code and a link to set a password by mail', async () => {
    await choose(ownersPage, promised(openTheProgram, 'Applications'));
    await press(ownersPage, `Accept ${anna.name}`);
    await ownersPage.getByRole('region', { name: 'Preview of the e-mail' }).getByText('ANNA10').first().waitFor();
    await pressInDialog(ownersPage, 'Accept');
    promised(openTheProgram, 'The mail to the new affiliate has the coupon code and a link to set a password');
    const accepted = 'your application was accepted';
    expect(await service.readMail(anna.email, accepted)).to.include('ANNA10');
    const link = await service.readLink(anna.email, accepted);
    await page.goto(link);
    await check();
    await startAccount(page, link, anna);
    await check();
  });

  it('shares a link, by which a customer comes to the shop and buys', async () => {
    const card = page.getByRole('article', { name: 'Coupon ANNA10' });
    await press(card, `Show the ${promised(consoleGuide, 'QR code')}`);
    await card.getByRole('img', { name: /QR code of .*ANNA10/ }).waitFor();
    await check();
    const link = (await card.getByRole('link').first().textContent()) ?? '';
    expect(link).to.equal(service.url + promised(connectAStore, '/r/TRAIL10').replace('TRAIL10', 'ANNA10'));
    await connectShop();
    shop.script = promised(connectAStore, '<script src="https://affiliates.example.com/affiliate.js" async></script>').replace(
      'https://affiliates.example.com',
      service.url,
    );
    const customer = await openWindow();
    await customer.page.goto(link);
    expect(customer.page.url()).to.match(new RegExp(`^${shop.url}/\\?ref=ANNA10&aff_visitor=`));
    await press(customer.page, 'Buy the tent');
    await customer.page.getByRole('heading', { name: /^Thank you for order/ }).waitFor();
  });

  async function connectShop(): Promise<void> {
    await choose(ownersPage, 'Shop');
    await press(ownersPage, 'Connect a shop');
    await pressInDialog(ownersPage, 'Connect');
    await ownersPage.getByText('Waiting for the first order').waitFor();
    const url = await ownersPage.locator('main .copy-line code').first().textContent();
    shop.connection = { url: url ?? '', secret: (await ownersPage.locator('.notice code').textContent()) ?? '' };
  }

  it('sees the order with its commission, which the click of the link credits, and the click', async () => {
    await choose(page, promised(consoleGuide, 'Orders'));
    await page.getByText('€6.00').first().waitFor();
    await press(page, /^Explain #/);
    await page
      .getByRole('region', { name: /^Commission of order/ })
      .getByText('Checked')
      .waitFor();
    await check();
    await choose(page, promised(consoleGuide, 'Clicks'));
    await page.locator('.figure', { hasText: 'Clicks' }).first().getByText('1', { exact: true }).waitFor();
    await check();
    await choose(page, promised(consoleGuide, 'Overview'));
    await page
      .locator('.figure', { hasText: new RegExp(promised(consoleGuide, 'available'), 'i') })
      .getByText('€6.00')
      .waitFor();
  });

  it('says where the money goes: the country is chosen by the IBAN, and a mail tells of the change', async () => {
    promised(consoleGuide, 'An IBAN is checked while you type');
    await saveBankAccount(page, anna);
    await check();
    promised(consoleGuide, 'Every change is told by mail');
    expect(await service.readMail(anna.email, 'your payout details were changed')).to.include('7947');
  });

  it('hands in the invoice that the payout needs, and requests it', async () => {
    await choose(page, promised(consoleGuide, 'Payouts'));
    await page.getByText('The store needs an invoice first.').waitFor();
    await check();
    await page.getByRole('link', { name: 'Hand in your invoice.' }).click();
    await page.getByRole('heading', { name: promised(consoleGuide, 'Invoices'), exact: true }).waitFor();
    await page.getByLabel('File').setInputFiles({ name: 'invoice.pdf', mimeType: 'application/pdf', buffer: pdf() });
    await press(page, 'Hand in');
    await page.getByText(/Invoice #\d+ is handed in\./).waitFor();
    await check();
    await page.getByRole('link', { name: 'Request the payout' }).click();
    await press(page, 'Request payout');
    await pressInDialog(page, 'Request €6.00');
    await page.getByText('€6.00 is requested as payout').waitFor();
    await page.getByRole('table').getByRole('link', { name: '#1' }).click();
    await page.getByRole('link', { name: /^Invoice #/ }).waitFor();
    await check();
  });

  it('is paid, gets a mail, and sees the payout with its timeline', async () => {
    await choose(ownersPage, 'Payouts');
    await ownersPage.getByRole('row').filter({ hasText: anna.name }).getByRole('checkbox').check();
    await press(ownersPage, 'Mark as paid');
    await pressInDialog(ownersPage, 'Mark as paid');
    expect(await service.readMail(anna.email, 'was paid')).to.include('6.00');
    await choose(page, 'Payouts');
    promised(consoleGuide, 'every payout with its timeline');
    await page.getByRole('table').getByText('Paid', { exact: true }).click();
    await page.locator('.timeline').getByText('Paid').waitFor();
    await check();
  });

  it('has an account with a profile, sessions and the own data, and signs out', async () => {
    promised(openTheProgram, 'Account');
    await choose(page, promised('docs/guides/privacy.md', 'Account'));
    await page.getByText('This browser').waitFor();
    await check();
    const download = page.waitForEvent('download');
    await press(page, promised('docs/guides/privacy.md', 'Download my data'));
    await (await download).path();
    await press(page, 'Menu');
    await press(page, 'Sign out');
    await page.getByLabel('Login or email').waitFor();
    await check();
  });
});
