import { methodBadge } from './badges.ts';
import type { Contract, Endpoint } from './contract.ts';
import { type Child, h, icon } from './dom.ts';
import { introductionChapters } from './introduction.ts';
import { eventId } from './webhooks.ts';

interface Entry {
  readonly item: HTMLElement;
  /** The lower-case text that the filter searches. */
  readonly words: string;
}

export interface Group {
  readonly element: HTMLElement;
  readonly entries: readonly Entry[];
}

const entry = (id: string, content: Child, words: string): Entry => ({
  item: h('li', h('a', { href: `#${id}` }, content)),
  words: words.toLowerCase(),
});

const operationEntry = ({ id, method, path, tag, operation: { summary = id } }: Endpoint): Entry =>
  entry(id, [h('span', summary), methodBadge(method)], `${id} ${method} ${path} ${tag} ${summary}`);

function group(title: string, entries: readonly Entry[]): Group {
  const id = `group-${title.toLowerCase().replace(/\W+/g, '-')}`;
  const items = entries.map(({ item }) => item);
  return { element: h('div.group', h('p.group-title', { id }, title), h('ul', { 'aria-labelledby': id }, items)), entries };
}

/** The contents of the page, in its order. */
export function navigationGroups(contract: Contract): Group[] {
  const chapters = introductionChapters(contract).map(({ id, title }) => entry(id, title, title));
  const tags = contract.tags().map(({ name, endpoints }) => group(name, endpoints.map(operationEntry)));
  const events = contract.events.map((event) => entry(eventId(event), h('code', event.path), `${event.path} webhook event`));
  if (events.length > 0) events.unshift(entry('webhook-events', 'Receive and verify', 'webhook receive verify signature'));
  return [
    group('Start here', chapters),
    ...tags,
    ...(events.length > 0 ? [group('Webhook events', events)] : []),
    group('Reference', [entry('schemas', 'Records', 'records schemas')]),
  ];
}

/** A search field that hides the entries without all of its words. `/` focuses it from anywhere. */
export function filterField(groups: readonly Group[]): HTMLElement {
  const field = h('input', { type: 'search', id: 'filter', placeholder: 'Filter', autocomplete: 'off', spellcheck: 'false' });
  const count = h('p.off-screen', { role: 'status' });
  const nothing = h('p.nothing', { hidden: true }, 'No matches.');
  const apply = (): void => {
    const shown = filterGroups(groups, field.value.toLowerCase().split(/\s+/).filter(Boolean));
    nothing.hidden = shown > 0;
    count.textContent = field.value === '' ? '' : `${shown} entries`;
  };
  field.addEventListener('input', apply);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') firstVisibleLink(groups)?.click();
    if (event.key !== 'Escape' || field.value === '') return;
    event.stopPropagation();
    field.value = '';
    apply();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog') !== null;
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    document.dispatchEvent(new Event('navigation:open'));
    field.focus();
  });
  const label = h('label.off-screen', { for: 'filter' }, 'Filter the navigation');
  return h('div.filter', { role: 'search' }, label, field, h('kbd', { 'aria-hidden': 'true' }, '/'), count, nothing);
}

/** Returns the number of visible entries. */
function filterGroups(groups: readonly Group[], words: readonly string[]): number {
  let visible = 0;
  for (const { element, entries } of groups) {
    for (const each of entries) each.item.hidden = !words.every((word) => each.words.includes(word));
    const count = entries.filter(({ item }) => !item.hidden).length;
    element.hidden = count === 0;
    visible += count;
  }
  return visible;
}

const firstVisibleLink = (groups: readonly Group[]): HTMLAnchorElement | null | undefined =>
  groups
    .flatMap(({ entries }) => entries)
    .find(({ item }) => !item.hidden)
    ?.item.querySelector('a');

/** On a narrow screen the navigation is a drawer, invisible and out of the tab order while it is closed. Returns its button and its backdrop. */
export function drawer(navigation: HTMLElement): { button: HTMLElement; shade: HTMLElement } {
  const button = h('button.icon-button', { type: 'button', 'aria-controls': navigation.id });
  const shade = h('div.shade');
  const isOpen = (): boolean => !shade.hidden;
  const setOpen = (open: boolean): void => {
    document.body.classList.toggle('with-drawer', open);
    shade.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
    button.setAttribute('aria-label', open ? 'Close the menu' : 'Menu');
    button.replaceChildren(icon(open ? 'close' : 'menu'));
  };
  button.addEventListener('click', () => setOpen(!isOpen()));
  shade.addEventListener('click', () => setOpen(false));
  document.addEventListener('navigation:open', () => matchMedia('(max-width: 62rem)').matches && setOpen(true));
  navigation.addEventListener('click', (event) => {
    if (isOpen() && (event.target as Element).closest('a')) setOpen(false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !isOpen()) return;
    setOpen(false);
    button.focus();
  });
  setOpen(false);
  return { button, shade };
}

/** Marks the entry of the section at the top of the window as current, and scrolls it into view. */
export function trackCurrentSection(main: HTMLElement, navigation: HTMLElement): void {
  const links = new Map([...navigation.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
  const targets = [...main.querySelectorAll<HTMLElement>('[id]')].filter(({ id }) => links.has(id));
  let current: HTMLAnchorElement | undefined;
  const update = (): void => {
    const passed = targets.findLast((target) => target.getBoundingClientRect().top < 110);
    const link = links.get((passed ?? targets[0])?.id ?? '');
    if (!link || link === current) return;
    current?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    current = link;
    scrollIntoView(navigation, link);
  };
  let isScheduled = false;
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      update();
    });
  };
  window.addEventListener('scroll', schedule, { passive: true });
  update();
}

/** Within the navigation alone: `Element.scrollIntoView` would scroll the page too. */
function scrollIntoView(navigation: HTMLElement, link: HTMLElement): void {
  const [outer, inner] = [navigation.getBoundingClientRect(), link.getBoundingClientRect()];
  if (inner.top < outer.top + 140) navigation.scrollTop -= outer.top + 140 - inner.top;
  if (inner.bottom > outer.bottom - 40) navigation.scrollTop += inner.bottom - outer.bottom + 40;
}

/** Goes to the target of the address. The browser cannot, since the page is created after it has loaded. */
export function goToHash(): void {
  const id = decodeURIComponent(window.location.hash.slice(1));
  const target = id === '' ? null : document.getElementById(id);
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
}
