import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { expect } from 'chai';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { runAfterAllTests } from './cleanup.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

// Switches off the requests of the browser itself, so that every observed request is one of the page.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let launching: Promise<Browser> | undefined;

function launchBrowser(): Promise<Browser> {
  if (!existsSync(executablePath))
    throw new Error(`There is no browser at ${executablePath}. Install Debian's chromium, or name another with the variable CHROMIUM.`);
  launching ??= chromium.launch({ executablePath, args }).then((browser) => {
    runAfterAllTests(() => {
      launching = undefined;
      return browser.close();
    });
    return browser;
  });
  return launching;
}

/** A page whose requests and errors are recorded. */
export interface ObservedPage {
  readonly page: Page;
  /** The URL of every request. */
  readonly requests: string[];
  /** Console messages, uncaught errors and violations of the content security policy. */
  readonly errors: string[];
  close(): Promise<void>;
}

export async function newPage(options: BrowserContextOptions = {}): Promise<ObservedPage> {
  const context = await (await launchBrowser()).newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const [requests, errors]: [string[], string[]] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => errors.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  await page.exposeFunction('reportViolation', (violation: string) => errors.push(`policy: ${violation}`));
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective + ' ' + event.blockedURI))`,
  );
  return { page, requests, errors, close: () => context.close() };
}

/** In the dialog that asks for it. */
export async function confirmPassword(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

/** No part of the page is loading. */
export async function waitUntilShown(page: Page): Promise<void> {
  await page.waitForSelector('html[data-ready]');
  await page.locator('.waiting, [aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Runs in the browser: the violations that axe-core finds, with the first element of each. */
const runAxe = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.filter(({ impact }) => impact !== 'minor').map(({ id, impact, nodes }) => id + ' (' + impact + '): ' + nodes[0].html.slice(0, 160)))`;

const widths = '[document.documentElement.scrollWidth, document.documentElement.clientWidth]';

/** Runs in the browser: the tables that are wider than their card or their dialog. */
const wideTables = `[...document.querySelectorAll('table')].flatMap((table) => {
  const box = table.closest('.card, dialog');
  return box && table.getBoundingClientRect().right > box.getBoundingClientRect().right ? [table.getAttribute('aria-label')] : [];
})`;

/** On a phone in the dark and on a light desktop: fits, is accessible, breaks no policy, logs nothing. */
export async function checkPage({ page, errors }: ObservedPage): Promise<void> {
  await page.evaluate(axe.source);
  for (const [viewport, colorScheme] of [
    [{ width: 360, height: 780 }, 'dark'],
    [{ width: 1280, height: 800 }, 'light'],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const [content, window] = await page.evaluate<[number, number]>(widths);
    expect(content, `${page.url()} at ${viewport.width} px`).to.equal(window);
    expect(await page.evaluate(runAxe), `${page.url()} at ${viewport.width} px`).to.deep.equal([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await page.evaluate(wideTables), `tables of ${page.url()} at 1280 px`).to.deep.equal([]);
  expect(errors, page.url()).to.deep.equal([]);
}
