import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { User } from '../../domain/users/user.ts';
import { checkPage, waitUntilShown } from '../support/browser.ts';
import { clicks } from '../support/clicks.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { coupon, newOrderId, orders, payoutDetails } from '../support/program.ts';
import { TestClock } from '../support/service.ts';
import { admin, newPage, type ObservedPage, type Site, startSite } from './fixture.ts';

export { checkPage, confirmPassword, waitUntilShown } from '../support/browser.ts';

const password = 'a long password of a person';

/** A site with a year of orders, an affiliate with two coupons, and clients that check effects through the API. */
export interface ConsoleSite extends Site {
  readonly affiliate: User;
  readonly manager: User;
  readonly couponId: number;
  readonly adminClient: ContractClient;
  readonly affiliateClient: ContractClient;
}

const dayMs = 24 * 60 * 60 * 1000;

export async function startConsoleSite(edition?: 'free', { isEmpty = false, currency = 'EUR' } = {}): Promise<ConsoleSite> {
  // The pages compute their ranges with the clock of the browser.
  const site = await startSite({ clock: new TestClock(Date.now()), ...(edition && { edition }) });
  const { service } = site;
  await service.settings.set('store.currency', currency);
  await service.settings.set('store.timezone', 'Europe/Berlin');
  // As in the demo.
  await service.settings.set('addons.insights', true);
  await service.settings.set('addons.management', true);
  await service.settings.set('addons.agents', true);
  const affiliate = await service.user('trail', 'affiliate', { password });
  await service.user('customer', 'customer', { password });
  const manager = await service.user('manager', 'manager', { password });
  const clients = {
    affiliateClient: await service.client((await service.key(affiliate, ['read', 'write'])).headers),
    adminClient: await service.client({ Authorization: `Bearer ${site.token}` }),
  };
  if (isEmpty) return { ...site, ...clients, affiliate, manager, couponId: 0 };
  const couponId = await coupon(service, 'TRAIL10', { userId: affiliate.id });
  await coupon(service, 'TRAIL20', { userId: affiliate.id });
  const at = (daysAgo: number): string => new Date(service.clock.now() - daysAgo * dayMs).toISOString();
  const days = Array.from({ length: 25 }, (_, index) => 1 + index * 3);
  await orders(
    service,
    days.map((day) => ({ id: newOrderId(), coupon: couponId, at: at(day), total: 100 + day, ...(day % 2 && { campaign: 'spring' }) })),
  );
  await clicks(
    service,
    days.map((day) => ({ coupon: couponId, at: at(day), visitor: `visitor ${day % 7}`, ...(day % 2 && { campaign: 'spring' }) })),
  );
  await payoutDetails(service, { userId: affiliate.id, method: 'PayPal', methodType: 'paypal', details: { email: 'pay@trail.example' } });
  return { ...site, ...clients, affiliate, manager, couponId };
}

interface Login {
  login: string;
  password: string;
}

const logins = {
  admin,
  affiliate: { login: 'trail', password },
  customer: { login: 'customer', password },
  manager: { login: 'manager', password },
};
type Person = keyof typeof logins | Login;

export async function signIn(page: Page, person: Person): Promise<void> {
  const { login, password } = typeof person === 'string' ? logins[person] : person;
  await page.getByLabel('Login or email').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** A window in which the person is signed in, at this address of the console. */
export async function openConsole(
  { origin }: Site,
  person: Person,
  { path = '/console', ...options }: BrowserContextOptions & { path?: string } = {},
): Promise<ObservedPage> {
  const observed = await newPage({ locale: 'en-GB', ...options });
  await observed.page.goto(`${origin}${path}`);
  await signIn(observed.page, person);
  await waitUntilShown(observed.page);
  return observed;
}

/** Goes to another page by its address. */
export async function visit({ page }: ObservedPage, { origin }: Site, path: string): Promise<void> {
  await page.goto(`${origin}${path}`);
  await waitUntilShown(page);
}

/** Changes a setting while no page is open that may still ask for what the setting takes away. */
export async function changeSetting({ page }: ObservedPage, { service }: Site, path: string, value: unknown): Promise<void> {
  await page.goto('about:blank');
  await service.settings.set(path, value);
}

/** Checks all pages of the navigation. */
export async function checkAllPages(observed: ObservedPage, site: Site): Promise<void> {
  const links = await observed.page.locator('#navigation li a').all();
  for (const path of await Promise.all(links.map((link) => link.getAttribute('href')))) {
    await visit(observed, site, path ?? '');
    await checkPage(observed);
  }
}

/** The lines of the CSV file that the button saves. */
export async function downloadLines(page: Page, button: Locator): Promise<string[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
}

/** The text of a figure. */
export const figure = (page: Page, name: string): Promise<string | null> =>
  page
    .locator('.figure', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    .first()
    .locator('.figure-value')
    .textContent();
