import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Clock } from '../../domain/clock.ts';
import type { SiteModule } from '../../site/extension.ts';
import { builtWeb } from '../support/built-web.ts';
import { runAfterAllTests } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

export const admin = { login: 'boss', password: 'a long password of the boss' };

/** A service with an administrator who has every kind of credential. */
export interface Site {
  readonly service: TestService;
  readonly origin: string;
  readonly token: string;
  readonly appPassword: string;
}

interface SiteOptions {
  siteModule?: SiteModule;
  edition?: 'free';
  env?: Record<string, string>;
  clock?: Clock;
}

export async function startSite({ siteModule = {}, edition, env = {}, clock }: SiteOptions = {}): Promise<Site> {
  await builtWeb();
  const service = await (
    await TestService.start({ databaseUrl: `sqlite:${temporaryFolder('browser-')}/store.db`, siteModule, env, ...(clock && { clock }) })
  ).withoutLimits();
  if (edition) await service.settings.set('edition', edition);
  const user = await service.user(admin.login, 'administrator', { password: admin.password });
  const { token } = await service.key(user, ['read', 'write', 'manage']);
  const { Authorization = '' } = await service.appPassword(user);
  const [, appPassword = ''] = Buffer.from(Authorization.slice('Basic '.length), 'base64').toString().split(':');
  return { service, origin: service.origin, token, appPassword };
}

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

/** Opens the reference page and waits until it shows the contract. */
export async function openReference(page: Page, origin: string, suffix = ''): Promise<void> {
  await page.goto(`${origin}/docs${suffix}`);
  await page.waitForSelector('html[data-ready]');
}

/** The requests to another origin than the site's. */
export const foreignRequests = ({ requests }: ObservedPage, { origin }: Site): string[] =>
  requests.filter((url) => new URL(url).origin !== origin);
