/** `npx tsx scripts/build/screenshots.ts`: takes the pictures of the console in docs/images, from a demo store of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createRecords } from './screenshot-records.ts';
import { buildWeb } from './web.ts';

const target = 'docs/images';
const folder = mkdtempSync(path.join(tmpdir(), 'screenshots-'));

interface Demo {
  base_url: string;
  admin: Login & { token: string };
  affiliate: Login;
}

interface Login {
  login: string;
  password: string;
}

/** Pictures of the first record of a list: what the address of each record has in it. */
const ofRecords: Record<string, string> = { coupon: '/coupons/', payout: '/payouts/', webhook: '/webhooks/', signal: '/risk/' };

const colorSchemes = ['light', 'dark'] as const;
type ColorScheme = (typeof colorSchemes)[number];

const viewports = {
  page: { width: 1440, height: 900 },
  phone: { width: 390, height: 900 },
  desktop: { width: 1120, height: 900 },
  small: { width: 1280, height: 760 },
};
const affiliatePages = { affiliate: '/console?range=90d', request: '/console/payouts', account: '/console/account' };
const moreAffiliatePages = { 'own-orders': '/console/orders?range=90d', clicks: '/console/clicks?range=90d' };
const moreAdminPages = {
  affiliates: '/console/affiliates',
  history: '/console/affiliates/42?tab=history',
  coupons: '/console/coupons',
  coupon: '/console/coupons',
  keys: '/console/keys',
  methods: '/console/settings?tab=methods',
  payout: '/console/program/payouts',
  signal: '/console/risk',
};
const filledPages = { files: '/console/program/batches', webhooks: '/console/webhooks', webhook: '/console/webhooks' };
const adminPages = {
  admin: '/console/program',
  person: '/console/affiliates/42',
  orders: '/console/program/orders',
  applications: '/console/applications?status=pending',
  payouts: '/console/program/payouts',
  payday: '/console/program/payday',
  risk: '/console/risk',
  feed: '/console/feed',
  settings: '/console/settings?tab=commission',
};

await buildWeb('dist/web');
const demo = spawn(process.execPath, ['--import', 'tsx', 'cli/affiliate.ts', 'demo', '--orders', '2000'], {
  env: { ...process.env, DATA_DIR: folder, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const ended = once(demo, 'exit').then((): never => {
    throw new Error('The demo ended before it was ready.');
  });
  let output = '';
  while (!output.includes('listening on')) output += String(await Promise.race([once(demo.stdout, 'data'), ended]));
  const { base_url, admin, affiliate } = JSON.parse(readFileSync(path.join(folder, 'demo/credentials.json'), 'utf8')) as Demo;
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  mkdirSync(target, { recursive: true });
  const { origin } = new URL(base_url);
  for (const colorScheme of colorSchemes) {
    const { desktop, phone, small } = viewports;
    await captureConsole(browser, colorScheme, { origin, login: affiliate, pages: affiliatePages });
    await captureConsole(browser, colorScheme, { origin, login: admin, pages: adminPages });
    await captureConsole(browser, colorScheme, { origin, login: affiliate, pages: moreAffiliatePages, viewport: small });
    await captureConsole(browser, colorScheme, { origin, login: admin, pages: moreAdminPages, viewport: small });
    await captureConsole(browser, colorScheme, { origin, login: affiliate, pages: { phone: '/console' }, viewport: phone });
    await captureConsole(browser, colorScheme, {
      origin,
      login: admin,
      pages: { program: '/console/program' },
      viewport: desktop,
      to: folder,
    });
    await compose(browser, colorScheme);
    await captureJoining(browser, colorScheme);
  }
  await createRecords({ baseUrl: base_url, token: admin.token, certificate: undefined });
  for (const colorScheme of colorSchemes) {
    await captureConsole(browser, colorScheme, { origin, login: admin, pages: { shop: '/console/shop' } });
    await captureConsole(browser, colorScheme, { origin, login: admin, pages: filledPages, viewport: viewports.small });
  }
  await browser.close();
} finally {
  if (demo.kill('SIGTERM')) await once(demo, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

interface ConsoleShots {
  origin: string;
  login: Login;
  /** Addresses by the name of the picture. */
  pages: Record<string, string>;
  viewport?: { width: number; height: number };
  /** The folder of the pictures. */
  to?: string;
}

async function captureConsole(
  browser: Browser,
  colorScheme: ColorScheme,
  { origin, login, pages, viewport = viewports.page, to = target }: ConsoleShots,
): Promise<void> {
  const page = await browser.newPage({ colorScheme, locale: 'en-GB', viewport });
  // Longer than a page waits that has reached the rate limit.
  page.setDefaultTimeout(90_000);
  await page.goto(`${origin}/sign-in?to=/console`);
  await signIn(page, login);
  for (const [name, address] of Object.entries(pages)) {
    await page.goto(origin + address);
    await waitUntilShown(page);
    if (name === 'applications') {
      const accept = page.getByRole('button', { name: /^Accept / }).first();
      await Promise.all([page.waitForResponse(/\/preview$/), accept.click()]);
      await page.locator('.waiting').waitFor({ state: 'detached' });
    }
    if (ofRecords[name]) await openFirst(page, ofRecords[name]);
    if (name === 'orders') await explainFirst(page);
    if (name === 'payouts') await page.getByRole('button', { name: 'Select all on this page' }).click();
    await page.screenshot({ path: `${to}/console-${name}-${colorScheme}.png` });
  }
  await page.close();
}

async function openFirst(page: Page, part: string): Promise<void> {
  await page.locator(`main a[href*="${part}"]`).first().click();
  await page.waitForURL(/\/\d+$/);
  await waitUntilShown(page);
}

async function explainFirst(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Explain #/ })
    .nth(1)
    .click();
  await page.getByText('How it is computed').waitFor();
}

async function signIn(page: Page, { login, password }: Login): Promise<void> {
  await page.getByLabel('Login or email').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await waitUntilShown(page);
}

/** The pages before the first sign-in, and the first one after it, of a service in an empty folder. */
async function captureJoining(browser: Browser, colorScheme: ColorScheme): Promise<void> {
  const dataDir = path.join(folder, `empty-${colorScheme}`);
  const service = spawn(process.execPath, ['--import', 'tsx', 'cli/affiliate.ts', 'serve', '--json'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(service.stdout, 'data');
  const { url, setup } = JSON.parse(String(line)) as { url: string; setup: string };
  const page = await browser.newPage({ colorScheme, viewport: { width: 720, height: 1000 } });
  await page.goto(setup);
  await fill(page, { Login: 'ingrid', 'E-mail': 'ingrid@fjell.example', Password: 'nine pale mountains', 'Store name': 'Fjell' });
  await page.getByLabel('Address of the shop').fill('https://fjell.example');
  await page.getByLabel('Currency').selectOption('EUR');
  await page.getByLabel('Time zone').selectOption('Europe/Oslo');
  await page.getByLabel('People can apply to join').check();
  await page.screenshot({ path: `${target}/setup-${colorScheme}.png`, fullPage: true });
  await page.getByRole('button', { name: 'Create the program' }).click();
  await page.waitForURL(/\/sign-in\?/);
  await page.setViewportSize(viewports.small);
  await signIn(page, { login: 'ingrid', password: 'nine pale mountains' });
  await page.screenshot({ path: `${target}/console-first-steps-${colorScheme}.png` });
  await page.setViewportSize(viewports.phone);
  await page.goto(`${url}/apply`);
  await fill(page, { 'E-mail': 'anna@example.com', Website: 'https://anna.example', 'Coupon code': 'ANNA10' });
  await page.getByLabel('Name', { exact: true }).fill('Anna Berg');
  await page.getByLabel('How will you promote us?').fill('A newsletter about huts');
  await page.screenshot({ path: `${target}/apply-${colorScheme}.png`, fullPage: true });
  await page.close();
  if (service.kill('SIGTERM')) await once(service, 'exit');
}

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
}

/** The picture of the README: the console of an admin on a desktop, and that of an affiliate on a phone beside it. */
async function compose(browser: Browser, colorScheme: ColorScheme): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1286, height: 820 } });
  const image = (className: string, file: string): string =>
    `<img class="${className}" src="data:image/png;base64,${readFileSync(`${file}-${colorScheme}.png`, 'base64')}">`;
  await page.setContent(`<style>
    body { margin: 0 }
    img { position: absolute; box-sizing: border-box; border: 1px solid #8b93a7 }
    .desktop { left: 4px; top: 4px; width: 1010px; border-radius: 12px }
    .phone { right: 4px; bottom: 4px; width: 290px; border: 7px solid #2b3040; border-radius: 34px }
  </style>${image('desktop', `${folder}/console-program`)}${image('phone', `${target}/console-phone`)}`);
  await page.screenshot({ path: `${target}/console-${colorScheme}.png`, omitBackground: true });
  await page.close();
}

async function waitUntilShown(page: Page): Promise<void> {
  await page.waitForSelector('html[data-ready]');
  // The feed keeps a stream open, so the network is never idle there.
  await page.locator('.waiting, [aria-busy=true]').first().waitFor({ state: 'detached' });
}
