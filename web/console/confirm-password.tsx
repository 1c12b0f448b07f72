import { signal } from '@preact/signals';
import { isApiError } from '../../client/src/index.ts';
import { ActionDialog } from './dialog.tsx';
import { CodeField, PasswordField, UsernameField } from './form.tsx';
import { useLoad } from './load.tsx';
import { loadSafety } from './safety.ts';
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
  return settle && <OpenDialog settle={settle} />;
}

/** With a second factor, a code of the app or a recovery code: for some calls the password is not enough. */
function OpenDialog({ settle }: { settle: (isConfirmed: boolean) => void }) {
  const safety = useLoad(loadSafety, []);
  const factor = safety.value?.second_factor;
  const byCode = factor?.is_offered === true && factor.date_set_up !== null;
  const confirm = async (form: FormData): Promise<void> => {
    const name = byCode ? 'code' : 'password';
    await postFields('/console/confirm', { [name]: String(form.get(name)) });
    settle(true);
  };
  const close = (): void => {
    settle(false);
    answer.value = null;
  };
  // The dialog focuses its first field.
  if (safety.isLoading) return null;
  return (
    <ActionDialog title="Confirm your password" action="Confirm" onSubmit={confirm} onClose={close}>
      <p>Confirm that it is you. You are not asked again for 10 minutes.</p>
      <UsernameField />
      {!byCode && <PasswordField name="password" label="Password" autocomplete="current-password" />}
      {byCode && (
        <>
          <CodeField />
          <p class="quiet">Type the six digits that your app shows, or one of your recovery codes.</p>
        </>
      )}
    </ActionDialog>
  );
}
