import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { systemRandom } from '../../domain/random.ts';
import { issueSetupLink } from '../../domain/users/first-administrator.ts';
import { builtWeb } from '../support/built-web.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { checkPage } from './console-site.ts';
import { newPage, type ObservedPage } from './fixture.ts';

const password = 'a long password of the boss';

/** A service as `npm start` starts it, and the link that it prints. */
async function startEmpty(): Promise<{ service: TestService; link: string }> {
  await builtWeb();
  const env = { ENVIRONMENT: 'production' };
  const service = await TestService.start({ databaseUrl: `sqlite:${temporaryFolder('setup-')}/store.db`, env });
  const path = await service.storage.write((transaction) => issueSetupLink(transaction, service.clock.now(), systemRandom));
  return { service, link: service.origin + (path ?? '') };
}

const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.name || document.activeElement.tagName');

/** Presses Tab until the field has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let pressed = 0; pressed < 20; pressed += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The field ${name} is not reached with Tab.`);
}

async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) {
    await tabTo(page, name);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
  }
}

/** The status of a page is an error of its own in the console of the browser. */
const checkErrorPage = (observed: ObservedPage): Promise<void> => {
  observed.errors.splice(0);
  return checkPage(observed);
};

describe('the first start in a browser', () => {
  let service: TestService;
  let link: string;
  let observed: ObservedPage;
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    observed = await newPage(options);
    return observed.page;
  };
  beforeEach(async () => {
    ({ service, link } = await startEmpty());
  });
  afterEach(async () => {
    await observed.close();
    await service.stop();
  });

  it('leads from the link to the console by the keyboard alone, after a mistake, on plain HTTP of this machine', async () => {
    const page = await open({ viewport: { width: 390, height: 844 } });
    await page.goto(link);
    await fillIn(page, { login: 'boss', email: 'boss@shop.example', password: '1234567890', store_name: 'Ada & Sons' });
    await page.keyboard.press('Enter');
    await page.getByText('Password is one of the most common ones.').first().waitFor();
    expect(await page.inputValue('#login')).to.equal('boss');
    await fillIn(page, { password });
    await tabTo(page, 'store_currency');
    await page.keyboard.type('EUR');
    await tabTo(page, 'registration_open');
    await page.keyboard.press('Space');
    await tabTo(page, 'BUTTON');
    await page.keyboard.press('Enter');
    await page.getByText('Your program is ready.').waitFor();
    await page.getByRole('link', { name: 'Join the program' }).waitFor();
    await fillIn(page, { login: 'boss', password: 'not the password' });
    await page.keyboard.press('Enter');
    await page.getByText('The login or the password is wrong.').waitFor();
    expect(await page.inputValue('#login')).to.equal('boss');
    await fillIn(page, { password });
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console$/);
    await page.waitForSelector('html[data-ready]');
    const { store, addons, registration } = await service.settings.current();
    expect([store.name, store.currency, addons.management, registration.open]).to.deep.equal(['Ada & Sons', 'EUR', true, true]);
    // The link of the first start is still open somewhere.
    await page.goto(link);
    await page.waitForURL(/\/console$/);
  });

  it('works without JavaScript', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(link);
    await page.getByLabel('Login').fill('boss');
    await page.getByLabel('E-mail').fill('boss@shop.example');
    await page.getByLabel('Password').fill(password);
    await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    await page.getByText('Advanced').click();
    await page.getByLabel('Add-on: insights').uncheck();
    await page.getByRole('button').click();
    await page.getByLabel('Login or email').fill('boss');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/console$/);
    const { store, addons } = await service.settings.current();
    expect([store.timezone, addons.store, addons.insights]).to.deep.equal(['Europe/Berlin', true, false]);
  });

  it('has pages that fit a phone, are accessible in both colour schemes and break no policy', async () => {
    const page = await open();
    await page.goto(link);
    await checkPage(observed);
    await page.getByRole('group', { name: 'Your account' }).getByLabel('Password').waitFor();
    await page.getByRole('group', { name: 'Your program' }).getByLabel('Currency').waitFor();
    await page.setViewportSize({ width: 375, height: 667 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(375);
    await fillIn(page, { login: 'boss', email: 'boss@shop.example', password: '1234567890' });
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    await checkErrorPage(observed);
    await service.settings.set('service.url', service.origin);
    await service.settings.set('registration.open', true);
    for (const path of ['/', '/sign-in']) {
      await page.goto(service.origin + path);
      await checkPage(observed);
    }
    await page.setExtraHTTPHeaders({ 'X-Forwarded-For': '192.0.2.1' });
    expect((await page.goto(link))?.status()).to.equal(403);
    await checkErrorPage(observed);
    await page.setExtraHTTPHeaders({});
    await service.settings.set('lockout.max_failures', 1);
    await page.goto(`${service.origin}/setup?token=guessed`);
    expect((await page.goto(link))?.status()).to.equal(429);
    await checkErrorPage(observed);
  });
});
