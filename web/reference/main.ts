import { Contract } from './contract.ts';
import { credentialButton, credentialDialog } from './credential-dialog.ts';
import { authorizedFetch, checkCredential, currentCredential, hasSession, onCredentialChange, setCredential } from './credentials.ts';
import { h, replaceContent } from './dom.ts';
import type { OpenApiDocument } from './openapi.ts';
import { showReference } from './page.ts';
import { applyStoredTheme } from './theme.ts';

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
