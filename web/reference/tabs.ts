import { h, replaceContent } from './dom.ts';

export interface Tab {
  readonly name: string;
  readonly content: () => Node;
  /** A class for the button, that of a status for example. */
  readonly class?: string;
}

let count = 0;

/**
 * A tab list over one panel, with the arrow keys as the ARIA pattern has them. Each panel is created when it is first shown. Lists with the same
 * `syncKey` follow each other: a reader who picks curl gets curl everywhere.
 */
export function tabs(label: string, entries: readonly Tab[], { syncKey }: { syncKey?: string } = {}): HTMLElement {
  count += 1;
  const panel = h('div.panel', { role: 'tabpanel', id: `panel-${count}` });
  const buttons = entries.map((tab, index) => {
    const attributes = { type: 'button', role: 'tab', id: `tab-${count}-${index}`, 'aria-controls': panel.id, class: tab.class };
    return h('button', attributes, tab.name);
  });
  const panels = new Map<number, Node | undefined>();
  const show = (selected: number): void => {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(index === selected));
      button.tabIndex = index === selected ? 0 : -1;
    }
    if (!panels.has(selected)) panels.set(selected, entries[selected]?.content());
    panel.setAttribute('aria-labelledby', buttons[selected]?.id ?? '');
    replaceContent(panel, panels.get(selected));
  };
  for (const [index, button] of buttons.entries())
    button.addEventListener('click', () => {
      show(index);
      if (syncKey !== undefined) selectInOtherLists(syncKey, button);
    });
  show(0);
  if (syncKey !== undefined) syncedLists.set(syncKey, [...(syncedLists.get(syncKey) ?? []), buttons]);
  const list = h('div.tabs', { role: 'tablist', 'aria-label': label }, buttons);
  list.addEventListener('keydown', (event) => moveFocus(event, buttons));
  return h('div.tabbed', list, panel);
}

function moveFocus(event: KeyboardEvent, buttons: readonly HTMLButtonElement[]): void {
  const at = buttons.findIndex((button) => button === document.activeElement);
  const last = buttons.length - 1;
  const targets: Record<string, number> = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last };
  const target = targets[event.key];
  if (at < 0 || target === undefined) return;
  event.preventDefault();
  buttons[target]?.focus();
  buttons[target]?.click();
}

const syncedLists = new Map<string, (readonly HTMLButtonElement[])[]>();
let isSyncing = false;

function selectInOtherLists(syncKey: string, selected: HTMLButtonElement): void {
  if (isSyncing) return;
  isSyncing = true;
  const top = selected.getBoundingClientRect().top;
  for (const buttons of syncedLists.get(syncKey) ?? [])
    if (!buttons.includes(selected)) buttons.find(({ textContent }) => textContent === selected.textContent)?.click();
  // The lists above may have another height now, so scroll back to the selected button.
  window.scrollBy(0, selected.getBoundingClientRect().top - top);
  isSyncing = false;
}
