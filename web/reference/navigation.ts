import { methodBadge } from './badges.ts';
import { commonChapters } from './common-ground.ts';
import type { Contract, Endpoint } from './contract.ts';
import { introductionChapters } from './introduction.ts';
import { make } from './make.ts';
import { eventId } from './webhooks.ts';

/** What the filter looks through: a link with everything it could be looked for by. */
export interface Entry {
  readonly item: HTMLElement;
  readonly words: string;
}

export interface Group {
  readonly element: HTMLElement;
  readonly entries: readonly Entry[];
}

const entry = (id: string, content: (Node | string)[], words: string): Entry => ({
  item: make('li', {}, make('a', { href: `#${id}` }, content)),
  words: words.toLowerCase(),
});

const operationEntry = ({ id, method, path, tag, operation }: Endpoint): Entry =>
  entry(id, [make('span', {}, operation.summary ?? id), methodBadge(method)], `${id} ${method} ${path} ${tag} ${operation.summary ?? ''}`);

function group(title: string, entries: readonly Entry[]): Group {
  const id = `group-${title.toLowerCase().replace(/\W+/g, '-')}`;
  const list = make(
    'ul',
    { 'aria-labelledby': id },
    entries.map(({ item }) => item),
  );
  return { element: make('div', { class: 'group' }, make('p', { class: 'group-title', id }, title), list), entries };
}

const chapterEntry = ({ id, title }: { id: string; title: string }): Entry => entry(id, [title], title);

/** Everything on the page, in its order. */
export function groupsOf(contract: Contract): Group[] {
  const chapters = [{ id: 'introduction', title: 'Introduction' }, ...introductionChapters(contract), ...commonChapters];
  const events = contract.events.map((event) => entry(eventId(event), [make('code', {}, event.path)], `${event.path} webhook event`));
  return [
    group('Start here', chapters.map(chapterEntry)),
    ...contract.tags().map(({ name, endpoints }) => group(name, endpoints.map(operationEntry))),
    ...(events.length > 0
      ? [group('Webhook events', [entry('webhook-events', ['Receive and verify'], 'webhook receive verify signature'), ...events])]
      : []),
    group('Reference', [entry('schemas', ['Records'], 'records schemas')]),
  ];
}

/** A field that narrows the navigation to what contains all of its words. `/` leads to it from anywhere. */
export function filterField(groups: readonly Group[]): HTMLElement {
  const field = make('input', { type: 'search', id: 'filter', placeholder: 'Filter', autocomplete: 'off', spellcheck: 'false' });
  const count = make('p', { class: 'off-screen', role: 'status' });
  const nothing = make('p', { class: 'nothing', hidden: true }, 'Nothing here has these words.');
  const apply = (): void => {
    const shown = narrow(groups, field.value.toLowerCase().split(/\s+/).filter(Boolean));
    nothing.hidden = shown > 0;
    count.textContent = field.value === '' ? '' : `${shown} entries`;
  };
  field.addEventListener('input', apply);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') firstShown(groups)?.click();
    if (event.key !== 'Escape' || field.value === '') return;
    event.stopPropagation();
    field.value = '';
    apply();
  });
  focusOnSlash(field);
  const label = make('label', { for: 'filter', class: 'off-screen' }, 'Filter the navigation');
  return make('div', { class: 'filter', role: 'search' }, label, field, make('kbd', { 'aria-hidden': 'true' }, '/'), count, nothing);
}

function narrow(groups: readonly Group[], words: readonly string[]): number {
  let shown = 0;
  for (const { element, entries } of groups) {
    const matching = entries.filter((one) => words.every((word) => one.words.includes(word)));
    for (const one of entries) one.item.hidden = !matching.includes(one);
    element.hidden = matching.length === 0;
    shown += matching.length;
  }
  return shown;
}

const firstShown = (groups: readonly Group[]): HTMLAnchorElement | null | undefined =>
  groups
    .flatMap(({ entries }) => entries)
    .find(({ item }) => !item.hidden)
    ?.item.querySelector('a');

function focusOnSlash(field: HTMLInputElement): void {
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog') !== null;
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    document.dispatchEvent(new Event('navigation:open'));
    field.focus();
  });
}
