import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { scanService } from '../risk/risk-service.ts';
import { createEarner } from '../support/payouts.ts';
import { payoutDetails } from '../support/program.ts';
import type { TestClock } from '../support/service.ts';
import { type ConsoleSite, checkPage, openConsole, startConsoleSite, visit, waitUntilShown } from './console-site.ts';
import type { ObservedPage } from './fixture.ts';

describe('the console of risk', () => {
  let site: ConsoleSite;
  let owner: ObservedPage;
  before(async () => {
    site = await startConsoleSite();
    await site.service.settings.set('addons.risk', true);
    owner = await openConsole(site, 'admin');
  });
  after(async () => {
    await owner.close();
    await site.service.stop();
  });
  beforeEach(() => void owner.errors.splice(0));

  const dialog = (): Locator => owner.page.getByRole('dialog');
  const toast = (text: string | RegExp): Promise<void> => owner.page.locator('.toast').getByText(text).first().waitFor();

  /** An affiliate with a requested payout, and with payment details that were replaced before it if so. Returns the payout's id. */
  async function requestPayout(login: string, isReplaced: boolean): Promise<{ id: number; userId: number }> {
    const { service, adminClient } = site;
    const { user, couponId } = await createEarner(service, login, 40);
    (service.clock as TestClock).advance(3600);
    const details = { email: `new-${login}@bank.example` };
    if (isReplaced) await payoutDetails(service, { userId: user.id, method: 'PayPal', methodType: 'paypal', details });
    const { body } = await adminClient.post('/payouts', { json: { coupon_id: couponId } });
    return { id: body.id, userId: user.id };
  }

  const statusOf = async (id: number): Promise<string> => (await site.adminClient.get(`/payouts/${id}`)).body.status;

  async function makePayPalFile(beforeIt?: () => Promise<void>): Promise<void> {
    const { page } = owner;
    await visit(owner, site, '/console/program/payday');
    await page.getByRole('button', { name: 'Make PayPal file' }).click();
    await dialog().getByText('of this method').waitFor();
    await beforeIt?.();
    await dialog().getByRole('button', { name: 'Make the file' }).click();
    await dialog().waitFor({ state: 'detached' });
  }

  const callsOf = async (path: string): Promise<string[]> => {
    // What the former page still loads is none of them.
    await owner.page.goto('about:blank');
    owner.requests.splice(0);
    await visit(owner, site, path);
    await owner.page.waitForLoadState('networkidle');
    return owner.requests.map((url) => new URL(url).pathname).filter((name) => name.startsWith('/api/v2/') && !name.endsWith('/me'));
  };

  it('leads from what waits to a signal and its payout, which no file has until the signal is dismissed with a note', async () => {
    const { page } = owner;
    const [calm, held] = [await requestPayout('calm', false), await requestPayout('nova', true)];
    await scanService(site.service);
    await visit(owner, site, '/console/program');
    await page.getByRole('link', { name: '1 risk signal' }).click();
    await page.waitForURL(`${site.origin}/console/risk`);
    await waitUntilShown(page);
    await page.getByText('What to do: Ask the affiliate by a way that you know').waitFor();
    await page.getByRole('article').getByRole('link', { name: 'The nova' }).waitFor();
    await checkPage(owner);
    await page.getByText('What was found').click();
    await page.getByRole('link', { name: `payout #${held.id}` }).click();
    await page.getByText('Held: New payment details before a payout').waitFor();
    await checkPage(owner);
    await makePayPalFile(async () => {
      await dialog().getByText('1 payout, €40.00').waitFor();
      await dialog().getByText('Held: New payment details before a payout').waitFor();
      await checkPage(owner);
    });
    await page.getByText('1 payout left out').click();
    await page.getByText('Held: Payout details were replaced').waitFor();
    expect([await statusOf(calm.id), await statusOf(held.id)]).to.deep.equal(['created', 'pending']);
    await page.getByRole('link', { name: 'Look at it' }).click();
    await page.getByRole('heading', { name: 'New payment details before a payout', level: 1 }).waitFor();
    await page.locator('.figure', { hasText: 'not requested yet' }).getByText('€0.00').waitFor();
    await page.locator('.figure', { hasText: 'waiting or on its way' }).getByText('€40.00').waitFor();
    await page.locator('.card', { hasText: 'At stake' }).getByRole('link', { name: 'The nova' }).waitFor();
    await checkPage(owner);
    await page.getByRole('button', { name: /^Dismiss/ }).click();
    await dialog().getByLabel('Note (optional)').fill('She called before she changed her bank.');
    await checkPage(owner);
    await dialog().getByRole('button', { name: 'Dismiss' }).click();
    await toast('Dismissed.');
    await page.getByText('She called before she changed her bank.').waitFor();
    await makePayPalFile();
    await page.getByText('1 payout, €40.00.').waitFor();
    expect([await statusOf(calm.id), await statusOf(held.id)]).to.deep.equal(['created', 'created']);
    const { body: files } = await site.adminClient.get<{ count: number; total: number }[]>('/payout-batches');
    expect(files.map(({ count, total }) => [count, total])).to.deep.equal([
      [1, 40],
      [1, 40],
    ]);
    await visit(owner, site, '/console/risk');
    await page.getByText('Nothing unusual waits for your decision.').waitFor();
    expect(owner.errors).to.deep.equal([]);
  });

  it('confirms a signal, shows it beside the affiliate, pays in spite of it by choice alone, and opens it again', async () => {
    const { page } = owner;
    const { id, userId } = await requestPayout('mira', true);
    await scanService(site.service);
    await visit(owner, site, '/console/risk?kind=details_changed');
    await page.getByRole('button', { name: 'Confirm: New payment details before a payout, The mira' }).click();
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await toast('Confirmed.');
    await page.getByRole('link', { name: 'Confirmed' }).click();
    await page.getByRole('article').getByRole('link', { name: 'The mira' }).click();
    await page.getByRole('link', { name: 'New payment details before a payout' }).waitFor();
    await waitUntilShown(page);
    await checkPage(owner);
    await makePayPalFile(async () => {
      await dialog().getByText('0 payouts, €0.00').waitFor();
      await dialog().getByLabel('Pay these, too. I have looked at each.').check();
      await dialog().getByText('1 payout, €40.00').waitFor();
    });
    expect(await statusOf(id)).to.equal('created');
    const { body: signals } = await site.adminClient.get<{ id: number }[]>(`/risk/signals?user_id=${userId}`);
    await visit(owner, site, `/console/risk/${signals[0]?.id}`);
    await page.getByRole('button', { name: /^Open again/ }).click();
    await dialog().getByRole('button', { name: 'Open again' }).click();
    await toast('Open again.');
    await page.getByRole('button', { name: /^Confirm/ }).waitFor();
    expect(owner.errors).to.deep.equal([]);
  });

  it('makes at most 4 calls for the first view of each page that shows signals', async () => {
    const { id, userId } = await requestPayout('runa', true);
    await scanService(site.service);
    const signal = (await site.adminClient.get<{ id: number }[]>(`/risk/signals?user_id=${userId}`)).body[0]?.id;
    const paths = ['/program', '/risk', `/risk/${signal}`, `/program/payouts/${id}`, '/program/payday', `/affiliates/${userId}`];
    for (const path of paths) {
      const calls = await callsOf(`/console${path}`);
      expect(calls, `${path}: ${calls.join(' ')}`).to.have.length.within(1, 4);
    }
  });

  it('is not there for an affiliate, and without the add-on for an admin', async () => {
    const titles = ({ page }: ObservedPage): Promise<string[]> => page.locator('#navigation li').allTextContents();
    const own = await openConsole(site, 'affiliate');
    for (const path of ['/console', '/console/payouts', '/console/account']) await visit(own, site, path);
    expect(await titles(own)).not.to.include('Risk');
    expect(own.requests.filter((url) => url.includes('/risk'))).to.deep.equal([]);
    await own.close();
    expect(await titles(owner)).to.include('Risk');
    await owner.page.goto('about:blank');
    await site.service.settings.set('addons.risk', false);
    owner.requests.splice(0);
    for (const path of ['/console/program', '/console/program/payday', `/console/affiliates/${site.affiliate.id}`])
      await visit(owner, site, path);
    expect(await titles(owner)).not.to.include('Risk');
    expect(owner.requests.filter((url) => url.includes('/risk'))).to.deep.equal([]);
  });
});
