import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import type { TestClock } from '../support/service.ts';
import { type ConsoleSite, checkPage, openConsole, signIn, startConsoleSite, visit, waitUntilShown } from './console-site.ts';
import { newPage, type ObservedPage, openReference } from './fixture.ts';

describe('the safety of an account in the browser', () => {
  let site: ConsoleSite;
  let own: ObservedPage;
  let page: Page;
  let totp: TOTP;
  let recoveryCodes: string[];
  before(async () => {
    site = await startConsoleSite();
    own = await openConsole(site, 'affiliate', { path: '/console/account' });
    ({ page } = own);
  });
  after(async () => {
    await own.close();
    await site.service.stop();
  });

  const code = (): string => totp.generate({ timestamp: site.service.clock.now() });
  const advance = (seconds: number): void => (site.service.clock as TestClock).advance(seconds);
  /** Refusals are also messages of the browser. */
  const forgetRefusals = (): void =>
    void own.errors.splice(0, own.errors.length, ...own.errors.filter((text) => !/status of 40[013]/.test(text)));

  async function signOut(): Promise<void> {
    await page
      .getByRole('button', { name: 'Sign out' })
      .or(page.getByRole('link', { name: 'Sign out' }))
      .first()
      .click();
    await page.getByLabel('Login or email').waitFor();
    forgetRefusals();
  }

  it('sets the second factor up with a QR code, and shows ten recovery codes once', async () => {
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up two-step sign-in' });
    await dialog.getByRole('img', { name: 'QR code' }).waitFor();
    const secret = (await dialog.locator('code').textContent()) ?? '';
    totp = new TOTP({ secret: secret.replaceAll(' ', '') });
    forgetRefusals();
    await checkPage(own);
    await dialog.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.keyboard.press('Enter');
    await dialog.getByText('The code is wrong. Type the one that your app shows now.').waitFor();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(code());
    await page.keyboard.press('Enter');
    const codes = page.getByRole('dialog', { name: 'Keep your recovery codes' });
    await codes.waitFor();
    recoveryCodes = await codes.locator('li').allTextContents();
    expect(recoveryCodes).to.have.length(10);
    const [download] = await Promise.all([page.waitForEvent('download'), codes.getByRole('button', { name: 'Download' }).click()]);
    expect(
      readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\n'),
    ).to.deep.equal(recoveryCodes);
    forgetRefusals();
    await checkPage(own);
    await codes.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByText('You have 10 recovery codes left.').waitFor();
    expect(await page.content()).not.to.include(recoveryCodes[0]);
    await checkPage(own);
  });

  it('asks for no other sign-in for what is still loading at a sign-out', async () => {
    const signedOut = page.waitForResponse((response) => response.url().endsWith('/sign-out'));
    await page.route('**/api/v2/**', (route) => signedOut.then(() => route.continue()));
    const refused = page.waitForResponse((response) => response.status() === 401);
    await page.route('**/sign-in?*', (route) => refused.then(() => route.continue()));
    await page.locator('#navigation').getByRole('link', { name: 'Orders' }).click();
    await signOut();
    await page.unrouteAll();
    expect(own.errors).to.deep.equal([]);
    await signIn(page, 'affiliate');
    advance(60);
    await page.getByRole('textbox', { name: 'Code' }).fill(code());
    await page.keyboard.press('Enter');
    await waitUntilShown(page);
  });

  it('signs in with a code, and with a recovery code', async () => {
    advance(60);
    for (const given of [() => code(), () => recoveryCodes[0] ?? '']) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await signOut();
      await signIn(page, 'affiliate');
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
      await checkPage(own);
      await page.getByRole('textbox', { name: 'Code' }).fill('000000');
      await page.keyboard.press('Enter');
      await page.getByText('The code is wrong or was used before.').waitFor();
      forgetRefusals();
      await checkPage(own);
      await page.getByRole('textbox', { name: 'Code' }).fill(given());
      await page.keyboard.press('Enter');
      await waitUntilShown(page);
    }
    await visit(own, site, '/console/account');
    await page.getByText('You have 9 recovery codes left.').waitFor();
  });

  it('lists the own sessions, and ends another one', async () => {
    advance(60);
    await page.setViewportSize({ width: 1440, height: 900 });
    const other = await openOther();
    await visit(own, site, '/console/account');
    const sessions = page.getByRole('listitem').filter({ hasText: 'Chrome on Linux' });
    expect(await sessions.count()).to.equal(2);
    await page.getByText('This browser').waitFor();
    await checkPage(own);
    await page.getByRole('button', { name: 'End the session in Chrome on Linux' }).click();
    const dialog = page.getByRole('dialog', { name: 'End this session?' });
    await checkPage(own);
    await dialog.getByRole('button', { name: 'End' }).click();
    await dialog.waitFor({ state: 'detached' });
    await waitUntilShown(page);
    expect(await sessions.count()).to.equal(1);
    await other.page.goto(`${site.origin}/console/account`);
    await other.page.getByLabel('Login or email').waitFor();
    await other.close();
  });

  async function openOther(): Promise<ObservedPage> {
    const other = await newPage({ locale: 'en-GB' });
    await other.page.goto(`${site.origin}/sign-in?to=/console`);
    await signIn(other.page, 'affiliate');
    await other.page.getByRole('textbox', { name: 'Code' }).fill(code());
    await other.page.keyboard.press('Enter');
    await waitUntilShown(other.page);
    return other;
  }

  async function confirmByCode(): Promise<void> {
    const confirm = page.getByRole('dialog', { name: 'Confirm your password' });
    await confirm.getByRole('textbox', { name: 'Code' }).fill(code());
    expect(await confirm.getByLabel('Password').count(), 'the password is not enough').to.equal(0);
    forgetRefusals();
    await checkPage(own);
    await page.keyboard.press('Enter');
  }

  it('asks for a code in place of the password on the reference page as well', async () => {
    advance(600);
    await openReference(page, site.origin);
    const section = page.locator('[data-operation=put_me_payout_details]');
    await section.locator('.try > summary').click();
    await section.locator('textarea').fill('{ "method_type": "credit", "details": {} }');
    await section.getByRole('button', { name: 'Send' }).click();
    await confirmByCode();
    await section.locator('.reply .status', { hasText: '200 OK' }).waitFor();
  });

  it('asks for a code in place of the password, and switches the second factor off', async () => {
    advance(600);
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit(own, site, '/console/account');
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
    await confirmByCode();
    await page.getByText('Two-step sign-in is off.').waitFor();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
  });

  it('sets the second factor up at the sign-in where the setting asks administrators', async () => {
    await site.service.settings.set('security.second_factor', 'admins');
    const boss = await newPage({ locale: 'en-GB' });
    await boss.page.goto(`${site.origin}/sign-in?to=/console`);
    await signIn(boss.page, 'admin');
    await boss.page.getByRole('heading', { name: 'Set up your second factor' }).waitFor();
    await checkPage(boss);
    const secret = (await boss.page.locator('code').textContent()) ?? '';
    totp = new TOTP({ secret: secret.replaceAll(' ', '') });
    await boss.page.getByRole('textbox', { name: 'Code' }).fill(code());
    await boss.page.keyboard.press('Enter');
    await boss.page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
    expect(await boss.page.getByRole('listitem').count()).to.equal(10);
    await checkPage(boss);
    await boss.page.getByRole('link', { name: 'I have stored them' }).click();
    await waitUntilShown(boss.page);
    await boss.close();
  });
});
