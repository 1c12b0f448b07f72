import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { waitUntilShown } from '../support/browser.ts';
import { it, journey, openWindow } from './support/journey.ts';
import { choose, press, pressInDialog, signIn } from './support/people.ts';
import { promised } from './support/promised.ts';
import { Service } from './support/service.ts';

const consoleGuide = 'docs/guides/console.md';
const risk = 'docs/guides/risk.md';
const payAffiliates = 'docs/guides/pay-affiliates.md';

/** What the guide lists for admins, in the order of the navigation. */
const pages = () => [
  promised(consoleGuide, 'Overview'),
  promised(consoleGuide, 'Affiliates'),
  promised(consoleGuide, 'Orders'),
  promised(consoleGuide, 'Coupons'),
  promised(consoleGuide, 'Applications'),
  promised(consoleGuide, 'Payouts'),
  promised(consoleGuide, 'Risk'),
  promised(consoleGuide, 'Shop'),
  promised(consoleGuide, 'Feed'),
  promised(consoleGuide, 'Webhooks'),
  promised(consoleGuide, 'API keys'),
  promised(consoleGuide, 'Settings'),
];

journey('An admin', () => {
  let service: Service;
  let page: Page;
  const admin = { login: 'admin', email: 'admin@fjell.example', password: '' };
  before(async () => {
    ({ page } = await openWindow());
  });

  it('signs in to a program of a year with the password that the terminal shows, and opens each page of the console', async () => {
    service = await Service.start('npx affiliate demo --orders 500', {
      readyText: 'Ctrl-C',
      mailFolder: 'demo/mail',
    });
    [, admin.password = ''] = /admin with the password (\S+)/.exec(service.output) ?? [];
    await page.goto(service.url + promised(consoleGuide, '/console'));
    await signIn(page, admin);
    await waitUntilShown(page);
    for (const title of pages()) {
      await choose(page, title);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      expect(await page.getByRole('alert').count(), title).to.equal(0);
    }
  });

  it('accepts an application after a look at the mail, and the applicant gets it', async () => {
    await choose(page, 'Overview');
    await page.getByRole('link', { name: /^\d+ applications/ }).click();
    await page
      .getByRole('button', { name: /^Accept / })
      .first()
      .waitFor();
    const [applicant = ''] = await page.locator('main tbody tr').first().locator('bdi').nth(1).allTextContents();
    await press(page, /^Accept /);
    promised(consoleGuide, 'with a message to the applicant and a preview of the e-mail');
    await page.getByRole('dialog').getByLabel('Message to the applicant').fill('We like your huts.');
    await page.getByRole('region', { name: 'Preview of the e-mail' }).getByText('We like your huts.').waitFor();
    await pressInDialog(page, 'Accept');
    expect(await service.readMail(applicant, 'your application was accepted')).to.include('We like your huts.');
  });

  it('declines an application with a reason, and the applicant gets it', async () => {
    await press(page, /^Decline /);
    const dialog = page.getByRole('dialog');
    const email = (await dialog.locator('.facts dd').nth(1).textContent()) ?? '';
    await dialog.getByLabel('Message to the applicant').fill('Come back with a site.');
    await pressInDialog(page, 'Decline');
    expect(await service.readMail(email, 'your application was declined')).to.include('Come back with a site.');
    await page.locator('.toast').getByRole('link', { name: 'Show' }).last().click();
    await page.getByRole('row').filter({ hasText: email }).waitFor();
  });

  it('makes a coupon for an affiliate, and pauses it', async () => {
    await choose(page, 'Coupons');
    await press(page, 'New coupon');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('WINTER25');
    await dialog.getByLabel('Affiliate').fill('trailnotes');
    await page.locator('#user-found option').first().waitFor({ state: 'attached' });
    await dialog.getByLabel('Affiliate').fill((await page.locator('#user-found option').first().getAttribute('value')) ?? '');
    await dialog.getByLabel('Commission in percent').fill('12.5');
    await pressInDialog(page, 'Save');
    await page.locator('.toast').getByRole('link', { name: 'Show' }).last().click();
    await page.getByRole('heading', { name: 'WINTER25' }).waitFor();
    promised(consoleGuide, 'Make one, pause it');
    await press(page, 'Pause');
    await page.getByText('Coupon WINTER25 is paused.').waitFor();
    await page.locator('main').getByText('Paused').first().waitFor();
  });

  it('gives an affiliate a bonus with a note, which stands in the history', async () => {
    await page
      .locator('main')
      .getByRole('link', { name: /Trail Notes/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: /Trail Notes/ }).waitFor();
    await page.getByRole('link', { name: promised(consoleGuide, 'Adjustments'), exact: true }).click();
    await press(page, 'Add bonus or correction');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount in EUR').fill('15');
    await dialog.getByLabel('Note').fill('For the talk in Bergen.');
    await pressInDialog(page, 'Add');
    await page.getByRole('row').filter({ hasText: 'For the talk in Bergen.' }).getByText('€15.00').waitFor();
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await page
      .locator('.timeline')
      .getByText(/^Bonus €15\.00/)
      .waitFor();
  });

  it('looks at a risk signal with its evidence, and dismisses it with a note', async () => {
    await choose(page, promised(risk, 'Risk'));
    const signal = page.getByRole('article').first();
    await signal.getByRole('link').first().click();
    await page.getByRole('link', { name: 'All signals' }).waitFor();
    promised(risk, 'Read the sentence, and open the evidence');
    await page.getByText('What was found').waitFor();
    await press(page, /^Dismiss/);
    await page.getByRole('dialog').getByLabel('Note').fill('She called.');
    await pressInDialog(page, 'Dismiss');
    promised(risk, 'Write down why: only admins see the note');
    await page.getByText('She called.').waitFor();
    await choose(page, promised(risk, 'Settings'));
    await page.getByRole('link', { name: promised(risk, '**Features**').replaceAll('*', '') }).click();
    expect(await page.getByLabel('Risk', { exact: true }).isChecked()).to.equal(true);
  });

  it('pays by a file, in which one payment fails: the others are paid, and the affiliate is asked to check the details', async () => {
    await choose(page, 'Payouts');
    await page
      .getByRole('link', { name: promised(consoleGuide, 'Pay affiliates') })
      .first()
      .click();
    await press(page, /^Request \d+ payouts ·/);
    await pressInDialog(page, /^Request \d+ payouts$/);
    await press(page, 'Make PayPal file');
    await pressInDialog(page, 'Make the file');
    promised(payAffiliates, '| `paypal` | `paypal`: recipient, amount, currency, own id, note | 5,000 payouts |');
    const download = page.waitForEvent('download');
    await press(page, /^Download file/);
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines.length).to.be.above(2);
    await press(page, /^Mark file \d+ as paid/);
    promised(consoleGuide, 'Find the payouts that could not be paid by name and tick them');
    const failing = page.getByRole('dialog').locator('label').last();
    await failing.getByRole('checkbox').check();
    const [name = '', details = ''] = await failing.locator('.check-line > *').allTextContents();
    await page.getByRole('dialog').getByText('1 failed').waitFor();
    await pressInDialog(page, 'Mark as paid');
    await page.getByText(`${lines.length - 1} paid, 1 failed.`).waitFor();
    const [, id = ''] = /#(\d+)/.exec(details) ?? [];
    const [email = ''] = lines.map((line) => line.split(',')).find((cells) => cells[3]?.includes(id)) ?? [];
    promised(consoleGuide, 'the affiliates are asked to check their details');
    // The account has another address of the same site.
    await service.readMail(email.replace(/.*@/, '@'), 'could not be paid');
    await page.locator('.toast').getByRole('link', { name: 'Show' }).last().click();
    await page.getByRole('row').filter({ hasText: name }).getByText('Not paid').waitFor();
  });

  let secret: string;
  let recoveryCodes: string[];
  /** What the app shows half a minute later, because a code is used once. */
  const nextCode = (): string => new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 });

  it('sets two-step sign-in up with an app, and keeps ten recovery codes', async () => {
    promised('docs/guides/run-in-production.md', 'Account');
    await choose(page, promised(consoleGuide, 'Account'));
    promised(consoleGuide, '**Two-step sign-in:** choose **Set up**');
    await press(page, 'Set up');
    const dialog = page.getByRole('dialog', { name: 'Set up two-step sign-in' });
    await dialog.getByRole('img', { name: 'QR code' }).waitFor();
    secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await dialog.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate());
    await press(dialog, 'Switch on');
    const codes = page.getByRole('dialog', { name: 'Keep your recovery codes' });
    await codes.waitFor();
    promised(consoleGuide, 'Keep the ten recovery codes');
    recoveryCodes = await codes.locator('li').allTextContents();
    expect(recoveryCodes).to.have.length(10);
    await pressInDialog(page, 'I have stored them');
    await service.readMail(admin.email, 'the second factor is on');
  });

  async function signOut(): Promise<void> {
    await press(page, 'Sign out');
    await page.getByLabel('Login or email').waitFor();
    expect(new URL(page.url()).pathname).to.equal(promised('docs/guides/write-a-client.md', '/sign-in'));
  }

  async function typeCode(code: string): Promise<void> {
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(code);
    await page.keyboard.press('Enter');
    await waitUntilShown(page);
    await page.locator('#navigation').getByText('Overview').waitFor();
  }

  it('signs in with a recovery code, as without the phone', async () => {
    await signOut();
    await signIn(page, admin);
    await typeCode(recoveryCodes[0] ?? '');
    expect(await service.readMail(admin.email, 'a recovery code was used')).to.include('9');
  });

  it('sets a new password by the link in a mail, and signs in with it and a code of the app', async () => {
    await signOut();
    await page.getByRole('link', { name: promised('docs/guides/open-the-program.md', 'Forgot your password?') }).click();
    expect(new URL(page.url()).pathname).to.equal(promised('docs/guides/run-in-production.md', '/forgot-password'));
    await page.getByLabel('Login or email').fill(admin.login);
    await press(page, 'Send the link');
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await page.goto(await service.readLink(admin.email, 'set a new password'));
    admin.password = 'seven grey glaciers';
    await page.getByLabel('New password').fill(admin.password);
    await page.getByLabel('Repeat the password').fill(admin.password);
    await press(page, 'Set the password');
    await page.getByRole('link', { name: 'sign in' }).click();
    await signIn(page, admin);
    await typeCode(nextCode());
  });
});
