import { signal } from '@preact/signals';

interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
}

const readAddress = (): Address => ({ path: location.pathname, query: new URLSearchParams(location.search) });

/** The address of the page. Filters, ranges and page numbers are in its query, so that every view has a link. */
export const address = signal(readAddress());

export const getQuery = (name: string): string => address.value.query.get(name) ?? '';

/** The value of a parameter if it is one of these names. Any other is ignored: addresses are typed and shared. */
export function getChoice<Choice extends string>(name: string, choices: Readonly<Record<Choice, unknown>>): Choice | undefined {
  const value = getQuery(name);
  return Object.hasOwn(choices, value) ? (value as Choice) : undefined;
}

type Change = Record<string, string | number | null>;

/** The current address with other values. An empty value is left out. */
export function hrefWith(change: Change): string {
  const query = new URLSearchParams(address.value.query);
  for (const [name, value] of Object.entries(change))
    if (value === null || value === '') query.delete(name);
    else query.set(name, String(value));
  const text = query.toString();
  return address.value.path + (text && `?${text}`);
}

export function setQuery(change: Change, { isReplaced = false } = {}): void {
  navigate(hrefWith(change), { isReplaced });
}

/** What is typed into a field is one step of the history, however many letters it took. Back leads to the list as it was before. */
export const setTyped = (name: string, text: string): void =>
  navigate(hrefWith({ [name]: text, page: null }), { isReplaced: place.typed === name, typed: name });

export const setSearch = (search: string): void => setTyped('search', search);

/** What the browser keeps with each entry of its history. */
interface Place {
  readonly index: number;
  /** The field that made the entry. */
  readonly typed?: string | undefined;
}

let place: Place = (history.state as Place | null) ?? { index: 0 };
history.replaceState(place, '');

let question: string | null = null;

/** What is asked before a link or the history leads to another page. Null asks nothing. */
export function askBeforeLeaving(text: string | null): void {
  question = text;
}

const mayShow = (path: string): boolean => path === address.value.path || question === null || confirm(question);

export function navigate(href: string, { isReplaced = false, typed }: { isReplaced?: boolean; typed?: string } = {}): void {
  if (href === location.pathname + location.search || !mayShow(new URL(href, location.origin).pathname)) return;
  place = { index: isReplaced ? place.index : place.index + 1, typed };
  history[isReplaced ? 'replaceState' : 'pushState'](place, '', href);
  showAddress();
}

let isReturning = false;

/** After a step through the history. One that leaves changes behind is taken back if the reader says so. */
function followHistory(): void {
  if (isReturning) {
    isReturning = false;
    return;
  }
  // A link within the page has made an entry.
  if (history.state === null) history.replaceState({ index: place.index + 1 }, '');
  const next = history.state as Place;
  if (mayShow(location.pathname)) {
    place = next;
    showAddress();
    return;
  }
  isReturning = true;
  history.go(place.index - next.index);
}

let changes = 0;

/** False for the page that the browser opened, where the focus stays at the start. */
export const hasNavigated = (): boolean => changes > 0;

function showAddress(): void {
  const previous = address.value.path;
  changes += 1;
  address.value = readAddress();
  if (previous !== address.value.path) scrollTo(0, 0);
}

/** Links inside the console change the address without loading the page. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (!/^\/console(\/|$)/.test(link.pathname) || link.hash) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}

addEventListener('popstate', followHistory);
document.addEventListener('click', followLink);
