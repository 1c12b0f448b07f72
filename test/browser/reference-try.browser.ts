import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { TestClock } from '../support/service.ts';
import { admin, foreignRequests, newPage, type ObservedPage, openReference, type Site, startSite } from './fixture.ts';

/** How each sample is run, and a word that it has in common with no other. Where a command is missing, the sample is read only. */
const interpreters = {
  curl: { command: 'bash', args: ['-c'], file: 'curl -X POST' },
  JavaScript: { command: process.execPath, args: ['--input-type=module', '--eval'], file: 'await fetch' },
  Python: { command: 'python3', args: ['-c'], file: 'urlopen(request)' },
  PHP: { command: 'php', args: ['-r'], file: 'curl_init' },
};

/** Enters a credential in the dialog of the page. */
async function enterCredential(page: Page, kind: string, fields: Record<string, string>): Promise<void> {
  await page.locator('nav .credential').click();
  await page.locator('dialog').getByText(kind, { exact: true }).first().click();
  for (const [id, value] of Object.entries(fields)) await page.fill(`#${id}`, value);
  await page.getByRole('button', { name: 'Use for calls' }).click();
}

const waitForCredential = async (page: Page, name: string): Promise<void> => {
  await page.locator('dialog').waitFor({ state: 'hidden' });
  await page.locator('nav .credential', { hasText: name }).waitFor();
};

async function openForm(page: Page, operation: string): Promise<Locator> {
  const section = page.locator(`[data-operation=${operation}]`);
  await section.locator('.try > summary').click();
  return section.locator('.try-form');
}

async function send(form: Locator): Promise<{ status: string; body: string }> {
  await form.getByRole('button', { name: 'Send' }).click();
  await form.locator('.reply .status').waitFor();
  return {
    status: (await form.locator('.reply .status').textContent()) ?? '',
    body: (await form.locator('.reply pre').first().textContent()) ?? '',
  };
}

/** Signs in through the dialog of credentials, which returns to the same place on the page. */
async function useSession(page: Page, { origin }: Site, hash: string): Promise<void> {
  await openReference(page, origin, hash);
  await page.locator('nav .credential').click();
  await page.locator('dialog').getByText('Session', { exact: true }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Login or email').fill(admin.login);
  await page.getByLabel('Password').fill(admin.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${origin}/docs${hash}`);
  await waitForCredential(page, 'Signed-in session');
}

const confirmation = (page: Page): Locator => page.getByRole('dialog', { name: 'Confirm your password' });

/** Sends the form, and gives this password in the dialog. */
async function sendWithPassword(form: Locator, password: string): Promise<void> {
  await form.getByRole('button', { name: 'Send' }).click();
  const dialog = confirmation(form.page());
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** What a page could keep. */
const kept = `JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, document.cookie])`;

describe('a call from the reference page', () => {
  let site: Site;
  let observed: ObservedPage;
  before(async () => {
    site = await startSite();
  });
  beforeEach(async () => {
    observed = await newPage();
    await openReference(observed.page, site.origin);
  });
  afterEach(async () => {
    expect(foreignRequests(observed, site)).to.deep.equal([]);
    expect(observed.requests.filter((url) => url.includes(site.token) || url.includes(admin.password))).to.deep.equal([]);
    await observed.close();
  });
  after(() => site.service.stop());

  it('reads with an API key, and is shown as curl without the key', async () => {
    const { page } = observed;
    await enterCredential(page, 'API key', { 'credential-token': site.token });
    await waitForCredential(page, site.token.slice(0, 8));
    const form = await openForm(page, 'get_me');
    const { status, body } = await send(form);
    expect(status).to.equal('200 OK');
    expect(JSON.parse(body)).to.have.nested.property('auth.method', 'api_key');
    expect(await page.locator('[data-operation=get_me] .language-shell').textContent())
      .to.include('/api/v2/me')
      .and.include('$TOKEN')
      .and.not.include(site.token);
    expect(observed.errors).to.deep.equal([]);
  });

  it('writes with an API key, with a body that starts as the example of the contract', async () => {
    const { page } = observed;
    await enterCredential(page, 'API key', { 'credential-token': site.token });
    await waitForCredential(page, 'API key');
    const form = await openForm(page, 'post_keys');
    expect(JSON.parse(await form.locator('textarea').inputValue())).to.have.property('user_id', 42);
    await form.locator('textarea').fill('{ "description": "made by hand", ');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('This is not JSON').waitFor();
    await form.locator('textarea').fill('{ "description": "made by hand", "scopes": ["read"] }');
    const { status, body } = await send(form);
    expect(status).to.equal('201 Created');
    expect(JSON.parse(body)).to.have.property('description', 'made by hand');
    expect(observed.errors).to.deep.equal([]);
  });

  it('fills the path and the query from its fields', async () => {
    const { page } = observed;
    await enterCredential(page, 'API key', { 'credential-token': site.token });
    await waitForCredential(page, 'API key');
    const form = await openForm(page, 'get_keys');
    await form.getByLabel('per_page').fill('101');
    expect((await send(form)).body).to.include('per_page');
    expect(observed.requests.at(-1)).to.equal(`${site.origin}/api/v2/keys?per_page=101`);
  });

  it('is shown in curl, JavaScript, Python and PHP as the form is filled in, and each of them works', async () => {
    const { page } = observed;
    await enterCredential(page, 'API key', { 'credential-token': site.token });
    await waitForCredential(page, 'API key');
    const form = await openForm(page, 'post_keys');
    const run = promisify(execFile);
    const env = { ...process.env, TOKEN: site.token };
    const created: string[] = [];
    for (const [title, { command, args, file }] of Object.entries(interpreters)) {
      const description = `${title}: it's "quoted" \\ \n ü €`;
      await form.locator('textarea').fill(JSON.stringify({ description, scopes: ['read', 'write'], expires: '2099-01-01' }));
      await page.locator('[data-operation=post_keys]').getByRole('tab', { name: title, exact: true }).click();
      const text = (await page.locator('[data-operation=post_keys] .tabbed pre').first().textContent()) ?? '';
      expect(text).to.include(file).and.not.include(site.token);
      if (spawnSync(command, ['--version']).error) continue;
      await run(command, [...args, text.replace(/^<\?php/, '')], { env });
      created.push(description);
    }
    const answer = await fetch(`${site.origin}/api/v2/keys?per_page=100`, { headers: { Authorization: `Bearer ${site.token}` } });
    const keys = (await answer.json()) as { description: string; scopes: string[] }[];
    const made = keys.filter(({ description }) => created.includes(description));
    expect(created).to.have.length.above(2);
    expect(made.map(({ scopes }) => scopes)).to.deep.equal(created.map(() => ['read', 'write']));
    await form.locator('textarea').fill('{ "description": ');
    expect(await page.locator('[data-operation=post_keys] .tabbed pre').first().textContent()).to.include('PHP: it');
  });

  it('is shown with the path, the query and the kind of credential that it will be sent with', async () => {
    const { page } = observed;
    await enterCredential(page, 'Basic', { 'credential-login': admin.login, 'credential-password': site.appPassword });
    await waitForCredential(page, admin.login);
    const form = await openForm(page, 'get_coupons_id_stats');
    await form.getByLabel('id').fill('7');
    await form.getByLabel('from').fill('2026-01-01');
    const sample = page.locator('[data-operation=get_coupons_id_stats] .tabbed pre').first();
    expect(await sample.textContent())
      .to.include('/coupons/7/stats?from=2026-01-01')
      .and.include('-u "$LOGIN:$APP_PASSWORD"');
  });

  it('explains the error that it is answered with', async () => {
    const form = await openForm(observed.page, 'get_me');
    expect((await send(form)).status).to.equal('401 Unauthorized');
    expect(await form.locator('.hint').textContent())
      .to.include('svc_api_unauthorized')
      .and.include('Send an API key');
  });

  it('is sent with a login and an application password', async () => {
    const { page } = observed;
    await enterCredential(page, 'Basic', { 'credential-login': admin.login, 'credential-password': site.appPassword });
    await waitForCredential(page, admin.login);
    const { body } = await send(await openForm(page, 'get_me'));
    expect(JSON.parse(body)).to.have.nested.property('auth.method', 'basic');
    expect(observed.errors).to.deep.equal([]);
  });

  it('is sent with the session after signing in, which returns to the same place on the page', async () => {
    const { page } = observed;
    await useSession(page, site, '#post_webhooks');
    const form = await openForm(page, 'post_webhooks');
    await form.locator('textarea').fill('{ "url": "https://books.fjell.example/hooks", "events": ["payout.paid"] }');
    expect((await send(form)).status).to.equal('201 Created');
    expect(observed.errors).to.deep.equal([]);
  });

  it('asks a session for the password where the contract says so, and keeps it nowhere', async () => {
    const { page } = observed;
    await useSession(page, site, '#post_keys');
    (site.service.clock as TestClock).advance(600);
    const form = await openForm(page, 'post_keys');
    await form.locator('textarea').fill('{ "description": "confirmed", "scopes": ["read"] }');
    await sendWithPassword(form, 'not the password');
    await form.getByText('The password is wrong. Try again.').waitFor();
    expect(await form.locator('.reply .status').textContent()).to.equal('403 Forbidden');
    await sendWithPassword(form, admin.password);
    await form.locator('.reply .status', { hasText: '201 Created' }).waitFor();
    expect(await page.evaluate(kept)).not.to.include(admin.password);
    expect((await send(form)).status).to.equal('201 Created');
    expect(observed.errors.filter((text) => !text.includes('status of 403'))).to.deep.equal([]);
  });

  it('shows the refusal when the dialog for the password is closed', async () => {
    const { page } = observed;
    await useSession(page, site, '#post_keys');
    (site.service.clock as TestClock).advance(600);
    const form = await openForm(page, 'post_keys');
    await form.getByRole('button', { name: 'Send' }).click();
    await confirmation(page).getByLabel('Password').waitFor();
    expect(await confirmation(page).getByRole('button', { name: /code/ }).count()).to.equal(0);
    await page.keyboard.press('Escape');
    await form.locator('.reply', { hasText: 'Confirm your password first.' }).waitFor();
    expect(await page.locator('dialog').count()).to.equal(1);
  });

  it('asks for no password where the contract does not say so', async () => {
    const { page } = observed;
    await useSession(page, site, '#get_me');
    const json = { code: 'svc_api_confirm_password', message: 'Confirm your password first.', data: { status: 403 } };
    await page.route('**/api/v2/me', (route) => route.fulfill({ status: 403, json }));
    expect((await send(await openForm(page, 'get_me'))).status).to.equal('403 Forbidden');
    expect(await page.locator('dialog').count()).to.equal(1);
  });

  it('is not sent with a key that the service refuses, and the dialog shows the reason', async () => {
    const { page } = observed;
    await enterCredential(page, 'API key', { 'credential-token': `svc_${'0'.repeat(40)}` });
    await page.getByText('Not accepted. The API key is unknown, revoked or expired.').waitFor();
    await page.keyboard.press('Escape');
    const { status, body } = await send(await openForm(page, 'get_me'));
    expect(status).to.equal('401 Unauthorized');
    expect(JSON.parse(body)).to.have.property('code', 'svc_api_unauthorized');
  });

  it('loses its credential on a reload, unless it is kept for the tab', async () => {
    const { page } = observed;
    await enterCredential(page, 'API key', { 'credential-token': site.token });
    await waitForCredential(page, 'API key');
    await openReference(page, site.origin, '?again');
    await waitForCredential(page, 'No credentials');
    await page.locator('nav .credential').click();
    await page.fill('#credential-token', site.token);
    await page.getByLabel('Keep until this tab is closed').check();
    await page.getByRole('button', { name: 'Use for calls' }).click();
    await waitForCredential(page, 'API key');
    await openReference(page, site.origin, '?once-more');
    await waitForCredential(page, 'API key');
  });
});
