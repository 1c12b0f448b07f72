import { signal } from '@preact/signals';
import { isApiError } from '../../client/src/index.ts';
import { ActionDialog } from './dialog.tsx';
import { PasswordField, UsernameField } from './form.tsx';
import { postFields } from './session.ts';

/** Settles the request that waits for the password. Null if none does. */
const answer = signal<((isConfirmed: boolean) => void) | null>(null);

const askForPassword = (): Promise<boolean> =>
  new Promise((resolve) => {
    answer.value = resolve;
  });

/** Asks for the password when the service does, then repeats the call. Fails as the first call if the reader does not give it. */
export async function withConfirmedPassword<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!isApiError(error, 'svc_api_confirm_password') || !(await askForPassword())) throw error;
    return call();
  }
}

/** Part of every page; shown while a request waits for the password. */
export function ConfirmPasswordDialog() {
  const settle = answer.value;
  if (!settle) return null;
  const confirm = async (form: FormData): Promise<void> => {
    await postFields('/console/confirm', { password: String(form.get('password')) });
    settle(true);
  };
  const close = (): void => {
    settle(false);
    answer.value = null;
  };
  return (
    <ActionDialog title="Confirm your password" action="Confirm" onSubmit={confirm} onClose={close}>
      <p>The service must know that it is you. You are not asked again for 10 minutes.</p>
      <UsernameField />
      <PasswordField name="password" label="Password" autocomplete="current-password" />
    </ActionDialog>
  );
}
