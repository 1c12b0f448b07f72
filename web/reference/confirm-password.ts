import { authorizedFetch } from './credentials.ts';
import { h } from './dom.ts';
import { formDialog } from './form-dialog.ts';

/** The body of `POST /console/confirm`: a password or a code. */
type Confirmation = Record<string, FormDataEntryValue>;

/** Asks for the password of the session; with a second factor, for a code of the app or a recovery code. Null if the dialog is closed. */
export async function askForConfirmation(): Promise<Confirmation | null> {
  const { dialog, form } = formDialog('Confirm your password', confirmationFields(await findKind()));
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

const kinds = {
  password: { label: 'Password', type: 'password', autocomplete: 'current-password', hint: '' },
  code: { label: 'Code', type: 'text', autocomplete: 'one-time-code', hint: 'The six digits that your app shows, or a recovery code.' },
} as const;

/** The password if the service does not answer: then its refusal is shown. */
const findKind = (): Promise<keyof typeof kinds> =>
  authorizedFetch('/console/security')
    .then(async (response) => {
      const { second_factor: factor } = (await response.json()) as Safety;
      return factor.is_offered && factor.date_set_up !== null ? 'code' : 'password';
    })
    .catch(() => 'password');

interface Safety {
  second_factor: { is_offered: boolean; date_set_up: string | null };
}

function confirmationFields(kind: keyof typeof kinds): HTMLElement[] {
  const { label, hint, ...attributes } = kinds[kind];
  return [
    h('p', `You are not asked again for 10 minutes. ${hint}`),
    // Chromium asks for it, for password managers.
    h('input', { autocomplete: 'username', 'aria-label': 'Login', hidden: true }),
    h(
      'p.input',
      h('label', { for: 'confirmation' }, label),
      h('input', { id: 'confirmation', name: kind, required: true, autofocus: true, ...attributes }),
    ),
    h('p.actions', h('button.primary', { value: 'confirm' }, 'Confirm')),
  ];
}
