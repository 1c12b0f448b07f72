import { authorizedFetch } from './credentials.ts';
import { h, replaceContent } from './dom.ts';
import { formDialog } from './form-dialog.ts';

/** The body of `POST /console/confirm`: a password or a code. */
type Confirmation = Record<string, FormDataEntryValue>;

/** Asks for the password of the session; with a second factor, a code of the app does as well. Null if the dialog is closed. */
export async function askForConfirmation(): Promise<Confirmation | null> {
  const { dialog, form } = formDialog('Confirm your password', confirmationFields(await acceptsCodes()));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      // The page must not hold the password for longer than the dialog is open.
      dialog.remove();
      resolve(dialog.returnValue ? Object.fromEntries(new FormData(form)) : null);
    });
  });
}

/** False if the service does not answer: the password can be given without it. */
const acceptsCodes = (): Promise<boolean> =>
  authorizedFetch('/console/security')
    .then(async (response) => {
      const { second_factor: factor } = (await response.json()) as Safety;
      return factor.is_offered && factor.date_set_up !== null;
    })
    .catch(() => false);

interface Safety {
  second_factor: { is_offered: boolean; date_set_up: string | null };
}

const kinds = {
  password: { label: 'Password', type: 'password', autocomplete: 'current-password', change: 'Use a code of your app instead' },
  code: { label: 'Code', type: 'text', autocomplete: 'one-time-code', change: 'Use the password instead' },
} as const;

function confirmationFields(hasCodes: boolean): HTMLElement[] {
  const field = h('p.input');
  const change = h('button.plain', { type: 'button' });
  let shown: keyof typeof kinds = 'code';
  const showOther = (): void => {
    shown = shown === 'code' ? 'password' : 'code';
    const { label, change: text, ...input } = kinds[shown];
    const element = h('input', { id: 'confirmation', name: shown, required: true, autofocus: true, ...input });
    replaceContent(field, h('label', { for: 'confirmation' }, label), element);
    replaceContent(change, text);
    element.focus();
  };
  change.addEventListener('click', showOther);
  showOther();
  return [
    h('p', 'You are not asked again for 10 minutes.'),
    // Chromium asks for it, for password managers.
    h('input', { autocomplete: 'username', 'aria-label': 'Login', hidden: true }),
    field,
    h('p.actions', h('button.primary', { value: 'confirm' }, 'Confirm'), hasCodes && change),
  ];
}
