import { make, replaceContent } from './make.ts';

export interface Tab {
  readonly name: string;
  readonly content: () => Node;
  /** Decoration of the tab: the class of a status, say. */
  readonly class?: string;
}

let count = 0;

/** A row of tabs over one panel, moved through with the arrow keys. Each panel is made when it is first looked at. */
export function tabs(label: string, entries: readonly Tab[], { kept }: { kept?: string } = {}): HTMLElement {
  count += 1;
  const panel = make('div', { role: 'tabpanel', id: `panel-${count}`, class: 'panel' });
  const buttons = entries.map(({ name, class: look = '' }, index) =>
    make('button', { type: 'button', role: 'tab', id: `tab-${count}-${index}`, 'aria-controls': panel.id, class: look }, name),
  );
  const made = new Map<number, Node>();
  const show = (chosen: number): void => {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(index === chosen));
      button.tabIndex = index === chosen ? 0 : -1;
    }
    const content = made.get(chosen) ?? entries[chosen]?.content();
    if (content) made.set(chosen, content);
    panel.setAttribute('aria-labelledby', buttons[chosen]?.id ?? '');
    replaceContent(panel, content);
  };
  for (const [index, button] of buttons.entries())
    button.addEventListener('click', () => {
      show(index);
      if (kept !== undefined) keep(kept, button);
    });
  show(0);
  if (kept !== undefined) following(kept, buttons);
  const list = make('div', { role: 'tablist', 'aria-label': label, class: 'tabs' }, buttons);
  list.addEventListener('keydown', (event) => move(event, buttons));
  return make('div', { class: 'tabbed' }, list, panel);
}

function move(event: KeyboardEvent, buttons: readonly HTMLButtonElement[]): void {
  const at = buttons.findIndex((button) => button === document.activeElement);
  const last = buttons.length - 1;
  const targets: Record<string, number> = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last };
  const target = targets[event.key];
  if (at < 0 || target === undefined) return;
  event.preventDefault();
  buttons[target]?.focus();
  buttons[target]?.click();
}

/** Whoever reads curl reads it everywhere: rows of the same kind follow each other. */
const rows = new Map<string, (readonly HTMLButtonElement[])[]>();

const following = (kind: string, buttons: readonly HTMLButtonElement[]): void => void rows.set(kind, [...(rows.get(kind) ?? []), buttons]);

let isFollowing = false;

function keep(kind: string, chosen: HTMLButtonElement): void {
  if (isFollowing) return;
  isFollowing = true;
  const before = chosen.getBoundingClientRect().top;
  for (const row of rows.get(kind) ?? [])
    row.find((button) => button !== chosen && button.textContent === chosen.textContent && !row.includes(chosen))?.click();
  // What stands above has another height now; the reader stays where they were.
  window.scrollBy(0, chosen.getBoundingClientRect().top - before);
  isFollowing = false;
}
