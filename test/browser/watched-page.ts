import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { atTheEnd } from '../support/ending.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

// Nothing of the browser's own goes out, so that every request that is seen is the page's.
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

function browser(): Promise<Browser> {
  if (!existsSync(executablePath))
    throw new Error(`There is no browser at ${executablePath}. Install Debian's chromium, or name another with the variable CHROMIUM.`);
  launching ??= chromium.launch({ executablePath, args }).then((launched) => {
    atTheEnd(() => launched.close());
    return launched;
  });
  return launching;
}

/** A page that is looked at all the time: what it asks for, what it complains about. */
export interface WatchedPage {
  readonly page: Page;
  /** Every address that was asked for. */
  readonly requests: string[];
  /** Console messages, uncaught errors and what the content security policy refused. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export async function watchedPage(options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await (await browser()).newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const [requests, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  await page.exposeFunction('reportViolation', (violation: string) => complaints.push(`policy: ${violation}`));
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective + ' ' + event.blockedURI))`,
  );
  return { page, requests, complaints, close: () => context.close() };
}

/** The reference page, once it shows the contract. */
export async function openReference(page: Page, origin: string, place = ''): Promise<void> {
  await page.goto(`${origin}/docs${place}`);
  await page.waitForSelector('html[data-ready]');
}
