import { type Credential, credential, csrfToken, hasSession, useCredential, whoIs } from './credentials.ts';
import { icon, make, replaceContent } from './make.ts';

const kinds: [Credential['kind'], string][] = [
  ['key', 'API key'],
  ['basic', 'Basic'],
  ['session', 'Session'],
  ['none', 'None'],
];

const input = (id: string, label: string, type: string, extra: Record<string, string> = {}): HTMLElement =>
  make(
    'p',
    { class: 'input' },
    make('label', { for: id }, label),
    make('input', { id, type, spellcheck: 'false', autocomplete: 'off', ...extra }),
  );

const valueOf = (dialog: HTMLElement, id: string): string => dialog.querySelector<HTMLInputElement>(`#${id}`)?.value ?? '';

/** One place for all calls of the page: what they are sent with, and whom the service takes it for. */
export function credentialDialog(basePath: string): HTMLDialogElement {
  const fields = make('div', { class: 'credential-fields' });
  const outcome = make('p', { class: 'outcome', role: 'status' });
  const keep = make('input', { type: 'checkbox', id: 'credential-keep' });
  const chosenKind = (): Credential['kind'] =>
    dialog.querySelector<HTMLInputElement>('input[name=kind]:checked')?.value as Credential['kind'];
  const show = (): void => {
    replaceContent(fields, fieldsOf(chosenKind()));
    replaceContent(outcome);
  };
  const form = make(
    'form',
    { method: 'dialog' },
    make('h2', {}, 'Credentials'),
    make('button', { type: 'button', class: 'icon-button dialog-close', 'aria-label': 'Close' }, icon('close')),
    make(
      'fieldset',
      { class: 'choice' },
      make('legend', { class: 'off-screen' }, 'How calls are sent'),
      kinds.map(([kind, text]) => radio(kind, text)),
    ),
    fields,
    make('p', { class: 'check' }, keep, make('label', { for: 'credential-keep' }, 'Keep until this tab is closed')),
    outcome,
    make('p', { class: 'actions' }, make('button', { class: 'primary', type: 'submit' }, 'Use for calls')),
  );
  const dialog = make('dialog', { id: 'credentials', 'aria-label': 'Credentials' }, form);
  form.addEventListener('change', (event) => (event.target as HTMLInputElement).name === 'kind' && show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void apply(readCredential(dialog, chosenKind()));
  });
  form.querySelector('.dialog-close')?.addEventListener('click', () => dialog.close());
  const apply = async (chosen: Credential): Promise<void> => {
    if (chosen.kind !== 'none') {
      replaceContent(outcome, 'Asking the service …');
      const { isKnown, text } = await whoIs(basePath, chosen);
      replaceContent(outcome, make('span', { class: isKnown ? 'good' : 'bad' }, isKnown ? text : `Not accepted. ${text}`));
      if (!isKnown) return;
    }
    useCredential(chosen, keep.checked && chosen.kind !== 'session');
    dialog.close();
  };
  show();
  return dialog;
}

const radio = (kind: Credential['kind'], text: string): HTMLElement => {
  const preferred = credential().kind === 'none' ? 'key' : credential().kind;
  const choice = make('input', { type: 'radio', name: 'kind', value: kind, id: `kind-${kind}`, checked: kind === preferred });
  return make('span', {}, choice, make('label', { for: `kind-${kind}` }, text));
};

function fieldsOf(kind: Credential['kind']): Node[] {
  if (kind === 'key') return [input('credential-token', 'API key', 'password', { placeholder: 'svc_…', required: 'true' })];
  if (kind === 'basic')
    return [
      input('credential-login', 'Login or email', 'text', { required: 'true' }),
      input('credential-password', 'Application password', 'password', { required: 'true' }),
    ];
  if (kind === 'none') return [make('p', { class: 'quiet' }, 'Calls are sent without any credential.')];
  return hasSession()
    ? [make('p', { class: 'quiet' }, 'This browser is signed in. Calls are sent with its cookie.'), signOutButton()]
    : [signInHint()];
}

const signInHint = (): Node =>
  make(
    'p',
    { class: 'quiet' },
    'This browser is not signed in. ',
    make('a', { href: `/sign-in?to=${encodeURIComponent(`/docs${window.location.hash}`)}` }, 'Sign in'),
    ', and you are led back here.',
  );

function signOutButton(): Node {
  const button = make('button', { type: 'button', class: 'plain' }, 'Sign out');
  button.addEventListener('click', async () => {
    await fetch('/sign-out', { method: 'POST', body: new URLSearchParams({ token: csrfToken() }) });
    window.location.reload();
  });
  return make('p', {}, button);
}

const readCredential = (dialog: HTMLElement, kind: Credential['kind']): Credential => {
  if (kind === 'key') return { kind, token: valueOf(dialog, 'credential-token').trim() };
  if (kind === 'basic')
    return { kind, login: valueOf(dialog, 'credential-login').trim(), password: valueOf(dialog, 'credential-password') };
  return { kind };
};
