import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { mailsOf } from '../support/applications.ts';
import type { TestClock } from '../support/service.ts';
import { type ConsoleSite, changeSetting, checkPage, openConsole, startConsoleSite, visit, waitUntilShown } from './console-site.ts';
import type { ObservedPage } from './fixture.ts';

const password = 'a long password of a person';
const newPassword = 'another long password of a person';
const iban = 'DE89 3704 0044 0532 0130 00';

describe('the account in the console', () => {
  let site: ConsoleSite;
  let own: ObservedPage;
  let page: Page;
  before(async () => {
    site = await startConsoleSite();
    own = await openConsole(site, 'affiliate', { path: '/console/account' });
    ({ page } = own);
  });
  after(async () => {
    await own.close();
    await site.service.stop();
  });
  beforeEach(() => void own.errors.splice(0));

  /** Refusals are also messages of the browser. */
  const forgetRefusals = (): void =>
    void own.errors.splice(0, own.errors.length, ...own.errors.filter((text) => !/status of 40[03]/.test(text)));

  const openDialog = (name: string) => page.getByRole('button', { name }).click();

  it('changes name, website and telephone, and names the field that is wrong', async () => {
    await openDialog('Change your profile');
    await page.getByLabel('Name', { exact: true }).fill('Ada Trail');
    await page.getByLabel('Website').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByText('The website must be an http or https address.').waitFor();
    expect(await page.getByLabel('Website').getAttribute('aria-invalid')).to.equal('true');
    forgetRefusals();
    await checkPage(own);
    await page.getByLabel('Website').fill('https://ada.example');
    await page.getByLabel('Telephone').fill('030 901820');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByRole('status').getByText('Your profile is saved.').waitFor();
    await page.locator('#navigation .person').getByText('Ada Trail').waitFor({ state: 'attached' });
    await page.locator('.facts').getByText('https://ada.example').waitFor();
    const { body } = await site.affiliateClient.get(`/affiliates/${site.affiliate.id}`);
    expect([body.user.display_name, body.profile.website, body.profile.phone]).to.deep.equal([
      'Ada Trail',
      'https://ada.example',
      '030 901820',
    ]);
    await checkPage(own);
  });

  it('checks an IBAN while it is typed, asks for the password, saves, and shows a hint of what is saved', async () => {
    await visit(own, site, '/console/account');
    await page.getByText('p…@trail.example').waitFor();
    await openDialog('Change your payout details');
    await page.getByLabel('Method').selectOption('banktransfer');
    await page.getByLabel('Account holder').fill('Ada Trail');
    const field = page.getByLabel('IBAN');
    await field.pressSequentially('DE89 3704');
    await page.getByText('IBAN has 8 characters, and an IBAN of DE has 22.').waitFor();
    expect(await field.getAttribute('aria-invalid')).to.equal(null);
    await field.fill(iban.replace('3000', '0003').replace('0130 00', '0130 01'));
    await page.getByText('IBAN has wrong check digits: a character is mistyped.').waitFor();
    await page.getByLabel('Town').focus();
    expect(await field.getAttribute('aria-invalid')).to.equal('true');
    await checkPage(own);
    await field.fill(iban);
    await page.getByText('This is a valid IBAN.').waitFor();
    const country = page.getByLabel('Country');
    expect(await country.locator('option:checked').innerText(), 'of the IBAN').to.equal('Germany');
    await country.selectOption({ label: 'Austria' });
    await field.fill(iban.slice(0, 9));
    await field.fill(iban);
    expect(await country.inputValue(), 'once chosen, it stays').to.equal('AT');
    await page.getByLabel('Town').fill('Berlin');
    await page.getByLabel('BIC').fill('COBADE');
    const save = page.getByRole('button', { name: 'Save payout details' });
    (site.service.clock as TestClock).advance(600);
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
    await dialog.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('The password is wrong. Try again.').waitFor();
    forgetRefusals();
    await checkPage(own);
    await dialog.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('BIC must be a BIC of 8 or 11 characters, such as COBADEFFXXX.').waitFor();
    expect([await field.inputValue(), await country.inputValue()], 'what was entered stays').to.deep.equal([iban, 'AT']);
    await page.getByLabel('BIC').fill('');
    await save.click();
    await page.getByText('Saved. A mail to trail@shop.example confirms it.').waitFor();
    await page.getByText('ending in 3000').waitFor();
    expect(await page.content()).not.to.include('DE89');
    const { body } = await site.affiliateClient.get('/me/payout-details');
    expect(body.saved).to.include({ method_type: 'banktransfer', hint: '3000' });
    expect((await mailsOf(site.service)).map(({ headers }) => headers.get('subject'))).to.deep.equal([
      'My store: your payout details were changed',
    ]);
    forgetRefusals();
    await checkPage(own);
  });

  it('saves nothing when the dialog for the password is closed', async () => {
    (site.service.clock as TestClock).advance(600);
    await visit(own, site, '/console/account');
    await openDialog('Change your payout details');
    await page.getByLabel('Method').selectOption('credit');
    await page.getByRole('button', { name: 'Save payout details' }).click();
    await page.getByRole('dialog', { name: 'Confirm your password' }).getByRole('button', { name: 'Back' }).click();
    await page.getByRole('alert').getByText('Confirm your password first.').waitFor();
    expect((await site.affiliateClient.get('/me/payout-details')).body.saved.method_type).to.equal('banktransfer');
    forgetRefusals();
    expect(own.errors).to.deep.equal([]);
  });

  it('changes the password, stays signed in, and goes on with the new session', async () => {
    await visit(own, site, '/console/account');
    await openDialog('Change your password');
    const change = async (old: string, next: string): Promise<void> => {
      await page.getByLabel('Old password').fill(old);
      await page.getByLabel('New password').fill(next);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await change('wrong', newPassword);
    await page.getByRole('alert').getByText('The password is wrong. Try again.').waitFor();
    await change(password, 'qwertyuiop');
    await page.getByText('The new password is one of the most common ones. Choose another one.').waitFor();
    forgetRefusals();
    await checkPage(own);
    await change(password, newPassword);
    await page.getByText('Your password is changed. You are signed out in all other browsers.').waitFor();
    await openDialog('Change your profile');
    await page.getByLabel('Telephone').fill('030 1');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByRole('status').getByText('Your profile is saved.').waitFor();
    const again = await openConsole(site, { login: 'trail', password: newPassword }, { path: '/console/account' });
    await again.close();
    forgetRefusals();
    expect(own.errors).to.deep.equal([]);
  });

  it('is where a refused payout leads: by its reason, and from the dialog when the method was switched off meanwhile', async () => {
    await visit(own, site, '/console/payouts');
    const region = page.getByRole('region', { name: 'Payout of TRAIL10' });
    await region.getByRole('button', { name: 'Request payout' }).click();
    await site.service.settings.set('payouts.methods.banktransfer.enabled', false);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Request €/ })
      .click();
    await region.getByText('The store no longer offers your payout method.').waitFor();
    await region.getByRole('link', { name: 'Choose another one.' }).click();
    await page.getByText('The store no longer offers this method. Choose another one.').waitFor();
    forgetRefusals();
    await checkPage(own);
    await site.service.settings.unset('payouts.methods.banktransfer.enabled');
  });

  it('says it for admins: an affiliate without payout details is asked by mail', async () => {
    const { service, adminClient } = site;
    await service.settings.set('addons.store', true);
    await adminClient.post('/store/affiliates', {
      json: [{ login: 'fresh', email: 'fresh@shop.example', display_name: 'Fresh', role: 'affiliate' }],
    });
    const { body } = await adminClient.post('/store/coupons', { json: [{ code: 'FRESH10', user: 'fresh' }] });
    const admin = await openConsole(site, 'admin', { path: `/console/coupons/${body[0].id}` });
    const text = 'This affiliate has saved no payout details. Ask for them: fresh@shop.example';
    const shown = admin.page.getByRole('region', { name: 'Payout of FRESH10' });
    expect(await shown.textContent()).to.include(text);
    expect(await shown.getByRole('link', { name: 'fresh@shop.example' }).getAttribute('href')).to.equal('mailto:fresh@shop.example');
    const { body: coupon } = await adminClient.get(`/coupons/${body[0].id}`);
    await visit(admin, site, `/console/affiliates/${coupon.user_id}?tab=details`);
    await admin.page.getByText('This affiliate has saved no payout details.').waitFor();
    await checkPage(admin);
    await admin.close();
  });

  it('calls only what the site serves: without the add-on nothing but the sign-in can be changed', async () => {
    const changes = async (shown: Page) => {
      const buttons = await shown.getByRole('button', { name: /^Change / }).all();
      return Promise.all(buttons.map((button) => button.getAttribute('aria-label')));
    };
    for (const [path, value, buttons] of [
      ['addons.management', false, ['Change your password']],
      ['edition', 'free', ['Change your profile', 'Change your password']],
      ['switches.put_me_payout_details', false, ['Change your profile', 'Change your password']],
    ] as const) {
      await changeSetting(own, site, path, value);
      await visit(own, site, '/console/account');
      await waitUntilShown(page);
      expect(await changes(page), path).to.deep.equal(buttons);
      await checkPage(own);
      await changeSetting(own, site, path, path === 'edition' ? 'pro' : true);
    }
    const customer = await openConsole(site, 'customer', { path: '/console/account' });
    expect(await changes(customer.page)).to.deep.equal(['Change your profile', 'Change your password']);
    await checkPage(customer);
    await customer.close();
  });
});
