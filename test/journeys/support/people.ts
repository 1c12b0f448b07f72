import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { waitUntilShown } from '../../support/browser.ts';
import { promised } from './promised.ts';
import type { Service } from './service.ts';

export interface Person {
  name: string;
  login: string;
  email: string;
  password: string;
}

export const owner: Person = { name: 'owner', login: 'owner', email: 'owner@fjell.example', password: 'nine pale mountains' };
export const anna: Person = {
  name: 'Anna Berg',
  login: 'anna.berg@example.com',
  email: 'anna.berg@example.com',
  password: 'four quiet fjords',
};

export const press = (within: Page | Locator, name: string | RegExp): Promise<void> =>
  within
    .getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
    .first()
    .click();

/** Presses a button in the open dialog, after which the dialog is gone. */
export async function pressInDialog(page: Page, name: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog');
  await press(dialog, name);
  await dialog.waitFor({ state: 'detached' });
}

/** Opens a page of the console by its entry in the navigation, which is behind the menu on a phone. */
export async function choose(page: Page, title: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  await page.locator('#navigation').getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await waitUntilShown(page);
}

export async function signIn(page: Page, { login, password }: Pick<Person, 'login' | 'password'>): Promise<void> {
  await page.getByLabel('Login or email').fill(login);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
}

const guide = 'docs/guides/open-the-program.md';

/** Fills in the page behind the link of the first start, field by field as the guide lists them, and signs in. */
export async function setUp(page: Page, service: Service, shopUrl: string): Promise<void> {
  const [, link = ''] = new RegExp(`${promised('README.md', 'Create the first administrator:')} (\\S+)`).exec(service.output) ?? [];
  expect(new URL(link).pathname).to.equal(promised('docs/guides/console.md', '/setup'));
  await page.goto(link);
  for (const label of promised(guide, 'Login, E-mail, Password').split(', '))
    await page.getByLabel(label).fill(owner[{ Login: 'login', 'E-mail': 'email', Password: 'password' }[label] as 'login']);
  const [storeName = '', shopAddress = ''] = promised(guide, 'Store name, Address of the shop').split(', ');
  await page.getByLabel(storeName).fill('Fjell');
  await page.getByLabel(shopAddress).fill(shopUrl);
  const [currency = '', zone = ''] = promised(guide, 'Currency, Time zone').split(', ');
  await page.getByLabel(currency).selectOption('EUR');
  await page.getByLabel(zone).selectOption('Europe/Oslo');
  expect(await page.getByLabel(promised(guide, 'Address of this service')).inputValue()).to.equal(service.url);
  await page.getByLabel(promised(guide, 'People can apply to join')).check();
  await press(page, 'Create the program');
  await page.getByText('Your program is ready.').waitFor();
  await signIn(page, owner);
  await waitUntilShown(page);
}

/** Chooses a password by the link in a mail, and signs in with it. */
export async function startAccount(page: Page, link: string, person: Person): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New password').fill(person.password);
  await page.getByLabel('Repeat the password').fill(person.password);
  await press(page, 'Set the password');
  await page.getByRole('link', { name: 'sign in' }).click();
  await signIn(page, person);
  await waitUntilShown(page);
}

/** Is paid by bank transfer from now on. */
export async function saveBankAccount(page: Page, person: Person): Promise<void> {
  await choose(page, 'Account');
  await press(page, 'Change your payout details');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Method').selectOption({ label: 'Bank transfer' });
  await dialog.getByLabel('Account holder').fill(person.name);
  await dialog.getByLabel('IBAN').pressSequentially('NO93 8601 1117 947');
  await dialog.getByText('This is a valid IBAN.').waitFor();
  await dialog.getByLabel('Town').fill('Oslo');
  // It is chosen already, by the first two letters of the IBAN.
  expect(await dialog.getByLabel('Country').locator('option:checked').textContent()).to.equal('Norway');
  await press(dialog, 'Save payout details');
  await page.getByText('ending in 7947').waitFor();
}
