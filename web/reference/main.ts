import { applyStoredTheme, isDark, setTheme } from '../shared/theme.ts';
import { Contract } from './contract.ts';
import { credentialButton, credentialDialog, openCredentialDialog } from './credential-dialog.ts';
import {
  authorizedFetch,
  type Credential,
  checkCredential,
  currentCredential,
  hasSession,
  onCredentialChange,
  setCredential,
} from './credentials.ts';
import { type Child, h, icon, replaceContent } from './dom.ts';
import { errorCodesSection } from './error-codes.ts';
import { introduction } from './introduction.ts';
import { inlineMarkdown } from './markdown.ts';
import { contents, drawer, goToHash, guideGroup, trackCurrentSection } from './navigation.ts';
import type { OpenApiDocument } from './openapi.ts';
import { operationSection } from './operation.ts';
import { reloadOnChange } from './reload.ts';
import { recordsSection } from './schema-view.ts';
import { searchField } from './search.ts';
import { webhooksSection } from './webhooks.ts';

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

/** The layout of the page: the bar of narrow screens, the navigation, the content. */
function showLayout(
  root: HTMLElement,
  title: string,
  navigationContent: Child,
  content: Child,
): { navigation: HTMLElement; main: HTMLElement } {
  const navigation = h('nav.navigation', { id: 'navigation', 'aria-label': 'Contents' }, navigationContent);
  const main = h('main', { id: 'content', tabindex: -1 }, content);
  const { button, shade } = drawer(navigation);
  const bar = h('header.bar', button, h('a.bar-title', { href: '#introduction' }, title), themeButton());
  replaceContent(root, bar, navigation, shade, main, credentialDialog(basePath));
  return { navigation, main };
}

const brand = (title: string, version: string): HTMLElement =>
  h('p.brand', h('a', { href: '#introduction' }, title), h('span.version', version), themeButton());

function showReference(root: HTMLElement, contract: Contract): void {
  const { title, version } = contract.document.info;
  document.title = `${title} reference`;
  const list = contents(contract);
  const { field, results } = searchField(contract, list);
  const head = h('div.navigation-head', brand(title, version), credentialButton('credential'), field);
  const { navigation, main } = showLayout(
    root,
    title,
    [head, results, list],
    [introduction(contract), tagSections(contract), webhooksSection(contract), recordsSection(contract), errorCodesSection(contract)],
  );
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

const root = document.getElementById('reference');
const apiDocument = document.querySelector<HTMLLinkElement>('link[rel=service-desc]')?.getAttribute('href') ?? '/api/v2/openapi';
const basePath = apiDocument.replace(/\/openapi$/, '');

/** The document cannot be shown. The message is for the reader; `needsCredential` is true where a credential may change that. */
class LoadError extends Error {
  readonly needsCredential: boolean;

  constructor(message: string, needsCredential: boolean) {
    super(message);
    this.needsCredential = needsCredential;
  }
}

/**
 * The page has a copy of the document that no rate limit applies to. Where the site shows it to administrators only, the API serves it to the
 * current credential. The browser revalidates it on each load.
 */
async function loadDocument(): Promise<OpenApiDocument> {
  const load = (url: string, credential?: Credential): Promise<Response> =>
    authorizedFetch(url, { cache: 'no-cache' }, credential).catch(() => {
      throw new LoadError('The service cannot be reached.', false);
    });
  const shared = await load('/docs/openapi.json', { kind: 'none' });
  const response = shared.status === 401 && currentCredential().kind !== 'none' ? await load(apiDocument) : shared;
  const { ok, status, headers } = response;
  if (ok) return (await response.json()) as OpenApiDocument;
  if (status === 429 || status === 503)
    throw new LoadError(`The service has too many requests. Try again in ${headers.get('Retry-After') ?? 'some'} seconds.`, false);
  if (status === 401 || status === 403) throw new LoadError('This site shows its reference to administrators only.', true);
  throw new LoadError(`The service does not serve its contract (status ${status}).`, false);
}

/** A session can end before its cookie does. The page then continues without it. */
async function dropEndedSession(): Promise<void> {
  if (currentCredential().kind !== 'session') return;
  const isValid = hasSession() && (await checkCredential(basePath, { kind: 'session' })).isAccepted;
  if (!isValid) setCredential({ kind: 'none' });
}

async function start(root: HTMLElement): Promise<void> {
  try {
    showReference(root, new Contract(await loadDocument()));
  } catch (error) {
    const isExpected = error instanceof LoadError;
    showLoadError(root, isExpected ? error : new LoadError('The contract of this site cannot be shown.', false));
    if (!isExpected) throw error;
  }
}

function showLoadError(root: HTMLElement, { message, needsCredential }: LoadError): void {
  const again = h('button.plain', { type: 'button' }, 'Try again');
  again.addEventListener('click', () => void start(root));
  const title = 'API reference';
  const head = h('div.navigation-head', brand(title, ''), credentialButton('credential'));
  const enter = h('button.primary', { type: 'button' }, 'Enter a credential');
  enter.addEventListener('click', openCredentialDialog);
  const actions = h('p.actions', needsCredential && enter, again);
  const content = h('section.chapter.problem', h('h1', { id: 'introduction' }, title), h('p', { role: 'alert' }, message), actions);
  showLayout(root, title, [head, guideGroup()], content);
}

applyStoredTheme();
if ('reload' in document.documentElement.dataset) reloadOnChange();
// A guide has the style and the theme of the reference, and nothing to load.
if (root) {
  onCredentialChange(() => void (root.querySelector('.problem') && start(root)));
  await dropEndedSession();
  await start(root);
}
