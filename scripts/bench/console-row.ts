import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import type { Datasets } from './dataset/dataset.ts';
import { run, serve, temporaryFolder } from './processes.ts';
import type { OtherRow, Sampler } from './results.ts';
import type { Checkout } from './targets.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** What a page shows when it is of use: the console its first chart, the reference page the contract. */
const pages = {
  docs: { address: '/docs', shown: 'html[data-ready]' },
  service: { address: '/console', shown: 'canvas' },
} as const;

/** Both pages of the same demo, each sample in a new window of the browser with an empty cache and the session of the affiliate. */
async function consoleSamplers({ service: { engine, checkout } }: Datasets): Promise<Sampler[]> {
  if (engine !== 'sqlite') return [];
  if (!existsSync(executablePath)) {
    console.log(`There is no browser at ${executablePath}: the row is left out. Install Debian's chromium, or name another with CHROMIUM.`);
    return [];
  }
  const demo = await startDemo(checkout);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  const storageState = await signIn(browser, demo);
  const sample = async (target: keyof typeof pages) => ({ pageMs: await measurePage(browser, demo.origin, target, storageState) });
  // The first visit of each page reads its files from the disk.
  for (const target of ['docs', 'service'] as const) await sample(target);
  const close = async (): Promise<void> => {
    await browser.close();
    await demo.stop();
  };
  return [
    { target: 'docs', sample: () => sample('docs') },
    { target: 'service', sample: () => sample('service'), close },
  ];
}

interface Demo {
  origin: string;
  login: string;
  password: string;
  stop(): Promise<void>;
}

async function startDemo({ command, folder: cwd }: Checkout): Promise<Demo> {
  const folder = temporaryFolder();
  const { port, stop } = await serve({ args: [command, 'demo'], env: { DATA_DIR: folder, PORT: '0' }, cwd });
  const store = path.join(folder, 'demo');
  // More visits in a minute than the limits of a site allow.
  for (const limit of ['authenticated', 'anonymous'])
    await run({ args: [command, 'settings', 'set', `limits.${limit}`, '1000000'], env: { DATA_DIR: store }, cwd });
  const { affiliate } = JSON.parse(readFileSync(path.join(store, 'credentials.json'), 'utf8')) as {
    affiliate: Omit<Demo, 'origin' | 'stop'>;
  };
  return { origin: `http://127.0.0.1:${port}`, login: affiliate.login, password: affiliate.password, stop };
}

async function signIn(browser: Browser, { origin, login, password }: Demo) {
  const page = await browser.newPage();
  await page.goto(`${origin}/sign-in?to=/console`);
  await page.getByLabel('Login or email').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForSelector(pages.service.shown);
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

/** From the navigation to what the page is for, in milliseconds, by the clock of the page. */
async function measurePage(
  browser: Browser,
  origin: string,
  target: keyof typeof pages,
  storageState: NonNullable<BrowserContextOptions['storageState']>,
): Promise<number> {
  const { address, shown } = pages[target];
  const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    // The mark is set when the element appears: playwright itself finds it later.
    await page.addInitScript(
      `new MutationObserver((_, observer) => {
         if (document.querySelector('${shown}')) (performance.mark('shown'), observer.disconnect());
       }).observe(document, { attributes: true, childList: true, subtree: true });`,
    );
    await page.goto(origin + address);
    await page.waitForSelector(shown);
    return await page.evaluate<number>(`performance.getEntriesByName('shown')[0].startTime`);
  } finally {
    await context.close();
  }
}

export const consoleRow: OtherRow = {
  name: 'console',
  title: 'Console to its first chart, on the demo',
  sizes: ['1k'],
  samplers: consoleSamplers,
};
