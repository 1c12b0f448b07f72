import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { boss, openStore, type Store } from './store.ts';
import { openReference, type WatchedPage, watchedPage } from './watched-page.ts';

/** Chooses a credential in the dialog of the page. */
async function identify(page: Page, kind: string, fields: Record<string, string>): Promise<void> {
  await page.locator('nav .credential').click();
  await page.locator('dialog').getByText(kind, { exact: true }).first().click();
  for (const [id, value] of Object.entries(fields)) await page.fill(`#${id}`, value);
  await page.getByRole('button', { name: 'Use for calls' }).click();
}

const isIdentified = async (page: Page, name: string): Promise<void> => {
  await page.locator('dialog').waitFor({ state: 'hidden' });
  await page.locator('nav .credential', { hasText: name }).waitFor();
};

async function panel(page: Page, operation: string): Promise<Locator> {
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

describe('a call made from the reference page', () => {
  let store: Store;
  let watched: WatchedPage;
  before(async () => {
    store = await openStore();
  });
  beforeEach(async () => {
    watched = await watchedPage();
    await openReference(watched.page, store.origin);
  });
  afterEach(async () => {
    expect(watched.requests.filter((address) => new URL(address).origin !== store.origin)).to.deep.equal([]);
    expect(watched.requests.filter((address) => address.includes(store.token) || address.includes(boss.password))).to.deep.equal([]);
    await watched.close();
  });
  after(() => store.service.stop());

  it('reads with an API key, and tells how to do the same with curl without giving the key away', async () => {
    const { page } = watched;
    await identify(page, 'API key', { 'credential-token': store.token });
    await isIdentified(page, store.token.slice(0, 8));
    const form = await panel(page, 'get_me');
    const { status, body } = await send(form);
    expect(status).to.equal('200 OK');
    expect(JSON.parse(body)).to.have.nested.property('auth.method', 'api_key');
    await form.getByText('The same with curl').click();
    expect(await form.locator('.language-shell').textContent())
      .to.include('/api/v2/me')
      .and.include('$TOKEN')
      .and.not.include(store.token);
    expect(watched.complaints).to.deep.equal([]);
  });

  it('writes with an API key, from a body that starts as the contract’s example', async () => {
    const { page } = watched;
    await identify(page, 'API key', { 'credential-token': store.token });
    await isIdentified(page, 'API key');
    const form = await panel(page, 'post_keys');
    expect(JSON.parse(await form.locator('textarea').inputValue())).to.have.property('user_id', 42);
    await form.locator('textarea').fill('{ "description": "made by hand", ');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('This is not JSON').waitFor();
    await form.locator('textarea').fill('{ "description": "made by hand", "scopes": ["read"] }');
    const { status, body } = await send(form);
    expect(status).to.equal('201 Created');
    expect(JSON.parse(body)).to.have.property('description', 'made by hand');
    expect(watched.complaints).to.deep.equal([]);
  });

  it('fills the path and the query from its fields', async () => {
    const { page } = watched;
    await identify(page, 'API key', { 'credential-token': store.token });
    await isIdentified(page, 'API key');
    const form = await panel(page, 'get_keys');
    await form.getByLabel('per_page').fill('101');
    expect((await send(form)).body).to.include('per_page');
    expect(watched.requests.at(-1)).to.equal(`${store.origin}/api/v2/keys?per_page=101`);
  });

  it('is sent with a login and an application password', async () => {
    const { page } = watched;
    await identify(page, 'Basic', { 'credential-login': boss.login, 'credential-password': store.appPassword });
    await isIdentified(page, boss.login);
    const { body } = await send(await panel(page, 'get_me'));
    expect(JSON.parse(body)).to.have.nested.property('auth.method', 'basic');
    expect(watched.complaints).to.deep.equal([]);
  });

  it('is sent as the person who signs in with this browser, who is led back to where she was', async () => {
    const { page } = watched;
    await openReference(page, store.origin, '#post_keys');
    await page.locator('nav .credential').click();
    await page.locator('dialog').getByText('Session', { exact: true }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Login or email').fill(boss.login);
    await page.getByLabel('Password').fill(boss.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${store.origin}/docs#post_keys`);
    await isIdentified(page, 'Signed-in session');
    const form = await panel(page, 'post_keys');
    await form.locator('textarea').fill('{ "description": "by session" }');
    expect((await send(form)).status).to.equal('201 Created');
    expect(watched.complaints).to.deep.equal([]);
  });

  it('shows why a wrong key is refused, and does not use it', async () => {
    const { page } = watched;
    await identify(page, 'API key', { 'credential-token': `svc_${'0'.repeat(40)}` });
    await page.getByText('Not accepted. The API key is unknown, revoked or expired.').waitFor();
    await page.keyboard.press('Escape');
    const { status, body } = await send(await panel(page, 'get_me'));
    expect(status).to.equal('401 Unauthorized');
    expect(JSON.parse(body)).to.have.property('code', 'svc_api_unauthorized');
  });

  it('forgets the credential with the page, unless it is told to keep it for the tab', async () => {
    const { page } = watched;
    await identify(page, 'API key', { 'credential-token': store.token });
    await isIdentified(page, 'API key');
    await openReference(page, store.origin, '?again');
    await isIdentified(page, 'No credentials');
    await page.locator('nav .credential').click();
    await page.fill('#credential-token', store.token);
    await page.getByLabel('Keep until this tab is closed').check();
    await page.getByRole('button', { name: 'Use for calls' }).click();
    await isIdentified(page, 'API key');
    await openReference(page, store.origin, '?once-more');
    await isIdentified(page, 'API key');
  });
});
