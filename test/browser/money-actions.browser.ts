import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { scanService } from '../risk/risk-service.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { createEarner } from '../support/payouts.ts';
import { payoutDetails } from '../support/program.ts';
import type { TestClock } from '../support/service.ts';
import {
  type ConsoleSite,
  changeSetting,
  checkPage,
  confirmPassword,
  openConsole,
  signIn,
  startConsoleSite,
  visit,
  waitUntilShown,
} from './console-site.ts';
import { admin as adminLogin, type ObservedPage } from './fixture.ts';

describe('the money actions of the console', () => {
  let site: ConsoleSite;
  let owner: ObservedPage;
  let page: Page;
  let managerClient: ContractClient;
  before(async () => {
    site = await startConsoleSite();
    await site.service.settings.set('addons.risk', true);
    managerClient = await site.service.client((await site.service.key(site.manager, ['read', 'write', 'manage'])).headers);
    owner = await openConsole(site, 'admin');
    ({ page } = owner);
  });
  after(async () => {
    await owner.close();
    await site.service.stop();
  });
  beforeEach(() => void owner.requests.splice(0));
  afterEach(async () => {
    await page.unrouteAll();
    await page.context().setOffline(false);
  });

  const dialog = (): Locator => page.getByRole('dialog');
  const button = (name: string | RegExp): Locator => dialog().getByRole('button', { name, exact: true });
  const toast = (text: string | RegExp): Promise<void> => page.locator('.toast').getByText(text).first().waitFor();
  const statusOf = async (id: number): Promise<string> => (await site.adminClient.get(`/payouts/${id}`)).body.status;
  const countOf = async (path: string): Promise<number> => Number((await site.adminClient.get(path)).headers.get('X-Svc-Total'));

  async function requestPayout(login: string): Promise<number> {
    const { couponId } = await createEarner(site.service, login, 40);
    return (await site.adminClient.post('/payouts', { json: { coupon_id: couponId } })).body.id;
  }

  /** The service carries out every POST to this address, and only refusals arrive. */
  const loseAnswers = (url: string): Promise<unknown> =>
    page.route(url, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const response = await route.fetch();
      await (response.ok() ? route.abort('connectionreset') : route.fulfill({ response }));
    });

  describe('on what was seen', () => {
    for (const hasManagement of [true, false])
      it(`cancels no payout that was paid since, and says what it is by now, ${hasManagement ? 'and by whom' : 'also without the add-on management'}`, async () => {
        await changeSetting(owner, site, 'addons.management', hasManagement);
        const id = await requestPayout(`stale-${hasManagement}`);
        await visit(owner, site, `/console/program/payouts/${id}`);
        await managerClient.post(`/payouts/${id}/status`, { json: { status: 'paid' } });
        await page.getByRole('button', { name: 'Cancel payout' }).click();
        await button('Cancel payout').click();
        const alert = dialog().getByRole('alert');
        await alert.getByText(`Not changed. Payout #${id} is “Paid” by now`).waitFor();
        expect((await alert.textContent())?.includes('by The manager')).to.equal(hasManagement);
        await button('Cancel payout').click();
        await alert.waitFor();
        expect(await statusOf(id)).to.equal('paid');
        await button('Back').click();
        await page.getByRole('button', { name: 'Cancel payout' }).waitFor();
        await page.getByRole('main').getByText('The money was sent on').waitFor();
        await changeSetting(owner, site, 'addons.management', true);
      });

    it('cancels no payout of a list that was paid since, and says so below its row', async () => {
      const [paid, waiting] = [await requestPayout('listed'), await requestPayout('waiting')];
      await visit(owner, site, '/console/program/payouts');
      for (const id of [paid, waiting]) await page.getByLabel(`Select payout ${id}`).check();
      await managerClient.post(`/payouts/${paid}/status`, { json: { status: 'paid' } });
      await page.getByRole('button', { name: 'Cancel payout' }).click();
      await button('Cancel payout').click();
      await page.getByText(`Not changed. Payout #${paid} is “Paid” by now`).waitFor();
      await page.getByText('1 of 2 changed. 1 not changed').waitFor();
      expect([await statusOf(paid), await statusOf(waiting)]).to.deep.equal(['paid', 'cancel']);
    });

    it('sends nothing when another person has signed in with another tab, and goes on after a new sign-in of the same', async () => {
      const id = await requestPayout('tabs');
      await visit(owner, site, `/console/program/payouts/${id}`);
      await page.getByRole('button', { name: 'Mark as paid' }).click();
      const signInElsewhere = async (person: 'admin' | 'manager'): Promise<void> => {
        await page.context().clearCookies();
        const tab = await page.context().newPage();
        await tab.goto(`${site.origin}/sign-in?to=/docs`);
        await signIn(tab, person);
        await tab.waitForURL('**/docs');
        await tab.close();
      };
      await signInElsewhere('manager');
      await button('Mark as paid').click();
      await dialog().getByRole('alert').getByText('You are signed in as The manager in another tab. Nothing was sent.').waitFor();
      expect(await statusOf(id)).to.equal('pending');
      await signInElsewhere('admin');
      await button('Mark as paid').click();
      await toast(`Payout #${id} is paid now.`);
    });
  });

  describe('without an answer', () => {
    const bonusAt = (): string => `/console/affiliates/${site.affiliate.id}?tab=adjustments&add=1`;
    const countAdjustments = (): Promise<number> => countOf(`/adjustments?user_id=${site.affiliate.id}`);

    it('books a bonus once when its answer is lost and it is sent again', async () => {
      await visit(owner, site, bonusAt());
      await dialog().getByLabel('Amount in EUR').fill('12');
      await dialog().getByLabel('Note').fill('For the trail guide');
      await loseAnswers('**/api/v2/adjustments');
      await button('Add').click();
      await dialog().getByText('The newest one by now: €12.00 for TRAIL20, “For the trail guide”').waitFor();
      await page.unrouteAll();
      await button('Try again').click();
      await toast('A bonus of €12.00 is added.');
      expect(await countAdjustments()).to.equal(1);
    });

    it('says what the first call of a bonus did when the amount was changed since, and books no second', async () => {
      const before = await countAdjustments();
      await visit(owner, site, bonusAt());
      await dialog().getByLabel('Amount in EUR').fill('20');
      await dialog().getByLabel('Note').fill('For the photos');
      await loseAnswers('**/api/v2/adjustments');
      await button('Add').click();
      await button('Try again').waitFor();
      await page.unrouteAll();
      await dialog().getByLabel('Amount in EUR').fill('25');
      await button('Try again').click();
      await dialog().getByText('It was done at the first try, as entered then.').waitFor();
      await dialog().getByText('The newest one by now: €20.00 for TRAIL20, “For the photos”').waitFor();
      await button('Try again').click();
      await dialog().getByRole('alert').waitFor();
      expect(await countAdjustments()).to.equal(before + 1);
      await button('Back').click();
      await page.getByRole('row').filter({ hasText: 'For the photos' }).getByText('€20.00').waitFor();
    });

    it('sends nothing again while the connection is cut, before the reader has seen what exists', async () => {
      const before = await countAdjustments();
      await visit(owner, site, bonusAt());
      await dialog().getByLabel('Amount in EUR').fill('7');
      await dialog().getByLabel('Note').fill('For the map');
      await page.context().setOffline(true);
      await button('Add').click();
      await dialog().getByText('It is not known whether it was done.').waitFor();
      await page.context().setOffline(false);
      owner.requests.splice(0);
      await button('See what exists').click();
      await dialog().getByText('The newest one by now: €20.00').waitFor();
      expect(owner.requests.filter((url) => url.endsWith('/adjustments'))).to.deep.equal([]);
      owner.errors.splice(0);
      await checkPage(owner);
      await button('Try again').click();
      await toast('A bonus of €7.00 is added.');
      expect(await countAdjustments()).to.equal(before + 1);
    });

    it('shows a key that was created before it offers to create another', async () => {
      const before = await countOf('/keys');
      await visit(owner, site, '/console/keys');
      await page.getByRole('button', { name: 'New key' }).click();
      await dialog().getByLabel('Description').fill('Bookkeeping');
      (site.service.clock as TestClock).advance(600);
      await loseAnswers('**/api/v2/keys');
      await button('Create').click();
      await confirmPassword(page, adminLogin.password);
      await dialog().getByText('The newest one by now: “Bookkeeping” (svc_').waitFor();
      await page.unrouteAll();
      await button('Try again').waitFor();
      await page.getByRole('table', { name: 'API keys' }).getByText('Bookkeeping').waitFor();
      expect(await countOf('/keys')).to.equal(before + 1);
    });

    it('shows a file that was made, in the dialog and on the page, and makes no second', async () => {
      const before = await countOf('/payout-batches');
      await requestPayout('filed');
      await visit(owner, site, '/console/program/payday');
      await page.getByRole('button', { name: 'Make PayPal file' }).click();
      await loseAnswers('**/api/v2/payout-batches');
      await button('Make the file').click();
      await dialog()
        .getByText(/The newest one by now: PayPal file #\d+ of .* with 1 payout, €40.00/)
        .waitFor();
      await page.unrouteAll();
      await page
        .getByRole('button', { name: /^Mark file \d+ as paid/ })
        .nth(before)
        .waitFor();
      await button('Try again').click();
      await dialog().getByText('No file was made').waitFor();
      expect(await countOf('/payout-batches')).to.equal(before + 1);
    });
  });

  describe('by a key or a click that was meant for something else', () => {
    it('records no payout as paid by the Enter key in the search of a file', async () => {
      for (let number = 1; number <= 9; number += 1) await requestPayout(`found${number}`);
      const { body: batch } = await site.adminClient.post('/payout-batches', { json: { format: 'paypal' } });
      await visit(owner, site, '/console/program/batches');
      await page.getByRole('button', { name: `Mark file ${batch.id} as paid` }).click();
      const search = dialog().getByLabel('Find a name, code or number');
      await search.fill('found');
      await dialog().getByRole('checkbox').nth(8).waitFor();
      await search.press('Enter');
      await search.fill('found9');
      await dialog().getByRole('checkbox').nth(1).waitFor({ state: 'detached' });
      await search.press('Enter');
      expect(owner.requests.filter((url) => url.endsWith('/status'))).to.deep.equal([]);
      expect(
        await dialog()
          .locator('input[type=search]')
          .evaluate((field) => (field as unknown as { form: unknown }).form),
      ).to.equal(null);
      expect((await site.adminClient.get(`/payout-batches/${batch.id}`)).body.status).to.equal('open');
    });

    it('confirms nothing while the Enter key that opened a dialog is held, and leads back first where the action is dangerous', async () => {
      const id = await requestPayout('held');
      await visit(owner, site, `/console/program/payouts/${id}`);
      for (const name of ['Mark as paid', 'Cancel payout']) {
        await page.getByRole('button', { name }).focus();
        for (let repeat = 0; repeat < 4; repeat += 1) await page.keyboard.down('Enter');
        await page.keyboard.up('Enter');
        await button(name).waitFor();
        expect(owner.requests.filter((url) => url.endsWith('/status'))).to.deep.equal([]);
        if (name === 'Mark as paid') await page.keyboard.press('Escape');
      }
      await page.keyboard.press('Enter');
      await dialog().waitFor({ state: 'detached' });
      expect(await statusOf(id)).to.equal('pending');
    });

    it('confirms nothing by the second click of a double click on the button that opens a dialog', async () => {
      const id = await requestPayout('double');
      await visit(owner, site, `/console/program/payouts/${id}`);
      await page.getByRole('button', { name: 'Mark as paid' }).click();
      const { x = 0, y = 0 } = (await button('Mark as paid').boundingBox()) ?? {};
      await page.mouse.move(x + 5, y + 5);
      await page.mouse.down({ clickCount: 2 });
      await page.mouse.up({ clickCount: 2 });
      await button('Back').click();
      await dialog().waitFor({ state: 'detached' });
      expect(owner.requests.filter((url) => url.endsWith('/status'))).to.deep.equal([]);
      expect(await statusOf(id)).to.equal('pending');
    });
  });

  it('counts and pays disabled affiliates only when the reader says so', async () => {
    // Nothing of the other tests waits any more.
    await site.adminClient.post('/payout-batches', { json: { format: 'paypal', despite_signals: true, despite_disabled: true } });
    const enabled = await requestPayout('enabled');
    const disabled = await requestPayout('disabled');
    const userId = (await site.adminClient.get(`/payouts/${disabled}`)).body.user.id;
    await site.adminClient.post(`/affiliates/${userId}/status`, { json: { status: 'disabled' } });
    await visit(owner, site, '/console/program/payday');
    await page.getByRole('button', { name: 'Make PayPal file' }).click();
    await dialog().getByText('1 payout, €40.00').waitFor();
    await dialog()
      .getByRole('link', { name: `#${disabled}` })
      .waitFor();
    await dialog().getByLabel('Pay the disabled ones, too').check();
    await dialog().getByText('2 payouts, €80.00').waitFor();
    await button('Make the file').click();
    await dialog().waitFor({ state: 'detached' });
    expect([await statusOf(enabled), await statusOf(disabled)]).to.deep.equal(['created', 'created']);
  });

  it('makes no file while the signals that hold payouts are loading, and shows one that opened since', async () => {
    const { service } = site;
    const { user, couponId } = await createEarner(service, 'signalled', 40);
    (service.clock as TestClock).advance(3600);
    await payoutDetails(service, { userId: user.id, method: 'PayPal', methodType: 'paypal', details: { email: 'new@bank.example' } });
    const { body: payout } = await site.adminClient.post('/payouts', { json: { coupon_id: couponId } });
    await visit(owner, site, '/console/program/payday');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/risk/signals**', (route) => held.then(() => route.continue()));
    await page.getByRole('button', { name: 'Make PayPal file' }).click();
    await dialog().locator('.waiting').waitFor();
    expect(await button('Make the file').isDisabled()).to.equal(true);
    release();
    await dialog().getByText('of this method').waitFor();
    await scanService(service);
    await button('Make the file').click();
    await dialog().getByText('No file was made: what is shown here has changed').waitFor();
    await dialog()
      .getByRole('link', { name: `#${payout.id}` })
      .waitFor();
    await page.unrouteAll();
    await waitUntilShown(page);
    // Another signal about the same affiliate, which is no graver than the one that is shown.
    await page.route('**/risk/signals?*status=open*', async (route) => {
      const response = await route.fetch();
      const [signal] = await response.json();
      await route.fulfill({ response, json: [signal, { ...signal, id: signal.id + 1000, kind: 'self_referral' }] });
    });
    await dialog().getByLabel('Pay these, too. I have looked at each.').check();
    await button('Make the file').click();
    await dialog().getByText('No file was made: what is shown here has changed').waitFor();
    await dialog().locator('a[href^="/console/risk/1"]').getByText('Buys with the own code').waitFor();
    expect(await statusOf(payout.id)).to.equal('pending');
  });
});
