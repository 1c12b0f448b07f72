import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { submit } from '../support/applications.ts';
import { type ConsoleSite, checkPage, openConsole, startConsoleSite, visit, waitUntilShown } from './console-site.ts';
import type { ObservedPage } from './fixture.ts';

/** What leaves the page, or acts at once. */
const isLeft = (name: string): boolean =>
  /^(Sign out|Close|Switch to|Download|Preview|Show|Next|Previous|First|Last|Newer|Older)/.test(name);

/** The buttons of the page, one of each kind: those of rows and of affiliates differ by what they name. */
async function buttonsOf(page: Page): Promise<string[]> {
  const named = await page.locator('main button:enabled:visible').evaluateAll((buttons) =>
    buttons.map((button) => {
      const name = (button.getAttribute('aria-label') ?? button.textContent ?? '').trim();
      return [button.closest('table, li') ? name.split(' ').slice(0, 2).join(' ') : name, name] as const;
    }),
  );
  const kinds = new Map(named);
  return [...kinds.values()].filter((name) => name !== '' && !isLeft(name));
}

/** Runs in the browser: a dialog opens in an effect, after the next frame. */
const rendered = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))';

/** Presses the button, and waits for the answer if it sends a request. True if a dialog is open then. */
async function opens({ page, requests }: ObservedPage, name: string): Promise<boolean> {
  const sent = requests.length;
  const answer = page.waitForResponse(() => true, { timeout: 10_000 }).catch(() => null);
  await page.locator('main').getByRole('button', { name, exact: true }).first().click();
  await page.evaluate(rendered);
  const dialog = page.locator('dialog[open]');
  if ((await dialog.count()) === 0 && requests.length > sent) {
    await answer;
    await dialog.waitFor({ timeout: 2000 }).catch(() => null);
  }
  return (await dialog.count()) > 0;
}

describe('every dialog of the console', () => {
  let site: ConsoleSite;
  before(async () => {
    site = await startConsoleSite();
    await site.service.settings.set('addons.store', true);
    await site.service.settings.set('addons.risk', true);
    await submit(site.service, { login: 'hazel', email: 'hello@hazel.example', displayName: 'Hazel', couponCode: 'HAZEL10' });
    await site.adminClient.post('/payouts', { json: { coupon_id: site.couponId } });
  });
  after(() => site.service.stop());

  /** Presses each button of each page, checks what opens, and goes back. Returns the titles of the dialogs. */
  async function checkDialogs(own: ObservedPage, paths: readonly string[]): Promise<Set<string>> {
    const titles = new Set<string>();
    for (const path of paths) {
      await visit(own, site, path);
      for (const name of await buttonsOf(own.page)) {
        const dialog = own.page.locator('dialog[open]');
        if (!(await opens(own, name))) continue;
        const title = await dialog.locator('h2').innerText();
        // The password is asked for after a refusal.
        own.errors.splice(0, own.errors.length, ...own.errors.filter((text) => !text.includes('status of 403')));
        if (!titles.has(title)) await checkPage(own);
        titles.add(title);
        await visit(own, site, path);
      }
    }
    return titles;
  }

  for (const [person, expected] of [
    ['admin', ['New key', 'New webhook', 'Add an affiliate', 'Connect a shop', 'Bonus or correction']],
    ['affiliate', ['Change your payout details', 'Change your password']],
  ] as const)
    it(`that a button of a page opens for the ${person} has no finding, on a phone and on a desktop, dark and light`, async function () {
      this.timeout(300_000);
      const own = await openConsole(site, person);
      const links = await own.page.locator('#navigation li a').all();
      const paths = await Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
      if (person === 'admin')
        paths.push(
          `/console/affiliates/${site.affiliate.id}`,
          `/console/affiliates/${site.affiliate.id}?tab=adjustments`,
          `/console/coupons/${site.couponId}`,
        );
      await waitUntilShown(own.page);
      const titles = await checkDialogs(own, paths);
      expect([...titles]).to.include.members([...expected]);
      await own.close();
    });
});
