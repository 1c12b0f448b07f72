/** `npx tsx scripts/build/screenshots.ts`: takes the pictures of the reference page in docs/images, from a demo store of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { buildWeb } from './web.ts';

const target = 'docs/images';
const folder = mkdtempSync(path.join(tmpdir(), 'screenshots-'));

interface Demo {
  base_url: string;
  admin: { token: string };
}

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
  const { base_url, admin } = JSON.parse(readFileSync(path.join(folder, 'demo/credentials.json'), 'utf8')) as Demo;
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  mkdirSync(target, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) await capture(browser, colorScheme, new URL(base_url).origin, admin.token);
  await browser.close();
} finally {
  if (demo.kill('SIGTERM')) await once(demo, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

/** Captures an operation with a call that was just made. */
async function capture(browser: Browser, colorScheme: 'light' | 'dark', origin: string, token: string): Promise<void> {
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
