import { useState } from 'preact/hooks';
import { CopyButton, Icon } from './components.tsx';
import { withConfirmedPassword } from './confirm-password.tsx';
import { download } from './csv.ts';
import { ActionDialog, Dialog } from './dialog.tsx';
import { CodeField, Form } from './form.tsx';
import { formatDate } from './format.ts';
import { ErrorBox } from './load.tsx';
import { QrCode } from './qr-code.tsx';
import type { Safety } from './safety.ts';
import { callConsole } from './session.ts';
import { showToast } from './toast.tsx';

interface Setup {
  readonly secret: string;
  readonly uri: string;
  readonly setup: string;
}

interface NewCodes {
  readonly recovery_codes: readonly string[];
}

type Step = { readonly setup: Setup } | { readonly codes: readonly string[] } | { readonly error: unknown } | 'renew' | 'remove' | null;

const path = '/console/second-factor';

/** Whether a code follows the password at the sign-in, and what can be done about it. */
export function SecondFactor({ of, onChanged }: { of: Safety['second_factor']; onChanged: () => void }) {
  const [step, setStep] = useState<Step>(null);
  const begin = async (): Promise<void> => {
    try {
      setStep({ setup: await withConfirmedPassword(() => callConsole<Setup>('POST', path)) });
    } catch (error) {
      setStep({ error });
    }
  };
  const close = (): void => {
    setStep(null);
    onChanged();
  };
  const showCodes = ({ recovery_codes: codes }: NewCodes): void => setStep({ codes });
  return (
    <>
      <div class="entry">
        <div>
          <h3>Two-step sign-in</h3>
          <p class="quiet">{describe(of)}</p>
        </div>
        <div class="actions">
          {of.is_offered && (
            <button type="button" class="plain" onClick={begin}>
              {of.date_set_up ? 'Use another phone' : 'Set up'}
            </button>
          )}
          {of.date_set_up && (
            <>
              <button type="button" class="plain" onClick={() => setStep('renew')}>
                New recovery codes
              </button>
              {!of.is_required && (
                <button type="button" class="plain" onClick={() => setStep('remove')}>
                  Switch off
                </button>
              )}
            </>
          )}
        </div>
      </div>
      {step !== null && typeof step === 'object' && 'error' in step && <ErrorBox error={step.error} />}
      {step !== null && typeof step === 'object' && 'setup' in step && <SetupDialog of={step.setup} onCodes={showCodes} onClose={close} />}
      {step !== null && typeof step === 'object' && 'codes' in step && <CodesDialog codes={step.codes} onClose={close} />}
      {step === 'renew' && <RenewDialog onCodes={showCodes} onClose={close} />}
      {step === 'remove' && <RemoveDialog onClose={close} />}
    </>
  );
}

function describe({ is_offered, is_required, date_set_up, recovery_codes }: Safety['second_factor']): string {
  if (!is_offered) return 'The store has switched it off. Your password alone signs you in.';
  if (date_set_up === null)
    return is_required ? 'The store asks you to set it up.' : 'Off. With a code of an app, a stolen password is not enough to sign in.';
  return `On since ${formatDate(date_set_up)}. You have ${recovery_codes} recovery ${recovery_codes === 1 ? 'code' : 'codes'} left.`;
}

interface SetupDialogProps {
  of: Setup;
  onCodes: (codes: NewCodes) => void;
  onClose: () => void;
}

function SetupDialog({ of: { secret, uri, setup }, onCodes, onClose }: SetupDialogProps) {
  const save = async (form: FormData): Promise<string> => {
    onCodes(await withConfirmedPassword(() => callConsole<NewCodes>('PUT', path, { setup, code: String(form.get('code')) })));
    return '';
  };
  return (
    <Dialog title="Set up two-step sign-in" onClose={onClose}>
      <p>Scan this with an authenticator app on your phone, then type the six digits that it shows.</p>
      <QrCode text={uri} />
      <p class="copy-line">
        <span>
          You cannot scan it? Type this key: <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        </span>
        <CopyButton text={secret} label="Copy the key" />
      </p>
      <Form action="Switch on" onSubmit={save} onBack={onClose}>
        {(problemOf) => <CodeField problem={problemOf('code', 'The')} />}
      </Form>
    </Dialog>
  );
}

/** Shown once. */
function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Dialog title="Keep your recovery codes" onClose={onClose}>
      <p>
        Each of them signs you in once if you lose your phone. They are not shown again: print them, or store them in your password manager.
      </p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="actions">
        <CopyButton text={text} label="Copy the recovery codes" />
        <button type="button" class="plain" onClick={() => download('recovery-codes.txt', new Blob([text], { type: 'text/plain' }))}>
          <Icon name="download" />
          Download
        </button>
        <button type="button" class="primary" onClick={onClose}>
          I have stored them
        </button>
      </p>
    </Dialog>
  );
}

function RenewDialog({ onCodes, onClose }: { onCodes: (codes: NewCodes) => void; onClose: () => void }) {
  let codes: NewCodes | undefined;
  const renew = async (): Promise<void> => {
    codes = await withConfirmedPassword(() => callConsole<NewCodes>('POST', '/console/recovery-codes'));
  };
  return (
    <ActionDialog
      title="Make new recovery codes?"
      action="Make new codes"
      onSubmit={renew}
      onClose={() => (codes ? onCodes(codes) : onClose())}
    >
      <p>You get ten new ones. The codes that you have now stop working.</p>
    </ActionDialog>
  );
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const remove = async (): Promise<void> => {
    await withConfirmedPassword(() => callConsole('DELETE', path));
    showToast('Two-step sign-in is off.');
  };
  return (
    <ActionDialog title="Switch two-step sign-in off?" action="Switch off" isDangerous onSubmit={remove} onClose={onClose}>
      <p>Your password alone is enough to sign in then, and your recovery codes stop working.</p>
    </ActionDialog>
  );
}
