import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { isApiError } from '../../client/src/index.ts';
import { Dialog } from './dialog.tsx';
import { ErrorBox } from './load.tsx';
import { getMe } from './session.ts';
import { showToast } from './toast.tsx';

interface TextFieldProps {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'tel' | 'password' | 'number' | 'url' | 'date';
  required?: boolean;
  minLength?: number;
  maxLength?: number;
  min?: number;
  max?: number;
  /** The id of a list of suggestions. */
  list?: string;
  autocomplete?: AutoFill;
  defaultValue?: string;
  hint?: string | undefined;
  /** What is wrong with the value. */
  problem?: string | undefined;
  /** Why the form cannot be sent with the value. The browser shows it at the field. */
  refusal?: string;
  onType?: (text: string) => void;
  onLeave?: () => void;
}

export function TextField({
  label,
  hint,
  problem,
  refusal = '',
  onType,
  onLeave,
  autocomplete = 'off',
  type = 'text',
  ...input
}: TextFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.setCustomValidity(refusal), [refusal]);
  const texts = Object.entries({ problem, hint }).filter(([, text]) => text);
  const describedBy = texts.map(([kind]) => `${id}-${kind}`).join(' ') || undefined;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {!input.required && ' (optional)'}
      </label>
      <input
        id={id}
        ref={field}
        {...input}
        // Preact has another type of attributes for each.
        type={type as 'text'}
        {...(type === 'number' && { step: 'any', min: input.min ?? 0 })}
        autocomplete={autocomplete}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={describedBy}
        onInput={(event) => onType?.(event.currentTarget.value)}
        onBlur={() => onLeave?.()}
      />
      {texts.map(([kind, text]) => (
        <p key={kind} id={`${id}-${kind}`} class={kind === 'problem' ? 'hint bad' : 'hint'}>
          {text}
        </p>
      ))}
    </div>
  );
}

export const PasswordField = (props: Omit<TextFieldProps, 'type'>) => <TextField type="password" required maxLength={1000} {...props} />;

/** A code of the app, or a recovery code. */
export const CodeField = ({ problem }: { problem?: string | undefined }) => (
  <TextField name="code" label="Code" required maxLength={40} autocomplete="one-time-code" problem={problem} />
);

/** Tells password managers whose password the form is about. */
export const UsernameField = () => (
  <input type="text" name="username" autocomplete="username" value={getMe().user.login ?? ''} readOnly hidden />
);

/** What the service says about each field, by its name. */
function problemsIn(error: unknown): Readonly<Record<string, string>> {
  return isApiError(error, 'rest_invalid_param') && 'params' in error.data ? (error.data.params as Record<string, string>) : {};
}

interface FormProps {
  /** The text of the button. */
  action: string;
  /** The fields are empty again when it is done. */
  isCleared?: boolean;
  /** Closes the dialog that the form is in. */
  onBack?: () => void;
  /** Resolves to what is said when it is done. */
  onSubmit: (form: FormData) => Promise<string>;
  /** Gets what is wrong with a field, for the reader who sees this label. */
  children: (problemOf: (name: string, label: string) => string | undefined) => ComponentChildren;
}

interface FormDialogProps extends Omit<FormProps, 'isCleared' | 'onBack'> {
  title: string;
  onClose: () => void;
}

/** A form that opens over the page. Closes when it is done, and a message says so. */
export function FormDialog({ title, action, onSubmit, children, onClose }: FormDialogProps) {
  const submit = async (form: FormData): Promise<string> => {
    showToast(await onSubmit(form));
    onClose();
    return '';
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} onSubmit={submit} onBack={onClose}>
        {children}
      </Form>
    </Dialog>
  );
}

/** A form of a page. What was typed stays when the call fails. */
export function Form({ action, isCleared = false, onBack, onSubmit, children }: FormProps) {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ isSending?: boolean; done?: string; error?: unknown }>({});
  const problems = problemsIn(state.error);
  const marked = new Set<string>();
  const problemOf = (name: string, label: string): string | undefined => {
    marked.add(name);
    return problems[name]?.replace(/^[\w.]+/, label);
  };
  const fields = children(problemOf);
  const isMarked = Object.keys(problems).length > 0 && Object.keys(problems).every((name) => marked.has(name));
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setState({ isSending: true });
    try {
      setState({ done: await onSubmit(new FormData(event.currentTarget as HTMLFormElement)) });
      if (isCleared) setRound(round + 1);
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <form class="form" onSubmit={submit}>
      <Fragment key={round}>{fields}</Fragment>
      {state.error !== undefined && !isMarked && <ErrorBox error={state.error} />}
      {isMarked && (
        <p class="notice bad-notice" role="alert">
          Nothing was saved. Correct the fields that are marked.
        </p>
      )}
      {state.done && (
        <p class="notice good-notice" role="status">
          {state.done}
        </p>
      )}
      <p class="actions">
        <button type="submit" class="primary" disabled={state.isSending}>
          {state.isSending ? 'Sending …' : action}
        </button>
        {onBack && (
          <button type="button" class="plain" disabled={state.isSending} onClick={onBack}>
            Back
          </button>
        )}
      </p>
    </form>
  );
}
