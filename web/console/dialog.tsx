import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './components.tsx';
import { ErrorBox } from './load.tsx';
import { clearToast } from './toast.tsx';
import { WaitNotice } from './wait-notice.tsx';

interface DialogProps {
  title: string;
  children: ComponentChildren;
  /** Cannot be closed: it waits for an answer. */
  isLocked?: boolean;
  onClose: () => void;
}

/** Open as long as it is rendered. The browser holds the focus inside, and gives it back. */
export function Dialog({ title, children, isLocked = false, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    clearToast();
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('form :is(input, textarea, select, button)')?.focus();
    return () => opener?.focus?.();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={(event) => isLocked && event.preventDefault()} onClose={onClose}>
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
  /** Called with the fields of the form. The dialog closes when it succeeds, and shows the error when it fails. */
  onSubmit: (form: FormData) => Promise<void>;
}

/** A form, or a confirmation. What was typed stays when the call fails. */
export function ActionDialog({ title, action, children, isDangerous, onSubmit, onClose }: ActionDialogProps) {
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setSending(true);
    setError(undefined);
    try {
      await onSubmit(new FormData(event.currentTarget as HTMLFormElement));
      onClose();
    } catch (failure) {
      setError(failure);
    }
    setSending(false);
  };
  return (
    <Dialog title={title} isLocked={isSending} onClose={onClose}>
      <form onSubmit={submit}>
        {children}
        {isSending && <WaitNotice />}
        {error !== undefined && <ErrorBox error={error} />}
        <p class="actions">
          <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={isSending}>
            {isSending ? 'Sending …' : action}
          </button>
          <button type="button" class="plain" disabled={isSending} onClick={onClose}>
            Back
          </button>
        </p>
      </form>
    </Dialog>
  );
}
