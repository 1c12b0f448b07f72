import { methodBadge } from './badges.ts';
import type { Contract, Endpoint } from './contract.ts';
import { type Child, h, icon, openDetails } from './dom.ts';
import { introductionChapters } from './introduction.ts';
import { eventId } from './webhooks.ts';

const entry = (href: string, content: Child): HTMLElement => h('li', h('a', { href }, content));

const operationEntry = ({ id, method, operation: { summary = id } }: Endpoint): HTMLElement =>
  entry(`#${id}`, [h('span', summary), methodBadge(method)]);

function group(title: string, entries: readonly HTMLElement[]): HTMLElement | false {
  const id = `group-${title.toLowerCase().replace(/\W+/g, '-')}`;
  return entries.length > 0 && h('div.group', h('p.group-title', { id }, title), h('ul', { 'aria-labelledby': id }, entries));
}

/** The contents of the page, in its order, then the guides. */
export function contents(contract: Contract): HTMLElement {
  const chapters = introductionChapters(contract).map(({ id, title }) => entry(`#${id}`, title));
  const tags = contract.tags().map(({ name, endpoints }) => group(name, endpoints.map(operationEntry)));
  const events = contract.events.map((event) => entry(`#${eventId(event)}`, h('code', event.path)));
  if (events.length > 0) events.unshift(entry('#webhook-events', 'Receive and verify'));
  return h(
    'div.contents',
    group('Start here', chapters),
    tags,
    group('Webhook events', events),
    group('Reference', [entry('#schemas', 'Records'), entry('#error-codes', 'Error codes')]),
    guideGroup(),
  );
}

export const guideGroup = (): Child =>
  group(
    'Guides',
    GUIDE_HEADINGS.filter(({ title, text }) => title === text).map(({ href, title }) => entry(href, title)),
  );

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

/** Goes to the target of the address: the browser cannot, since the page is created after it has loaded. A field may be in a closed record. */
export function goToHash(): void {
  const id = decodeURIComponent(window.location.hash.slice(1));
  const record = document.getElementById(id.replace(/(^schema-\w+)\..*/, '$1'));
  if (record instanceof HTMLDetailsElement) openDetails(record);
  const target = id === '' ? null : document.getElementById(id);
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
}
