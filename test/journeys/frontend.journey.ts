import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { codeBlocks } from '../client/installed-package.ts';
import { CheckoutCopy } from '../guides/checkout-copy.ts';
import { freePort } from '../support/free-port.ts';
import { emptyFolder } from './support/checkout.ts';
import { it, journey, openWindow } from './support/journey.ts';
import { press } from './support/people.ts';
import { promised } from './support/promised.ts';
import { showTerminals, Terminal } from './support/terminal.ts';

const followProgram = readFileSync('client/examples/follow-feed.ts', 'utf8');

/** Handles errors by their code, as the README of the package says. */
const errorProgram = `import { createApi, isApiError } from 'affiliate-program-client';

const { API_URL = '', API_TOKEN = '' } = process.env;
const api = createApi({ baseUrl: API_URL, token: API_TOKEN });
try {
  await api.coupons.get(999999);
} catch (error) {
  if (isApiError(error, 'no_answer')) console.log('The service does not answer.');
  else if (isApiError(error, 'svc_api_not_found')) console.log('There is no such coupon.');
  else if (isApiError(error, 'svc_api_invalid_key')) console.log('The key is not valid.');
  else throw error;
}
`;

journey('a frontend developer', () => {
  showTerminals();
  const empty = emptyFolder('frontend');
  const cache = emptyFolder('frontend-npm-cache');
  let checkout: CheckoutCopy;
  let mockUrl: string;
  let serviceUrl: string;
  let token: string;
  let service: Terminal;
  let project: Terminal;

  before(async () => {
    checkout = new CheckoutCopy();
    const [port, mockPort] = await Promise.all([freePort(), freePort()]);
    [serviceUrl, mockUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${mockPort}`];
    service = new Terminal(checkout.folder, { PORT: String(port) });
    project = new Terminal(empty, { npm_config_cache: cache });
  });

  const write = (name: string, source: string | undefined): void => writeFileSync(path.join(empty, name), source ?? '');
  const runProgram = (name: string, url: string, key: string): Promise<string> =>
    project.run(`API_URL=${url}/api/v2 API_TOKEN=${key} npx tsx ${name}`);

  it('starts a mock, which needs no backend, and gets an answer to the calls that it prints', async () => {
    const mock = new Terminal(checkout.folder, { PORT: new URL(mockUrl).port });
    const printed = await mock.start(promised('README.md', 'npm run mock'), 'every operation');
    const calls = [...printed.matchAll(/^ {2}(curl .*?)(?: {5}.*)?$/gm)].map(([, command = '']) => command);
    const answers: string[] = [];
    for (const call of calls) answers.push(await project.run(call));
    expect(answers[0]).to.include('200 OK').and.include('"id":');
    expect(answers[1]).to.include('409 Conflict');
    expect(answers[2]).to.include('/coupons/{id}');
  });

  it('packs the client, and installs it in an empty folder', async () => {
    await service.run(promised('docs/guides/write-a-client.md', 'npm run build:client && npm pack ./client'));
    const install = promised('docs/guides/write-a-client.md', 'npm install ./affiliate-program-client-2.0.0.tgz');
    await project.run(`npm init --yes && ${promised('docs/guides/write-a-client.md', 'npm pkg set type=module')}`);
    await project.run(install.replace('./', `${checkout.folder}/`));
    expect(project.exitCode).to.equal(0);
    await project.run('npm install --save-dev tsx typescript@5 @types/node@20');
    expect(project.exitCode).to.equal(0);
  });

  it('runs the program of the guide against the mock', async () => {
    const [source] = codeBlocks('docs/guides/write-a-client.md', 'ts');
    write('guide.ts', source);
    expect(await runProgram('guide.ts', mockUrl, 'any')).to.match(/may call \d+ operations[^]* sold for /);
  });

  it('is told by the compiler where a call is wrong', async () => {
    const compile = 'npx tsc --noEmit --strict --target es2022 --module nodenext --skipLibCheck guide.ts';
    expect(await project.run(compile)).not.to.include('error');
    write('guide.ts', readFileSync(path.join(empty, 'guide.ts'), 'utf8').replace("orderby: 'id'", "orderby: 'size'"));
    expect(await project.run(compile)).to.match(/guide\.ts[(:]\d+[,:]\d+.*'"size"' is not assignable/);
  });

  it('handles an error by its code: from the service, and without it', async () => {
    write('errors.ts', errorProgram);
    expect(await runProgram('errors.ts', serviceUrl, 'svc_none')).to.include('The service does not answer.');
    // As a site that adds a field to the API.
    const demo = 'SITE_MODULE=docs/guides/examples/site-module.mjs npm run demo -- --orders 300';
    await service.start(demo, promised('README.md', '--fresh starts over.'));
    const file = promised('docs/guides/write-a-client.md', 'data/demo/credentials.json');
    ({ token } = (JSON.parse(readFileSync(checkout.path(file), 'utf8')) as { admin: { token: string } }).admin);
    expect(await runProgram('errors.ts', serviceUrl, token)).to.include('There is no such coupon.');
    expect(await runProgram('errors.ts', serviceUrl, 'svc_none')).to.include('The key is not valid.');
  });

  it('finds on the reference page what the site serves, with the field that it adds and every error', async () => {
    const { page } = await openWindow();
    const address = promised('docs/guides/extend-a-site.md', 'http://127.0.0.1:8080/docs');
    await page.goto(`${serviceUrl}${promised('docs/guides/write-a-client.md', '/docs')}`);
    expect(new URL(page.url()).pathname).to.equal(new URL(address).pathname);
    await page.waitForSelector('html[data-ready]');
    for (const [words, target] of [
      ['landing_page', '#schema-Coupon.landing_page'],
      ['svc_api_below_threshold', '#error-svc_api_below_threshold'],
    ] as const) {
      await page.locator('#search').fill(words);
      await page.locator(`nav .results a[href="${target}"]`).click();
      await page.waitForFunction(`location.hash === '${target}'`);
      await page.locator(`[id="${target.slice(1)}"]`).waitFor();
    }
  });

  it('follows the feed, and sees a purchase in the shop as it happens', async () => {
    write('follow.ts', followProgram);
    const last = await project.run(
      `curl -s -D - -o last.json -H 'Authorization: Bearer ${token}' '${serviceUrl}/api/v2/events?per_page=1'`,
    );
    const [, after = ''] = /^x-svc-last-event: (\d+)/im.exec(last) ?? [];
    const following = project.start(`API_URL=${serviceUrl}/api/v2 API_TOKEN=${token} AFTER=${after} npx tsx follow.ts`, /order \d+ brings/);
    const { page } = await openWindow();
    await page.goto(`${serviceUrl}/demo-shop`);
    await page.getByLabel('Coupon').fill('TRAIL10');
    await press(page, 'Buy');
    const [, order = ''] = /^(\d+): /.exec((await page.locator('dd').first().textContent()) ?? '') ?? [];
    expect(await following).to.include(`order ${order} brings`);
    await project.interrupt();
  });
});
