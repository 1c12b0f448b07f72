import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { listBlocks } from '../guides/pages.ts';
import { type ObservedPage, waitUntilShown } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { downloadCheckout, emptyFolder } from './support/checkout.ts';
import { it, journey, openWindow } from './support/journey.ts';
import { choose, press, signIn } from './support/people.ts';
import { promised } from './support/promised.ts';
import { showTerminals, Terminal } from './support/terminal.ts';

/** Expects the lines of the block on the page, in its order. Ports and passwords differ from run to run. */
function expectPrinted(output: string, onThePage: string): void {
  const comparable = (text: string): string[] =>
    text
      .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
      .replaceAll(/(with the password) \S+/g, '$1 PASSWORD')
      .trim()
      .split('\n');
  const lines = comparable(onThePage).filter((line) => line !== '…');
  expect(comparable(output).filter((line) => lines.includes(line))).to.deep.equal(lines);
}

journey('a newcomer who has downloaded the repository and follows the README', () => {
  showTerminals();
  let port: number;
  let terminal: Terminal;
  let second: Terminal;
  let printed: string;
  let admin: ObservedPage;
  let affiliate: ObservedPage;
  /** Of the shop owner who goes live. */
  let own: Page;

  /** An address of the README. Port 8080 may be taken where the journeys run. */
  const at = (address: string): string => address.replace(':8080', `:${port}`);
  const passwordOf = (login: string): string =>
    new RegExp(`^Sign in there +${login} with the password (\\S+)$`, 'm').exec(printed)?.[1] ?? '';

  before(async () => {
    port = await freePort();
    const folder = downloadCheckout();
    const variables = { PORT: String(port), npm_config_cache: emptyFolder('npm-cache') };
    [terminal, second] = [new Terminal(folder, variables), new Terminal(folder, variables)];
  });

  const firstCommand = promised('README.md', 'npm ci && npm run demo');
  // npm ci compiles sqlite3 where it has no prebuilt package. The five minutes of the journeys do not count it.
  before(async function () {
    this.timeout(900_000);
    const startedMs = performance.now();
    await terminal.start(firstCommand, 'node dist/cli/affiliate.js demo', 890);
    process.stdout.write(
      `npm ci of the README's journey took ${Math.round((performance.now() - startedMs) / 1000)} s, which do not count.\n`,
    );
  });

  it(`starts the demo with ${firstCommand}, which prints what the README shows`, async () => {
    printed = await terminal.waitFor(promised('README.md', '--fresh starts over.'));
    expect(printed).to.include(`Base URL         ${at(promised('docs/guides/connect-a-store.md', 'http://127.0.0.1:8080'))}/`);
    expectPrinted(printed, listBlocks('README.md').find(({ language }) => language === '')?.source ?? '');
  });

  it('gets an answer to each call that the demo prints', async () => {
    const commands = [...printed.matchAll(/^ {2}(curl .*|DATA_DIR=.*)$/gm)].map(([, command = '']) => command);
    expect(commands).to.have.length(4);
    const answers: string[] = [];
    for (const command of commands) answers.push(await second.run(command));
    for (const [position, expected] of ['"unpaid_commission":', '"orders_count":', '"commission":', 'Unpaid '].entries())
      expect(answers[position], commands[position]).to.include(expected);
  });

  it('signs in to the console as the administrator, and sees the whole program', async () => {
    admin = await signInAs('admin');
    await admin.page.getByText('Trail Notes').first().waitFor();
  });

  it('signs in as the affiliate, and sees what Trail Notes has earned', async () => {
    affiliate = await signInAs(promised('README.md', 'trailnotes'));
    await affiliate.page.getByText('What you earned with your coupons, Trail Notes.').waitFor();
    await affiliate.page.getByLabel('Coupon', { exact: true }).selectOption('TRAIL10');
    await affiliate.page.getByRole('link', { name: '/r/TRAIL10' }).waitFor();
  });

  async function signInAs(login: string): Promise<ObservedPage> {
    const own = await openWindow();
    await own.page.goto(at(promised('README.md', 'http://127.0.0.1:8080/console')));
    await signIn(own.page, { login, password: passwordOf(login) });
    await waitUntilShown(own.page);
    return own;
  }

  it('buys something in the shop with the coupon TRAIL10, and watches the commission arrive', async () => {
    const { page } = affiliate;
    await page.goto(at(promised('README.md', 'http://127.0.0.1:8080/demo-shop')));
    await page.getByLabel('Product').selectOption({ label: 'Hiking boots, €159.90' });
    await page.getByLabel('Coupon').fill(promised('README.md', 'TRAIL10'));
    await press(page, 'Buy');
    await page.getByText('credited by the coupon').waitFor();
    const [, order = ''] = /^(\d+): Hiking boots/.exec((await page.locator('dd').first().textContent()) ?? '') ?? [];
    await choose(admin.page, 'Orders');
    await admin.page.getByRole('row').filter({ hasText: order }).first().waitFor();
  });

  it('follows the link of the shop, buys without a coupon, has it delivered and refunded', async () => {
    const { page } = affiliate;
    await page.goto(at(promised('docs/guides/connect-a-store.md', 'http://127.0.0.1:8080/demo-shop')));
    await page.getByRole('link', { name: '/r/TRAIL10' }).click();
    await page.getByText('This browser came by the link of TRAIL10').waitFor();
    await press(page, 'Buy');
    await page.getByText('credited by the link').waitFor();
    await page.getByText('(campaign newsletter)').waitFor();
    await press(page, 'Deliver it');
    await page.getByText(', completed').first().waitFor();
    await press(page, 'Refund it');
    await page.getByText('It was refunded, so it earns no commission.').waitFor();
  });

  it('sees the events of the shop where the demo says that webhooks go to', async () => {
    const [, address = ''] = /^Webhooks go to +(\S+), which lists them$/m.exec(printed) ?? [];
    const { page } = await openWindow();
    await page.goto(address);
    await page.getByText('"event": "referral.created"').first().waitFor();
  });

  it('subscribes, and sees a renewal and a refund', async () => {
    const { page } = affiliate;
    await page.goto(at(promised('README.md', 'http://127.0.0.1:8080/demo-shop/subscriptions')));
    await press(page, 'Subscribe');
    await page.getByText('invoice.paid: created').waitFor();
    await press(page, 'Next month');
    await page.getByText('invoice.paid: created').nth(1).waitFor();
    await press(page, 'Refund half');
    await page.getByText('charge.refunded: updated').waitFor();
    expect(await page.locator('dl').count()).to.equal(2);
  });

  it('sends examples on the reference page as they are, once signed in', async () => {
    const { page } = admin;
    await page.goto(at(promised('README.md', 'http://127.0.0.1:8080/docs')));
    await page.waitForSelector('html[data-ready]');
    for (const operation of ['get_me', 'get_coupons_id', 'get_reports_summary', 'get_payouts_id', 'get_events']) {
      const section = page.locator(`[data-operation=${operation}]`);
      await section.locator('.try > summary').click();
      await section.getByRole('button', { name: 'Send' }).click();
      await section.locator('.reply .status', { hasText: '200 OK' }).waitFor();
    }
  });

  it('stops the demo with Ctrl-C, and finds the same data after the next start', async () => {
    await terminal.interrupt();
    const again = await terminal.start('npm run demo', promised('README.md', 'The next start serves the same data'));
    expect(again).to.include(passwordOf('admin')).and.not.include('Creating');
    await terminal.interrupt();
  });

  const secondCommand = promised('README.md', 'npm ci && npm test');
  it(`has in ${secondCommand} what must hold before anything lands`, async () => {
    const lines = readFileSync('.ci/run', 'utf8').split('\n');
    const run = lines
      .map((line) => line.replace(/^npm ci --no-fund --no-audit$/, 'npm ci'))
      .filter((line) => secondCommand.split(' && ').includes(line));
    expect(run.join(' && ')).to.equal(secondCommand);
  });

  it('starts an empty service, and creates the first administrator behind the link that it prints', async () => {
    const output = await terminal.start(promised('README.md', 'npm start'), promised('README.md', 'Create the first administrator:'));
    ({ page: own } = await openWindow());
    await own.goto(/Create the first administrator: (\S+)/.exec(output)?.[1] ?? '');
    expect(new URL(own.url()).pathname).to.equal(promised('docs/guides/console.md', '/setup'));
    const fields = { Login: 'boss', 'E-mail': 'boss@shop.example', Password: 'nine pale mountains', 'Store name': 'Fjell' };
    for (const [label, text] of Object.entries(fields)) await own.getByLabel(label).fill(text);
    await own.getByLabel('Address of the shop').fill('https://shop.example');
    await own.getByLabel('Currency').selectOption('EUR');
    await own.getByLabel('Time zone').selectOption('Europe/Berlin');
    await own.getByLabel('Address of this service').fill('https://affiliates.shop.example');
    await press(own, 'Create the program');
    await own.getByText('Your program is ready.').waitFor();
  });

  it('signs in without HTTPS on the machine itself', async () => {
    await own.goto(`${at(promised('README.md', 'http://localhost:8080'))}/console`);
    await signIn(own, { login: 'boss', password: 'nine pale mountains' });
    await waitUntilShown(own);
  });

  it('is told in a second terminal what to click and paste in the shop', async () => {
    expect(await second.run(promised('README.md', 'npx affiliate store connect woocommerce'))).to.match(
      /^URL +https:\/\/affiliates\.shop\.example\/connect\/[0-9a-f]{32}$/m,
    );
    expect(second.exitCode).to.equal(0);
  });

  it('is told by the doctor what is missing', async () => {
    expect(await second.run(promised('README.md', 'npx affiliate doctor')))
      .to.match(/^warning +mail /m)
      .and.match(/^ok +ledger /m);
    expect(second.exitCode).to.equal(0);
  });

  it('has a key refused without HTTPS, and accepted in the environment local', async () => {
    const [key = ''] = /svc_\w{40}/.exec(await second.run('npx affiliate key create --user boss --scopes read')) ?? [];
    const call = `curl -s -H 'Authorization: Bearer ${key}' http://127.0.0.1:${port}/api/v2/me`;
    expect(await second.run(call)).to.include('HTTPS');
    await terminal.interrupt();
    await terminal.start(promised('README.md', 'ENVIRONMENT=local npm start'), 'listening on');
    expect(await second.run(call)).to.include('"access_level":"admin"');
    await terminal.interrupt();
  });
});
