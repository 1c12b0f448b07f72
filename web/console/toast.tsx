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

const toasts = signal<readonly Toast[]>([]);
const shownMilliseconds = 10_000;
let lastId = 0;

const remove = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

/** Says what an action did, with a link to its result. */
export function showToast(text: string, link?: Link): void {
  const id = ++lastId;
  toasts.value = [...toasts.value.slice(-2), { id, text, link }];
  setTimeout(() => remove(id), shownMilliseconds);
}

/** Always part of the page, so that screen readers read what is added. */
export const Toasts = () => (
  <div class="toasts" role="status">
    {toasts.value.map(({ id, text, link }) => (
      <div key={id} class="toast">
        <p>
          <bdi>{text}</bdi> {link && <a href={link.href}>{link.text}</a>}
        </p>
        <button type="button" class="icon-button" aria-label="Close the message" onClick={() => remove(id)}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </div>
);
