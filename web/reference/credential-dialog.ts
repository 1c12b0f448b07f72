import { endSession } from '../shared/session-cookie.ts';
import { type Credential, checkCredential, currentCredential, hasSession, onCredentialChange, setCredential } from './credentials.ts';
import { type Child, h, icon, replaceContent } from './dom.ts';
import { formDialog } from './form-dialog.ts';

/** The first characters tell keys apart and are no secret. */
function displayName(credential: Credential): string {
  if (credential.kind === 'key') return `API key ${credential.token.slice(0, 8)}…`;
  if (credential.kind === 'basic') return `Basic, ${credential.login}`;
  return credential.kind === 'session' ? 'Signed-in session' : 'No credentials';
}

export const openCredentialDialog = (): void => document.querySelector<HTMLDialogElement>('dialog#credentials')?.showModal();

/** Shows the current credential and opens the dialog that changes it. */
export function credentialButton(className: string): HTMLButtonElement {
  const button = h(`button.${className}`, { type: 'button', 'aria-haspopup': 'dialog' });
  const update = (): void => {
    const name = displayName(currentCredential());
    replaceContent(button, icon('key'), h('span', name));
    button.setAttribute('aria-label', `Credentials: ${name}. Change`);
  };
  button.addEventListener('click', openCredentialDialog);
  onCredentialChange(update);
  update();
  return button;
}

const kinds = { key: 'API key', basic: 'Basic', session: 'Session', none: 'None' };

/** Sets the credential for all calls of the page, after asking the service whether it is accepted. */
export function credentialDialog(basePath: string): HTMLDialogElement {
  const fields = h('div.credential-fields');
  const outcome = h('p.outcome', { role: 'status' });
  const keep = h('input', { type: 'checkbox', id: 'credential-keep' });
  const preferred = currentCredential().kind === 'none' ? 'key' : currentCredential().kind;
  const radios = Object.entries(kinds).map(([kind, text]) => {
    const id = `kind-${kind}`;
    return h(
      'span',
      h('input', { type: 'radio', name: 'kind', value: kind, id, checked: kind === preferred }),
      h('label', { for: id }, text),
    );
  });
  const { dialog, form } = formDialog(
    'Credentials',
    h('fieldset.choice', h('legend.off-screen', 'How calls are sent'), radios),
    fields,
    h('p.check', keep, h('label', { for: 'credential-keep' }, 'Keep until this tab is closed')),
    outcome,
    h('p.actions', h('button.primary', { type: 'submit' }, 'Use for calls')),
  );
  dialog.id = 'credentials';
  const selectedKind = (): Credential['kind'] => new FormData(form).get('kind') as Credential['kind'];
  const showFields = (): void => {
    replaceContent(fields, fieldsOf(selectedKind()));
    replaceContent(outcome);
  };
  form.addEventListener('change', (event) => (event.target as HTMLInputElement).name === 'kind' && showFields());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const credential = readCredential(dialog, selectedKind());
    if (credential.kind !== 'none') {
      replaceContent(outcome, 'Checking …');
      const { isAccepted, text } = await checkCredential(basePath, credential);
      replaceContent(outcome, isAccepted ? h('span.good', text) : h('span.bad', `Not accepted. ${text}`));
      if (!isAccepted) return;
    }
    setCredential(credential, { isStored: keep.checked && credential.kind !== 'session' });
    dialog.close();
  });
  showFields();
  return dialog;
}

function fieldsOf(kind: Credential['kind']): Child {
  if (kind === 'key') return inputField('credential-token', 'API key', 'password', 'svc_…');
  if (kind === 'basic')
    return [
      inputField('credential-login', 'Login or email', 'text'),
      inputField('credential-password', 'Application password', 'password'),
    ];
  if (kind === 'none') return h('p.quiet', 'Calls are sent without any credential.');
  if (hasSession()) return [h('p.quiet', 'This browser is signed in. Calls are sent with its cookie.'), signOutButton()];
  const signIn = h('a', { href: `/sign-in?to=${encodeURIComponent(`/docs${window.location.hash}`)}` }, 'Sign in');
  return h('p.quiet', 'This browser is not signed in. ', signIn, ' to use its session, and return to this page.');
}

const inputField = (id: string, label: string, type: string, placeholder?: string): HTMLElement =>
  h(
    'p.input',
    h('label', { for: id }, label),
    h('input', { id, type, spellcheck: 'false', autocomplete: 'off', placeholder, required: 'true' }),
  );

function signOutButton(): HTMLElement {
  const button = h('button.plain', { type: 'button' }, 'Sign out');
  button.addEventListener('click', async () => {
    try {
      await endSession();
      window.location.reload();
    } catch {
      button.textContent = 'Sign out: try again';
    }
  });
  return h('p', button);
}

function readCredential(dialog: HTMLElement, kind: Credential['kind']): Credential {
  const valueOf = (id: string): string => dialog.querySelector<HTMLInputElement>(`#${id}`)?.value ?? '';
  if (kind === 'key') return { kind, token: valueOf('credential-token').trim() };
  if (kind === 'basic') return { kind, login: valueOf('credential-login').trim(), password: valueOf('credential-password') };
  return { kind };
}
