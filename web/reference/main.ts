import { Contract } from './contract.ts';
import { credentialButton } from './credential-button.ts';
import { credentialDialog } from './credential-dialog.ts';
import { credential, hasSession, onCredential, useCredential, whoIs } from './credentials.ts';
import { loadDocument, NoDocument } from './load.ts';
import { make, replaceContent } from './make.ts';
import { showReference } from './page.ts';
import { applyKeptTheme } from './theme.ts';

applyKeptTheme();

const root = document.getElementById('reference') ?? document.body;
const description = document.querySelector<HTMLLinkElement>('link[rel=service-desc]')?.getAttribute('href') ?? '/api/v2/openapi';

/** A session may have ended while its cookie was still there; the page then goes on without it. */
async function forgetEndedSession(): Promise<void> {
  if (credential().kind !== 'session') return;
  const { isKnown } = hasSession() ? await whoIs(description.replace(/\/openapi$/, ''), { kind: 'session' }) : { isKnown: false };
  if (!isKnown) useCredential({ kind: 'none' }, false);
}

async function start(): Promise<void> {
  try {
    showReference(root, new Contract(await loadDocument(description)));
  } catch (problem) {
    if (!(problem instanceof NoDocument)) throw problem;
    showProblem(problem);
  }
}

function showProblem({ message, mayHelp }: NoDocument): void {
  const again = make('button', { type: 'button', class: 'plain' }, 'Try again');
  again.addEventListener('click', () => void start());
  const dialog = credentialDialog(description.replace(/\/openapi$/, ''));
  replaceContent(
    root,
    make(
      'main',
      { class: 'problem', id: 'content' },
      make('h1', {}, 'API reference'),
      make('p', { role: 'alert' }, message),
      make('p', { class: 'actions' }, mayHelp && credentialButton('plain'), again),
    ),
    dialog,
  );
  if (mayHelp) onCredential(() => void (root.querySelector('.problem') && start()));
}

await forgetEndedSession();
await start();
