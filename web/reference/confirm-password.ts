import { authorizedFetch } from './credentials.ts';
import { h, icon, replaceContent } from './dom.ts';

/** The body of `POST /console/confirm`: a password or a code. */
type Confirmation = Record<string, FormDataEntryValue>;

/** Asks for the password of the session; with a second factor, a code of the app does as well. Null if the dialog is closed. */
export async function askForConfirmation(basePath: string): Promise<Confirmation | null> {
  const [me, safety] = await Promise.all([readOwn<Me>(`${basePath}/me`), readOwn<Safety>('/console/security')]);
  const factor = safety?.second_factor;
  const close = h('button.icon-button.dialog-close', { type: 'button', 'aria-label': 'Close' }, icon('close'));
  const form = h(
    'form',
    { method: 'dialog' },
    h('h2', 'Confirm your password'),
    close,
    h('p', 'Confirm that it is you. You are not asked again for 10 minutes.'),
    usernameField(me?.user?.login ?? ''),
    confirmationFields(factor?.is_offered === true && factor.date_set_up !== null),
  );
  const dialog = h('dialog', { 'aria-label': 'Confirm your password' }, form);
  close.addEventListener('click', () => dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      // The page must not hold the password for longer than the dialog is open.
      dialog.remove();
      resolve(dialog.returnValue === 'confirm' ? Object.fromEntries(new FormData(form)) : null);
    });
  });
}

const kinds = {
  password: { label: 'Password', type: 'password', autocomplete: 'current-password', change: 'Use a code of your app instead' },
  code: { label: 'Code', type: 'text', autocomplete: 'one-time-code', change: 'Use the password instead' },
} as const;

function confirmationFields(hasCodes: boolean): HTMLElement[] {
  const field = h('p.input');
  const change = h('button.plain', { type: 'button' });
  let shown: keyof typeof kinds = 'password';
  const showField = (kind: keyof typeof kinds): void => {
    shown = kind;
    const { label, type, autocomplete, change: text } = kinds[kind];
    const input = h('input', { id: 'confirmation', name: kind, type, autocomplete, required: true, autofocus: true });
    replaceContent(field, h('label', { for: input.id }, label), input);
    replaceContent(change, text);
    input.focus();
  };
  change.addEventListener('click', () => showField(shown === 'password' ? 'code' : 'password'));
  showField(shown);
  return [field, h('p.actions', h('button.primary', { type: 'submit', value: 'confirm' }, 'Confirm'), hasCodes && change)];
}

interface Safety {
  second_factor?: { is_offered: boolean; date_set_up: string | null };
}

interface Me {
  user?: { login: string | null };
}

/** Undefined if the service does not answer: the password can be given without it. */
const readOwn = <Body>(url: string): Promise<Body | undefined> =>
  authorizedFetch(url)
    .then((response) => response.json() as Promise<Body>)
    .catch(() => undefined);

/** Tells password managers whose password the form is about. */
const usernameField = (login: string): HTMLElement =>
  h('input', { type: 'text', autocomplete: 'username', value: login, readonly: true, hidden: true, 'aria-label': 'Login' });
