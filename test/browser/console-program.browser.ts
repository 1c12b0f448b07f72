import { expect } from 'chai';
import { submit } from '../support/applications.ts';
import { createEarner } from '../support/payouts.ts';
import { coupon, newOrderId, orders } from '../support/program.ts';
import type { TestClock } from '../support/service.ts';
import {
  type ConsoleSite,
  changeSetting,
  checkAllPages,
  checkPage,
  confirmPassword,
  downloadLines,
  figure,
  openConsole,
  signIn,
  startConsoleSite,
  visit,
  waitUntilShown,
} from './console-site.ts';
import { admin as adminLogin, type ObservedPage } from './fixture.ts';

const programPages = ['Overview', 'Affiliates', 'Orders', 'Coupons', 'Applications', 'Payouts', 'Feed', 'Webhooks', 'API keys', 'Settings'];

describe('the console of an admin', () => {
  let site: ConsoleSite;
  let admin: ObservedPage;
  before(async () => {
    site = await startConsoleSite();
    await submit(site.service, { login: 'larch', email: 'hello@larch.example', displayName: 'Larch Map', couponCode: 'LARCH10' });
    await submit(site.service, { login: 'birch', email: 'hello@birch.example', displayName: 'Birch News', couponCode: 'BIRCH10' });
    admin = await openConsole(site, 'admin');
  });
  after(async () => {
    await admin.close();
    await site.service.stop();
  });
  beforeEach(() => void admin.errors.splice(0));

  const rowOf = (text: string) => admin.page.getByRole('row').filter({ hasText: text });

  it('starts with the program and has all its pages, which fit a phone, are accessible and break no policy', async () => {
    await admin.page.waitForURL(`${site.origin}/console/program`);
    expect(await admin.page.locator('#navigation li').allTextContents()).to.deep.equal([...programPages, 'Account']);
    await checkAllPages(admin, site);
  });

  it('shows one affiliate and one coupon, each with results, orders and balances', async () => {
    await visit(admin, site, '/console/affiliates?search=trail');
    await admin.page.getByRole('link', { name: 'The trail' }).click();
    await admin.page.getByRole('heading', { name: 'The trail', level: 1 }).waitFor();
    await waitUntilShown(admin.page);
    await checkPage(admin);
    await admin.page.getByRole('table', { name: 'Coupons' }).getByRole('link', { name: 'TRAIL10' }).click();
    await admin.page.waitForURL(`${site.origin}/console/coupons/${site.couponId}`);
    await waitUntilShown(admin.page);
    await admin.page
      .getByRole('button', { name: /^Explain/ })
      .first()
      .click();
    await admin.page.getByText('Checked').waitFor();
    await checkPage(admin);
    await admin.page.getByRole('link', { name: 'All coupons' }).click();
    await rowOf('TRAIL20').getByRole('link', { name: 'The trail' }).waitFor();
    await admin.page.goBack();
    await admin.page.goBack();
    await admin.page.getByRole('heading', { name: 'The trail', level: 1 }).waitFor();
  });

  it('counts the clicks of an affiliate for one campaign, in the range that is chosen', async () => {
    await visit(admin, site, `/console/affiliates/${site.affiliate.id}?tab=clicks&campaign=spring`);
    await admin.page.getByText('Only clicks of the campaign “spring” are counted.').waitFor();
    expect(await figure(admin.page, 'Clicks')).to.equal('5');
    await checkPage(admin);
    await admin.page.getByRole('link', { name: '7 days' }).click();
    await admin.page.waitForURL(/campaign=spring&range=7d/);
    await waitUntilShown(admin.page);
    expect(await figure(admin.page, 'Clicks')).to.equal('1');
  });

  it('loses no letter that is typed while the list changes', async () => {
    await visit(admin, site, '/console/affiliates');
    // As the fastest typist: the next letter comes at the moment in which the first ones are applied.
    await admin.page.evaluate(`{
      const input = document.querySelector('input[type=search]');
      const push = history.pushState.bind(history);
      history.pushState = (...change) => {
        push(...change);
        history.pushState = push;
        queueMicrotask(() => {
          input.value += 'l';
          input.dispatchEvent(new Event('input', { bubbles: true }));
        });
      };
    }`);
    await admin.page.getByLabel('Name, e-mail or coupon code').fill('trai');
    await admin.page.waitForURL(/search=trail$/);
    expect(await admin.page.getByLabel('Name, e-mail or coupon code').inputValue()).to.equal('trail');
  });

  it('shows neither links nor pages that need an operation that is switched off', async () => {
    const { settings } = site.service;
    await changeSetting(admin, site, 'switches.get_orders', false);
    await changeSetting(admin, site, 'switches.get_affiliates_id', false);
    await visit(admin, site, '/console/program');
    expect(await admin.page.locator('#navigation li').allTextContents()).not.to.include('Orders');
    await visit(admin, site, '/console/affiliates?search=trail');
    expect(await rowOf('The trail').getByRole('link').count()).to.equal(0);
    await admin.page.goto(`${site.origin}/console/affiliates/${site.affiliate.id}`);
    await admin.page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await settings.unset('switches.get_orders');
    await settings.unset('switches.get_affiliates_id');
  });

  it('edits what the store has about an affiliate, and shows why a change is refused', async () => {
    const path = `/console/affiliates/${site.affiliate.id}`;
    await visit(admin, site, path);
    expect(await admin.page.getByRole('button', { name: 'Edit', exact: true }).count()).to.equal(0);
    await changeSetting(admin, site, 'addons.store', true);
    await visit(admin, site, path);
    await admin.page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = admin.page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill('manager@shop.example');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('exists already').waitFor();
    await dialog.getByLabel('E-mail').fill('hello@trail.example');
    await dialog.getByLabel('Telephone (optional)').fill('+47 22 00 00 00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await site.adminClient.get<{ user: { email: string }; profile: { phone: string } }>(
      `/affiliates/${site.affiliate.id}`,
    );
    expect([body.user.email, body.profile.phone]).to.deep.equal(['hello@trail.example', '+47 22 00 00 00']);
    await changeSetting(admin, site, 'addons.store', false);
    // The browser logs the refusal before the password.
    expect(admin.errors.filter((text) => !text.includes('status of 403'))).to.deep.equal([]);
  });

  it('ignores what an address has and the page does not know', async () => {
    for (const path of [
      'program?range=constructor&chart=toString',
      'program?from=2026-02-30',
      'coupons?status=zzz&page=1.5',
      'feed?view=constructor',
    ]) {
      await visit(admin, site, `/console/${path}`);
      expect(await admin.page.getByRole('alert').count(), path).to.equal(0);
    }
    expect(admin.errors).to.deep.equal([]);
  });

  it('accepts one application and declines another, with a message', async () => {
    await visit(admin, site, '/console/applications?status=pending');
    for (const [button, name] of [
      ['Accept', 'Larch Map'],
      ['Decline', 'Birch News'],
    ] as const) {
      await admin.page.getByRole('button', { name: `${button} ${name}` }).click();
      const dialog = admin.page.getByRole('dialog');
      await dialog.getByLabel('Message to the applicant').fill(`${button} for a reason`);
      const mail = dialog.getByRole('region', { name: 'Preview of the e-mail' });
      await mail.getByText(`${button} for a reason`).waitFor();
      expect(await mail.textContent())
        .to.include(button === 'Accept' ? 'was accepted' : 'was declined')
        .and.include(`Hello ${name},`);
      await checkPage(admin);
      await dialog.getByRole('button', { name: button, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await rowOf(name).waitFor({ state: 'detached' });
    }
    const { body } = await site.adminClient.get<{ coupon_code: string; status: string; message: string }[]>('/registrations');
    expect(body.map(({ coupon_code, status, message }) => [coupon_code, status, message])).to.have.deep.members([
      ['LARCH10', 'accepted', 'Accept for a reason'],
      ['BIRCH10', 'declined', 'Decline for a reason'],
    ]);
    expect(admin.errors).to.deep.equal([]);
  });

  it('decides without a preview of the mail where the add-on insights is inactive, and shows none if no mail is sent', async () => {
    const id = await submit(site.service, { login: 'elm', email: 'hello@elm.example', displayName: 'Elm', couponCode: 'ELM10' });
    await visit(admin, site, '/console/applications?status=pending');
    const open = () => admin.page.getByRole('button', { name: 'Decline Elm' }).click();
    const dialog = admin.page.getByRole('dialog');
    const mail = dialog.getByRole('region', { name: 'Preview of the e-mail' });
    await open();
    await mail.waitFor();
    await dialog.getByLabel(/^Send the decision/).uncheck();
    await mail.waitFor({ state: 'detached' });
    await changeSetting(admin, site, 'addons.insights', false);
    await visit(admin, site, '/console/applications?status=pending');
    await open();
    await dialog.getByLabel('Message to the applicant').waitFor();
    expect(await mail.count()).to.equal(0);
    await dialog.getByRole('button', { name: 'Decline', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await site.service.settings.set('addons.insights', true);
    expect((await site.adminClient.get(`/registrations/${id}`)).body.status).to.equal('declined');
    expect(admin.errors).to.deep.equal([]);
  });

  it('loses nothing that was typed when the session ends: it is sent after the next sign-in', async () => {
    const id = await submit(site.service, { login: 'oak', email: 'hello@oak.example', displayName: 'Oak', couponCode: 'OAK10' });
    await visit(admin, site, '/console/applications?status=pending');
    await admin.page.getByRole('button', { name: 'Decline Oak' }).click();
    await admin.page.getByLabel('Message to the applicant').fill('A long message');
    await admin.page.context().clearCookies();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Decline', exact: true }).click();
    const ended = admin.page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    await admin.page.keyboard.press('Escape');
    const [tab] = await Promise.all([admin.page.context().waitForEvent('page'), ended.getByRole('link', { name: 'Sign in' }).click()]);
    await signIn(tab, 'admin');
    await ended.waitFor({ state: 'detached' });
    await admin.page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body } = await site.adminClient.get(`/registrations/${id}`);
    expect([body.status, body.message]).to.deep.equal(['declined', 'A long message']);
    await tab.close();
  });

  it('changes the payouts that were selected, also if another list arrives meanwhile, and all payouts of a page', async () => {
    const { body: payout } = await site.affiliateClient.post('/payouts', { json: { coupon_id: site.couponId } });
    await visit(admin, site, '/console/program/payouts');
    await admin.page.getByLabel(`Select payout ${payout.id}`).check();
    // The dialog is about what was selected, also if another list arrives below it.
    let arrive = (): void => {};
    const held = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await admin.page.route('**/payouts?*status=paid*', (route) => held.then(() => route.continue()));
    await admin.page.getByRole('link', { name: 'Paid', exact: true }).click();
    await admin.page.getByRole('button', { name: 'Mark as on its way' }).click();
    arrive();
    await admin.page.getByText('There are no payouts with the status').waitFor();
    expect(await admin.page.getByRole('dialog').textContent()).to.include('1 payout,');
    await admin.page.keyboard.press('Escape');
    await visit(admin, site, '/console/program/payouts?status=all');
    await admin.page.getByRole('button', { name: 'Select all on this page' }).click();
    await admin.page.getByRole('button', { name: 'Mark as paid' }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click();
    await admin.page.getByText('1 of 1 changed.').waitFor();
    expect((await site.adminClient.get(`/payouts/${payout.id}`)).body.status).to.equal('paid');
  });

  it('changes many payouts, with a progress bar and each refusal below its row, and the others go on', async () => {
    const { service, adminClient } = site;
    const ids: number[] = [];
    for (const name of ['fir', 'yew', 'ash', 'lime', 'pine']) {
      const { couponId } = await createEarner(service, name, 50);
      ids.push((await adminClient.post('/payouts', { json: { coupon_id: couponId } })).body.id);
    }
    await visit(admin, site, '/console/program/payouts?status=all');
    for (const id of ids) await admin.page.getByLabel(`Select payout ${id}`).check();
    const [first = 0, second = 0, , fourth = 0] = ids;
    // Meanwhile another admin has changed two of them: one as is wanted here, one so that it cannot be paid any more.
    await adminClient.post(`/payouts/${second}/status`, { json: { status: 'paid' } });
    await adminClient.post(`/payouts/${fourth}/status`, { json: { status: 'cancel' } });
    const requested: number[] = [];
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await admin.page.route('**/payouts/*/status', async (route) => {
      requested.push(Number(/(\d+)\/status$/.exec(route.request().url())?.[1]));
      if (requested.length === 3) await held;
      if (requested.length > 1 && requested.length < 5) return route.continue();
      // The first and the last are changed, and their answers are lost: by the connection, and by a proxy.
      await route.fetch();
      return requested.length === 1 ? route.abort() : route.fulfill({ status: 504, body: '<p>Gateway Timeout</p>' });
    });
    await admin.page.getByText('5 selected · €250.00').waitFor();
    await admin.page.getByRole('button', { name: 'Mark as paid' }).click();
    const dialog = admin.page.getByRole('dialog');
    expect(await dialog.textContent()).to.include('5 payouts, €250.00 in all');
    await dialog.getByRole('button', { name: 'Mark as paid' }).click();
    const bar = admin.page.getByRole('progressbar', { name: 'Progress' });
    await admin.page.getByText('2 of 5 …').waitFor();
    expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).to.deep.equal(['2', '5']);
    expect(await admin.page.getByRole('button', { name: 'Mark as paid' }).count()).to.equal(0);
    expect(await admin.page.getByLabel(`Select payout ${first}`).isDisabled()).to.equal(true);
    for (const name of ['Feed', 'Payouts']) await admin.page.locator('#navigation').getByRole('link', { name, exact: true }).click();
    await admin.page.getByRole('link', { name: 'All', exact: true }).click();
    await admin.page.getByText('2 of 5 …').waitFor();
    goOn();
    await admin.page.getByText('3 of 5 changed. 2 not changed').waitFor();
    expect(await bar.count()).to.equal(0);
    await admin.page.unroute('**/payouts/*/status');
    expect(requested).to.have.members(ids);
    const noteOf = (id: number) =>
      admin.page
        .getByRole('row', { name: `Select payout ${id} ` })
        .locator('xpath=following-sibling::tr[1]')
        .textContent();
    expect(await noteOf(second)).to.match(/^Not changed\. Payout #\d+ is “Paid” by now/);
    expect(await noteOf(fourth)).to.match(/^Not changed\. Payout #\d+ is “Cancelled” by now/);
    expect(await admin.page.locator('.row-note').count()).to.equal(2);
    const statuses = await Promise.all(ids.map(async (id) => (await adminClient.get(`/payouts/${id}`)).body.status));
    expect(statuses).to.deep.equal(['paid', 'paid', 'paid', 'cancel', 'paid']);
    await checkPage({ ...admin, errors: [] });
  });

  it('shows new events in the feed by itself, each with a link to what it is about', async () => {
    await visit(admin, site, '/console/feed?view=people');
    await submit(site.service, { login: 'maple', email: 'hello@maple.example', displayName: 'Maple Runner', couponCode: 'MAPLE10' });
    await admin.page.getByText('1 new entry since you opened the page').waitFor();
    await admin.page.locator('.fresh .events').getByRole('link').click();
    await admin.page.waitForURL(`${site.origin}/console/applications`);
  });

  it('creates a webhook, shows its secret once, tests, disables, activates and deletes it', async () => {
    await visit(admin, site, '/console/webhooks');
    await admin.page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = admin.page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Bookkeeping');
    await dialog.getByLabel('Address').fill('https://user:secret@books.example/hook');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Address').fill('https://books.example/hook');
    await dialog.getByLabel('Only these').check();
    await dialog.locator('input[value="payout.paid"]').check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const secret = admin.page.getByRole('dialog', { name: 'The webhook is created' });
    expect(await secret.locator('code').first().textContent()).to.match(/^whsec_/);
    await secret.getByRole('button', { name: 'Done' }).click();
    const read = async (): Promise<unknown[]> =>
      (await site.adminClient.get<{ name: string; events: string[]; status: string }[]>('/webhooks')).body.map((webhook) => [
        webhook.name,
        webhook.events,
        webhook.status,
      ]);
    expect(await read()).to.deep.equal([['Bookkeeping', ['payout.paid'], 'active']]);
    await rowOf('Bookkeeping').getByText('Payout paid').waitFor();
    await admin.page.getByRole('link', { name: 'Bookkeeping' }).click();
    await admin.page.getByRole('button', { name: 'Choose events of Bookkeeping' }).click();
    await dialog.getByLabel('Order referred').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await admin.page.locator('main li').filter({ hasText: 'referral.created' }).waitFor();
    await checkPage({ ...admin, errors: [] });
    expect(await read()).to.deep.equal([['Bookkeeping', ['referral.created', 'payout.paid'], 'active']]);
    await admin.page.getByRole('button', { name: 'Disable Bookkeeping' }).click();
    await admin.page.getByRole('button', { name: 'Activate Bookkeeping' }).waitFor();
    expect(await read()).to.deep.equal([['Bookkeeping', ['referral.created', 'payout.paid'], 'disabled']]);
    await admin.page.getByRole('button', { name: 'Activate Bookkeeping' }).click();
    await admin.page.getByRole('button', { name: 'Disable Bookkeeping' }).waitFor();
    await admin.page.getByRole('button', { name: 'Delete Bookkeeping' }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await admin.page.getByText('There are no webhooks yet. Create one').waitFor();
    expect(await read()).to.deep.equal([]);
  });

  it('shows the answer of the receiver to a test of a webhook', async () => {
    const json = { url: 'https://books.example/hook', events: ['*'], name: 'Books' };
    const { body } = await site.adminClient.post('/webhooks', { json });
    await visit(admin, site, `/console/webhooks/${body.id}`);
    const url = `**/webhooks/${body.id}/test`;
    await admin.page.route(url, (route) => route.fulfill({ json: { code: 204 } }));
    await admin.page.getByRole('button', { name: 'Send a test to Books' }).click();
    await admin.page.getByText('The receiver answered with 204: it works.').waitFor();
    await admin.page.unroute(url);
    const refusal = { code: 'svc_api_delivery_failed', message: 'No connection.', data: { status: 502 } };
    await admin.page.route(url, (route) => route.fulfill({ status: 502, json: refusal }));
    await admin.page.getByRole('button', { name: 'Send a test to Books' }).click();
    await admin.page.getByText('The receiver cannot be reached. No connection.').waitFor();
    await admin.page.unroute(url);
  });

  it('creates a key, shows it once, and revokes it', async () => {
    await visit(admin, site, '/console/keys');
    await admin.page.getByRole('button', { name: 'New key' }).click();
    const dialog = admin.page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('Dashboard');
    await dialog.getByLabel(/^Write/).check();
    await dialog.getByLabel('Acts as').fill('trail');
    const choice = admin.page.locator('#user_id-found option').first();
    await choice.waitFor({ state: 'attached' });
    await dialog.getByLabel('Acts as').fill((await choice.getAttribute('value')) ?? '');
    (site.service.clock as TestClock).advance(600);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await confirmPassword(admin.page, adminLogin.password);
    const created = admin.page.getByRole('dialog', { name: 'The key is created' });
    const token = await created.locator('code').first().textContent();
    const client = await site.service.client({ Authorization: `Bearer ${token}` });
    const { auth, user } = (await client.get('/me')).body;
    expect([auth.scopes, user.id]).to.deep.equal([['read', 'write'], site.affiliate.id]);
    await created.getByRole('button', { name: 'Close' }).click();
    await admin.page.getByRole('button', { name: 'Revoke Dashboard' }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await rowOf('Dashboard').getByText('Revoked').waitFor();
    expect((await client.get('/me')).status).to.equal(401);
  });

  for (const edition of ['pro', 'free'] as const)
    it(`has the same pages for a manager in the edition ${edition}, each accessible and within the width of a phone`, async () => {
      await changeSetting(admin, site, 'edition', edition);
      const manager = await openConsole(site, 'manager');
      await manager.page.waitForURL(`${site.origin}/console/program`);
      const missing = edition === 'free' ? ['Payouts', 'Webhooks'] : [];
      expect(await manager.page.locator('#navigation li').allTextContents()).to.deep.equal(
        [...programPages, 'Account'].filter((title) => !missing.includes(title)),
      );
      await checkAllPages(manager, site);
      for (const path of [`affiliates/${site.affiliate.id}`, `coupons/${site.couponId}`]) {
        await visit(manager, site, `/console/${path}`);
        await checkPage(manager);
      }
      if (edition === 'pro') await decideAsManager(manager);
      await manager.close();
      await site.service.settings.set('edition', 'pro');
    });

  it('writes every coupon once into a file sorted by balance while an order moves a coupon to the top', async () => {
    const { service, affiliate } = site;
    const ids: number[] = [];
    for (let number = 100; number < 205; number += 1) ids.push(await coupon(service, `MANY${number}`, { userId: affiliate.id }));
    const sell = (at: number, total: number) => ({ id: newOrderId(), coupon: ids[at] ?? 0, at: '2026-10-05T12:00:00Z', total });
    await orders(
      service,
      ids.map((_, at) => sell(at, 1000 - at)),
    );
    await visit(admin, site, '/console/coupons?orderby=unpaid_commission');
    await admin.page.route(/coupons\?.*page=2&per_page=100/, async (route) => {
      await orders(service, [sell(104, 10_000)]);
      await route.continue();
    });
    const [, ...lines] = await downloadLines(admin.page, admin.page.getByRole('button', { name: 'Download Coupons as CSV' }));
    const codes = lines.flatMap((line) => /MANY\d+/.exec(line)?.[0] ?? []);
    expect(codes.toSorted()).to.deep.equal(ids.map((_, at) => `MANY${100 + at}`));
    expect(codes.slice(0, 104), 'as sorted on the page').to.deep.equal(codes.slice(0, 104).toSorted());
  });

  async function decideAsManager({ page }: ObservedPage): Promise<void> {
    const id = await submit(site.service, { login: 'hazel', email: 'hello@hazel.example', displayName: 'Hazel', couponCode: 'HAZEL10' });
    await page.goto(`${site.origin}/console/applications?status=pending`);
    await page.getByRole('button', { name: 'Accept Hazel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body } = await site.adminClient.get(`/registrations/${id}`);
    expect([body.status, body.reviewed_by]).to.deep.equal(['accepted', site.manager.id]);
  }
});
