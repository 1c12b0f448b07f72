/** From an empty folder to the first paid payout, with nothing but browsers, the mails, and one order of the shop. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { Machine } from '../cli/machine.ts';
import { type RunningService, startService } from '../cli/running-service.ts';
import { builtWeb } from '../support/built-web.ts';
import { type Eml, parseEml } from '../support/eml.ts';
import { checkPage, confirmPassword, signIn, waitUntilShown } from './console-site.ts';
import { newPage, type ObservedPage } from './fixture.ts';

const sizes: Record<string, BrowserContextOptions> = {
  'on a desktop': { viewport: { width: 1440, height: 900 } },
  'on a phone': { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

const owner = { login: 'owner', password: 'nine pale mountains' };
const affiliate = { login: 'anna.berg', password: 'four quiet fjords' };

/** As `npm start` runs it, but for a proxy in front of the API: keys are accepted over HTTPS alone. */
const variables = { ENVIRONMENT: 'production', TRUSTED_PROXIES: '127.0.0.1' };
const overHttps = { 'X-Forwarded-Proto': 'https' };

class Story {
  readonly machine: Machine;
  readonly service: RunningService;
  readonly setupUrl: string;

  private constructor(machine: Machine, service: RunningService, setupUrl: string) {
    this.machine = machine;
    this.service = service;
    this.setupUrl = setupUrl;
  }

  static async begin(): Promise<Story> {
    await builtWeb();
    const machine = new Machine();
    const service = await startService(machine, variables, '--json');
    const { setup } = JSON.parse(service.line) as { setup: string };
    return new Story(machine, service, setup);
  }

  /** The path of the link in the newest mail with this subject. */
  async readLink(subject: string): Promise<string> {
    const folder = path.join(this.machine.dataDir, 'mail');
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const mails = (existsSync(folder) ? readdirSync(folder) : [])
        .filter((name) => name.endsWith('.eml'))
        .toSorted((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10))
        .map((name): Eml => parseEml(readFileSync(path.join(folder, name), 'utf8')));
      const mail = mails.find(({ headers }) => headers.get('subject')?.includes(subject));
      const link = mail?.parts[0]?.text.split(/\s/).find((word) => word.startsWith(this.service.url));
      if (link !== undefined) return link;
      await pause(100);
    }
    throw new Error(`No mail "${subject}" with a link arrived.`);
  }
}

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).first().click();

for (const [size, options] of Object.entries(sizes))
  describe(`a shop joins, and pays its first affiliate, ${size}`, function () {
    this.bail(true);
    let story: Story;
    let ownerWindow: ObservedPage;
    let affiliateWindow: ObservedPage;
    before(async () => {
      story = await Story.begin();
      ownerWindow = await newPage({ locale: 'en-GB', ...options });
      affiliateWindow = await newPage({ locale: 'en-GB', ...options });
    });
    after(async () => {
      await ownerWindow.close();
      await affiliateWindow.close();
      story.service.child.kill('SIGTERM');
      await story.service.ended;
    });

    const check = async (observed: ObservedPage): Promise<void> => {
      await checkPage(observed);
      await observed.page.setViewportSize(options.viewport ?? { width: 1440, height: 900 });
    };

    it('sets the program up behind the link in the terminal, and signs in', async () => {
      const { page } = ownerWindow;
      await page.goto(story.setupUrl);
      await check(ownerWindow);
      await page.getByLabel('Login').fill(owner.login);
      await page.getByLabel('E-mail').fill('owner@fjell.example');
      await page.getByLabel('Password').fill(owner.password);
      await page.getByLabel('Store name').fill('Fjell');
      await page.getByLabel('Address of the shop').fill('https://fjell.example');
      await page.getByLabel('Currency').selectOption('EUR');
      await page.getByLabel('Time zone').selectOption('Europe/Oslo');
      await page.getByLabel('People can apply to join').check();
      await press(page, 'Create the program');
      await page.waitForURL('**/sign-in?ready=1&to=/console');
      await signIn(page, owner);
      await waitUntilShown(page);
      expect((await ownerWindow.page.request.get(story.setupUrl)).status()).to.equal(404);
    });

    it('applies from the front page, and confirms the address', async () => {
      const { page } = affiliateWindow;
      await page.goto(`${story.service.url}/`);
      await check(affiliateWindow);
      await page.getByRole('link', { name: 'Join the program' }).click();
      await check(affiliateWindow);
      await page.getByLabel('Name', { exact: true }).fill('Anna Berg');
      await page.getByLabel('E-mail').fill('anna.berg@example.com');
      await page.getByLabel('How will you promote us?').fill('A newsletter about huts');
      await page.getByLabel('Coupon code').fill('ANNA10');
      await pause(3000);
      await press(page, 'Apply');
      await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
      await check(affiliateWindow);
      await page.goto(await story.readLink('confirm your application'));
      await check(affiliateWindow);
      await press(page, 'Confirm');
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    });

    it('accepts the application in the console', async () => {
      const { page } = ownerWindow;
      await page.goto(`${story.service.url}/console/applications`);
      await waitUntilShown(page);
      await press(page, 'Accept Anna Berg');
      await page.getByRole('dialog').getByRole('button', { name: 'Accept', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    it('sets a password by the link in the mail, signs in, and saves payout details', async () => {
      const { page } = affiliateWindow;
      await page.goto(await story.readLink('your application was accepted'));
      await check(affiliateWindow);
      await page.getByLabel('New password').fill(affiliate.password);
      await page.getByLabel('Repeat the password').fill(affiliate.password);
      await press(page, 'Set the password');
      await page.getByRole('link', { name: 'sign in' }).click();
      await signIn(page, affiliate);
      await waitUntilShown(page);
      await page.goto(`${story.service.url}/console/account`);
      await waitUntilShown(page);
      await savePayoutDetails(page);
    });

    it('records the first order by the API, requests the commission, and is paid', async () => {
      const token = await createKey(ownerWindow.page, story.service.url);
      const response = await fetch(`${story.service.url}/api/v2/store/orders`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...overHttps },
        body: JSON.stringify([{ order_id: 1, coupon_code: 'ANNA10', status: 'completed', date: '2026-10-05T12:31:07', total: 1000 }]),
      });
      expect([response.status, await response.text()]).to.satisfy(([status]: [number]) => status < 300);

      const { page } = affiliateWindow;
      await page.goto(`${story.service.url}/console/payouts`);
      await waitUntilShown(page);
      await press(page, 'Request payout');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Request €/ })
        .click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      await ownerWindow.page.goto(`${story.service.url}/console/program/payouts`);
      await waitUntilShown(ownerWindow.page);
      await ownerWindow.page.getByRole('checkbox').last().check();
      await press(ownerWindow.page, 'Mark as paid');
      await ownerWindow.page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click();
      await ownerWindow.page.getByText('1 of 1 changed.').waitFor();
      await page.reload();
      await page.getByText('Paid', { exact: true }).first().waitFor();
      // The browser reports the refusals after which the console asked for the password.
      const errors = [...ownerWindow.errors, ...affiliateWindow.errors].filter((error) => !error.includes('status of 403'));
      expect(errors).to.deep.equal([]);
    });
  });

/** By bank transfer; the form asks for the password. */
async function savePayoutDetails(page: Page): Promise<void> {
  await press(page, 'Change your payout details');
  await page.getByLabel('Method').selectOption({ label: 'Bank transfer' });
  await page.getByLabel('Account holder').fill('Anna Berg');
  await page.getByLabel('IBAN').fill('NO93 8601 1117 947');
  await page.getByText('This is a valid IBAN.').waitFor();
  await page.getByLabel('Town').fill('Oslo');
  expect(await page.getByLabel('Country').inputValue()).to.equal('NO');
  await press(page, 'Save payout details');
  await confirmPassword(page, affiliate.password);
  await page.getByText('ending in 7947').waitFor();
}

async function createKey(page: Page, url: string): Promise<string> {
  await page.goto(`${url}/console/keys`);
  await waitUntilShown(page);
  await press(page, 'New key');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Description').fill('The shop');
  for (const box of await dialog.getByRole('checkbox').all()) await box.check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await confirmPassword(page, owner.password);
  return (
    (await page
      .getByText(/svc_[0-9a-f]{40}/)
      .first()
      .textContent()) ?? ''
  );
}
