import { signal } from '@preact/signals';
import { Icon } from './components.tsx';

interface Link {
  readonly href: string;
  readonly text: string;
}

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly link: Link | undefined;
}

const toast = signal<Toast | null>(null);
const shownMilliseconds = 10_000;
let lastId = 0;

export const clearToast = (): void => void (toast.value = null);

/** Says what an action did, with a link to its result. The next one, or a dialog, takes its place. */
export function showToast(text: string, link?: Link): void {
  const id = ++lastId;
  toast.value = { id, text, link };
  setTimeout(() => toast.value?.id === id && clearToast(), shownMilliseconds);
}

/** Always part of the page, so that screen readers read what is added. */
export function Toasts() {
  const shown = toast.value;
  return (
    <div class="toasts" role="status">
      {shown && (
        <div key={shown.id} class="toast">
          <p>
            <bdi>{shown.text}</bdi> {shown.link && <a href={shown.link.href}>{shown.link.text}</a>}
          </p>
          <button type="button" class="icon-button" aria-label="Close the message" onClick={clearToast}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
