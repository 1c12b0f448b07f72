import type { Contract, Endpoint } from './contract.ts';
import { type Child, h, replaceContent } from './dom.ts';
import { errorEntries, errorTexts } from './error-codes.ts';
import { introductionChapters } from './introduction.ts';
import { recordsOf } from './schema-view.ts';
import { eventId } from './webhooks.ts';

type Kind = 'operation' | 'parameter' | 'field' | 'record' | 'error' | 'event' | 'header' | 'chapter' | 'guide';

interface Item {
  readonly kind: Kind;
  readonly title: string;
  /** Where it is, or what it means: shown below the title. */
  readonly context: string;
  readonly href: string;
  /** Lower-case text that is searched besides the title. */
  readonly text: string;
}

const item = (kind: Kind, href: string, title: string, context: string, text = ''): Item => ({
  kind,
  href,
  title,
  context: plain(context),
  text: plain(`${kind} ${context} ${text}`).toLowerCase(),
});

const plain = (markdown: string): string => markdown.replace(/[`*]|\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('\n', ' ');

/** Everything on the page, and the headings of the guides. */
function listItems(contract: Contract): Item[] {
  const { components } = contract.document;
  return [
    ...contract.endpoints.flatMap(operationItems),
    ...errorEntries(contract).map(({ code, status }) => {
      const [message, advice] = errorTexts(code);
      return item('error', `#error-${code}`, code, `${status}: ${message}`, advice);
    }),
    ...contract.events.map((event) => item('event', `#${eventId(event)}`, event.path, event.operation.description ?? '')),
    ...introductionChapters(contract).map(({ id, title, text }) => item('chapter', `#${id}`, title, '', text)),
    ...Object.entries(components?.headers ?? {}).map(([name, header]) =>
      item('header', '#headers', name, contract.resolve(header).description ?? ''),
    ),
    ...recordsOf(contract).flatMap(([name, { description = '', properties = {} }]) => [
      item('record', `#schema-${name}`, name, description),
      ...Object.entries(properties).map(([field, schema]) => {
        const { description = '', enum: values = [] } = contract.resolve(schema);
        return item('field', `#schema-${name}.${field}`, field, `${name}: ${description}`, values.join(' '));
      }),
    ]),
    ...GUIDE_HEADINGS.map(({ href, title, text }) => item('guide', href, text, text === title ? '' : title)),
  ];
}

function operationItems({ id, method, path, tag, operation, parameters }: Endpoint): Item[] {
  const { summary = id, description = '' } = operation;
  const address = `${method.toUpperCase()} ${path}`;
  return [
    item('operation', `#${id}`, summary, address, `${id} ${tag} ${description}`),
    ...parameters.map(({ name, description = '' }) => item('parameter', `#${id}.${name}`, name, `${address}: ${description}`)),
  ];
}

/** Null if a word is missing. A word in the title counts more, above all where a word of the title starts. */
function score({ title, text, kind }: Item, words: readonly string[]): number | null {
  const name = title.toLowerCase();
  let sum = kind === 'operation' || kind === 'error' ? 2 : 0;
  for (const word of words) {
    if (name === word) sum += 12;
    else if (name.startsWith(word) || name.replace(/[_.]/g, ' ').includes(` ${word}`)) sum += 8;
    else if (name.includes(word)) sum += 5;
    else if (text.includes(word)) sum += 1;
    else return null;
  }
  return sum;
}

const maxShown = 60;

/**
 * A search field over everything on the page. While it holds text, its results replace the contents. `/` focuses it from anywhere, Enter opens the
 * first result, and the arrow keys move between them.
 */
export function searchField(contract: Contract, contents: HTMLElement): { field: HTMLElement; results: HTMLElement } {
  const input = h('input', { type: 'search', id: 'search', placeholder: 'Search', autocomplete: 'off', spellcheck: 'false' });
  const status = h('p.off-screen', { role: 'status' });
  const results = h('div.results', { hidden: true });
  let items: Item[] | undefined;
  const find = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    contents.hidden = words.length > 0;
    results.hidden = words.length === 0;
    items ??= listItems(contract);
    const found = words.length === 0 ? [] : rank(items, words);
    status.textContent = words.length === 0 ? '' : `${found.length} results`;
    replaceContent(results, resultList(found));
  };
  input.addEventListener('input', find);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') results.querySelector('a')?.click();
    if (event.key !== 'Escape' || input.value === '') return;
    event.stopPropagation();
    input.value = '';
    find();
  });
  const field = h(
    'div.search',
    { role: 'search' },
    h('label.off-screen', { for: 'search' }, 'Search'),
    input,
    h('kbd', { 'aria-hidden': 'true' }, '/'),
    status,
  );
  for (const part of [field, results]) part.addEventListener('keydown', (event) => moveFocus(event, input, results));
  document.addEventListener('keydown', (event) => focusOnSlash(event, input));
  return { field, results };
}

const rank = (items: readonly Item[], words: readonly string[]): Item[] =>
  items
    .map((each) => ({ each, points: score(each, words) }))
    .filter((entry): entry is { each: Item; points: number } => entry.points !== null)
    .sort((one, other) => other.points - one.points)
    .map(({ each }) => each);

function resultList(found: readonly Item[]): Child {
  if (found.length === 0) return h('p.nothing', 'No results.');
  const entries = found
    .slice(0, maxShown)
    .map(({ kind, title, context, href }) =>
      h('li', h('a', { href }, h('span', h('span.result-title', title), h('span.result-context', context)), h('span.kind', kind))),
    );
  const more = found.length > maxShown && h('p.nothing', `${found.length - maxShown} more. Add a word.`);
  return [h('ul', { 'aria-label': 'Results' }, entries), more];
}

function moveFocus(event: KeyboardEvent, input: HTMLElement, results: HTMLElement): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const stops = [input, ...results.querySelectorAll('a')];
  stops[stops.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  event.preventDefault();
}

function focusOnSlash(event: KeyboardEvent, input: HTMLElement): void {
  const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog') !== null;
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  event.preventDefault();
  document.dispatchEvent(new Event('navigation:open'));
  input.focus();
}
