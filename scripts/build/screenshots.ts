/** `npx tsx scripts/build/screenshots.ts`: takes the pictures of the reference page and the console in docs/images, from a demo store of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
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

type ColorScheme = 'light' | 'dark';

const affiliatePages = { affiliate: '/console?range=90d', request: '/console/payouts' };
const adminPages = { admin: '/console/program', applications: '/console/applications?status=pending', payouts: '/console/program/payouts' };

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
  for (const colorScheme of ['light', 'dark'] as const) {
    await capture(browser, colorScheme, origin, admin.token);
    await captureConsole(browser, colorScheme, { origin, login: affiliate, pages: affiliatePages });
    await captureConsole(browser, colorScheme, { origin, login: admin, pages: adminPages });
    await captureConsole(browser, colorScheme, { origin, login: affiliate, pages: { phone: '/console' }, width: 390 });
  }
  await browser.close();
} finally {
  if (demo.kill('SIGTERM')) await once(demo, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

/** Captures an operation with a call that was just made. */
async function capture(browser: Browser, colorScheme: ColorScheme, origin: string, token: string): Promise<void> {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1440, height: 900 } });
  await page.goto(`${origin}/docs#get_reports_summary`);
  await page.locator('nav .credential').click();
  await page.fill('#credential-token', token);
  await page.getByRole('button', { name: 'Use for calls' }).click();
  await page.locator('dialog').waitFor({ state: 'hidden' });
  const operation = page.locator('[data-operation=get_reports_summary]');
  await operation.locator('.try > summary').click();
  await operation.getByRole('button', { name: 'Send' }).click();
  await operation.locator('.reply .status').waitFor();
  await page.evaluate('document.activeElement.blur(); document.getElementById("get_reports_summary").scrollIntoView()');
  await page.screenshot({ path: `${target}/reference-${colorScheme}.png` });
  await page.close();
}

interface ConsoleShots {
  origin: string;
  login: Login;
  /** Addresses by the name of the picture. */
  pages: Record<string, string>;
  width?: number;
}

async function captureConsole(
  browser: Browser,
  colorScheme: ColorScheme,
  { origin, login, pages, width = 1440 }: ConsoleShots,
): Promise<void> {
  const page = await browser.newPage({ colorScheme, locale: 'en-GB', viewport: { width, height: 900 } });
  await page.goto(`${origin}/sign-in?to=/console`);
  await page.getByLabel('Login or email').fill(login.login);
  await page.getByLabel('Password').fill(login.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await waitUntilShown(page);
  for (const [name, address] of Object.entries(pages)) {
    await page.goto(origin + address);
    await waitUntilShown(page);
    if (name === 'applications')
      await page
        .getByRole('button', { name: /^Accept / })
        .first()
        .click();
    if (name === 'payouts') await page.getByRole('button', { name: 'Select all on this page' }).click();
    await page.screenshot({ path: `${target}/console-${name}-${colorScheme}.png` });
  }
  await page.close();
}

async function waitUntilShown(page: Page): Promise<void> {
  await page.waitForSelector('html[data-ready]');
  await page.waitForLoadState('networkidle');
}
