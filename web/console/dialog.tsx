import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './components.tsx';
import { ErrorBox, isResultUnknown } from './load.tsx';
import { clearToast } from './toast.tsx';
import { WaitNotice } from './wait-notice.tsx';

interface DialogProps {
  title: string;
  children: ComponentChildren;
  /** Cannot be closed: it waits for an answer. */
  isLocked?: boolean;
  onClose: () => void;
}

/** A key that is held down repeats: that of the button which opened the dialog must not press one inside. Lines of a text may repeat. */
function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
}

/** Open as long as it is rendered. The browser holds the focus inside, and gives it back. */
export function Dialog({ title, children, isLocked = false, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    clearToast();
    dialog.current?.showModal();
    const find = (selector: string) => dialog.current?.querySelector<HTMLElement>(selector);
    (find('[data-focus]') ?? find('form :is(input, textarea, select, button):enabled'))?.focus();
    return () => opener?.focus?.();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onKeyDown={ignoreHeldEnter}
      onCancel={(event) => isLocked && event.preventDefault()}
      onClose={onClose}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="icon-button" aria-label="Close" disabled={isLocked} onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}

interface ActionDialogProps extends DialogProps {
  /** The text of the button. */
  action: string;
  isDangerous?: boolean;
  /** False while what the reader decides about is loading. */
  isReady?: boolean;
  /**
   * Called with the fields of the form, and with an Idempotency-Key that stays the same as long as the dialog is open. The dialog closes when
   * it succeeds, and shows the error when it fails.
   */
  onSubmit: (form: FormData, idempotencyKey: string) => Promise<void>;
  /** Says what exists by now, which the reader sees before a call is repeated whose answer was lost, or whose key was used for other fields. */
  findResult?: () => Promise<string>;
}

interface Failure {
  readonly error: unknown;
  /** What exists by now. */
  readonly result?: string;
  /** It could not be read what exists by now. */
  readonly isUnchecked?: boolean;
}

/** Works on pages without HTTPS too, where `randomUUID` does not exist. */
const newIdempotencyKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** A form, or a confirmation. What was typed stays when the call fails. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, action, children, isDangerous, isReady = true, onSubmit, findResult, onClose } = props;
  const [idempotencyKey] = useState(newIdempotencyKey);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isSending, setSending] = useState(false);
  const check = async (error: unknown): Promise<Failure> => {
    if (!findResult || !isResultUnknown(error)) return { error };
    return findResult().then(
      (result) => ({ error, result }),
      () => ({ error, isUnchecked: true }),
    );
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setSending(true);
    const next = failure?.isUnchecked ? await check(failure.error) : await onSubmit(form, idempotencyKey).then(() => null, check);
    setFailure(next);
    setSending(false);
    if (!next) onClose();
  };
  const label = failure?.isUnchecked ? 'See what exists' : failure?.result === undefined ? action : 'Try again';
  return (
    <Dialog title={title} isLocked={isSending} onClose={onClose}>
      <form onSubmit={submit}>
        {children}
        {isSending && <WaitNotice />}
        {failure && !isSending && <ErrorBox error={failure.error} />}
        {failure?.result !== undefined && <p role="status">{failure.result}</p>}
        {failure?.isUnchecked && <p role="status">It is not known whether it was done. See what exists before you try again.</p>}
        <p class="actions">
          <button
            type="submit"
            class={isDangerous ? 'danger' : 'primary'}
            disabled={isSending || !isReady}
            // The second click of a double click was meant for the button that opened the dialog.
            onClick={(event) => event.detail > 1 && event.preventDefault()}
          >
            {isSending ? 'Sending …' : label}
          </button>
          <button type="button" class="plain" data-focus={isDangerous || undefined} disabled={isSending} onClick={onClose}>
            Back
          </button>
        </p>
      </form>
    </Dialog>
  );
}
