import { Contract } from './contract.ts';
import { credentialButton, credentialDialog } from './credential-dialog.ts';
import { authorizedFetch, checkCredential, currentCredential, hasSession, onCredentialChange, setCredential } from './credentials.ts';
import { h, icon, replaceContent } from './dom.ts';
import { introduction } from './introduction.ts';
import { inlineMarkdown } from './markdown.ts';
import { drawer, filterField, goToHash, navigationGroups, trackCurrentSection } from './navigation.ts';
import type { OpenApiDocument } from './openapi.ts';
import { operationSection } from './operation.ts';
import { recordsSection } from './schema-view.ts';
import { webhooksSection } from './webhooks.ts';

const storageKey = 'reference-theme';

const isDark = (): boolean =>
  (document.documentElement.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

function applyStoredTheme(): void {
  try {
    const theme = localStorage.getItem(storageKey);
    if (theme === 'dark' || theme === 'light') document.documentElement.dataset['theme'] = theme;
  } catch {
    // Storage is blocked: the system's theme applies.
  }
}

function setTheme(theme: 'dark' | 'light'): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}

function themeButton(): HTMLButtonElement {
  const button = h('button.icon-button', { type: 'button', title: 'Light or dark' }, icon('sun'));
  const updateLabel = (): void => button.setAttribute('aria-label', isDark() ? 'Switch to light colours' : 'Switch to dark colours');
  button.addEventListener('click', () => {
    setTheme(isDark() ? 'light' : 'dark');
    updateLabel();
  });
  updateLabel();
  return button;
}

/** Shows the whole page: the bar of narrow screens, the navigation, and the contract. */
function showReference(root: HTMLElement, contract: Contract): void {
  const { title, version } = contract.document.info;
  document.title = `${title} reference`;
  const groups = navigationGroups(contract);
  const groupElements = groups.map(({ element }) => element);
  const navigation = h(
    'nav.navigation',
    { id: 'navigation', 'aria-label': 'Contents' },
    h(
      'div.navigation-head',
      h('p.brand', h('a', { href: '#introduction' }, title), h('span.version', version), themeButton()),
      credentialButton('credential'),
      filterField(groups),
    ),
    groupElements,
  );
  const main = h(
    'main',
    { id: 'content', tabindex: -1 },
    introduction(contract),
    tagSections(contract),
    webhooksSection(contract),
    recordsSection(contract),
  );
  const { button, shade } = drawer(navigation);
  const bar = h('header.bar', button, h('a.bar-title', { href: '#introduction' }, title), themeButton());
  replaceContent(root, bar, navigation, shade, main, credentialDialog(contract.basePath));
  goToHash();
  window.addEventListener('hashchange', goToHash);
  trackCurrentSection(main, navigation);
  document.documentElement.dataset['ready'] = 'true';
}

const tagSections = (contract: Contract): HTMLElement[] =>
  contract.tags().map(({ name, description, endpoints }) => {
    const id = `tag-${name}`;
    const operations = endpoints.map((endpoint) => operationSection(contract, endpoint));
    const head = h('header.tag-head', h('h2', { id, tabindex: -1 }, name), h('p.quiet', inlineMarkdown(description)));
    return h('section.tag', { 'aria-labelledby': id }, head, operations);
  });

const root = document.getElementById('reference') ?? document.body;
const documentUrl = document.querySelector<HTMLLinkElement>('link[rel=service-desc]')?.getAttribute('href') ?? '/api/v2/openapi';
const basePath = documentUrl.replace(/\/openapi$/, '');

/** The document cannot be shown. The message is for the reader; `needsCredential` is true where a credential may change that. */
class LoadError extends Error {
  readonly needsCredential: boolean;

  constructor(message: string, needsCredential: boolean) {
    super(message);
    this.needsCredential = needsCredential;
  }
}

/** The document that the site serves to the current credential. The browser revalidates it on each load. */
async function loadDocument(): Promise<OpenApiDocument> {
  const response = await authorizedFetch(documentUrl, { cache: 'no-cache' }).catch(() => {
    throw new LoadError('The service cannot be reached.', false);
  });
  const { ok, status, headers } = response;
  if (ok) return (await response.json()) as OpenApiDocument;
  if (status === 429) throw new LoadError(`Too many requests. Try again in ${headers.get('Retry-After') ?? 'some'} seconds.`, true);
  if (status === 401 || status === 403) throw new LoadError('This site shows its reference to administrators only.', true);
  throw new LoadError(`The service does not serve its contract (status ${status}).`, false);
}

/** A session can end before its cookie does. The page then continues without it. */
async function dropEndedSession(): Promise<void> {
  if (currentCredential().kind !== 'session') return;
  const isValid = hasSession() && (await checkCredential(basePath, { kind: 'session' })).isAccepted;
  if (!isValid) setCredential({ kind: 'none' });
}

async function start(): Promise<void> {
  try {
    showReference(root, new Contract(await loadDocument()));
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    showLoadError(error);
  }
}

function showLoadError({ message, needsCredential }: LoadError): void {
  const again = h('button.plain', { type: 'button' }, 'Try again');
  again.addEventListener('click', () => void start());
  replaceContent(
    root,
    h(
      'main.problem',
      { id: 'content' },
      h('h1', 'API reference'),
      h('p', { role: 'alert' }, message),
      h('p.actions', needsCredential && credentialButton('plain'), again),
    ),
    credentialDialog(basePath),
  );
  if (needsCredential) onCredentialChange(() => void (root.querySelector('.problem') && start()));
}

applyStoredTheme();
await dropEndedSession();
await start();
