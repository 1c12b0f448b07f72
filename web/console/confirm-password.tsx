import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
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

/** With a second factor, a code of the app does as well. */
function OpenDialog({ settle }: { settle: (isConfirmed: boolean) => void }) {
  const safety = useLoad(loadSafety, []);
  const [byCode, setByCode] = useState(false);
  const confirm = async (form: FormData): Promise<void> => {
    const name = byCode ? 'code' : 'password';
    await postFields('/console/confirm', { [name]: String(form.get(name)) });
    settle(true);
  };
  const close = (): void => {
    settle(false);
    answer.value = null;
  };
  return (
    <ActionDialog title="Confirm your password" action="Confirm" onSubmit={confirm} onClose={close}>
      <p>Confirm that it is you. You are not asked again for 10 minutes.</p>
      <UsernameField />
      {byCode ? (
        <CodeField key="code" />
      ) : (
        <PasswordField key="password" name="password" label="Password" autocomplete="current-password" />
      )}
      {safety.value?.second_factor.date_set_up && (
        <button type="button" class="plain" onClick={() => setByCode(!byCode)}>
          {byCode ? 'Use the password instead' : 'Use a code of your app instead'}
        </button>
      )}
    </ActionDialog>
  );
}
