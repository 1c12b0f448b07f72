import { statusBadge } from './badges.ts';
import type { Contract, Endpoint } from './contract.ts';
import { type Child, h, heading } from './dom.ts';
import { inlineMarkdown } from './markdown.ts';

export interface ErrorEntry {
  readonly code: string;
  readonly status: string;
  readonly endpoints: readonly Endpoint[];
}

/** Every code that an operation declares, by status. */
export function errorEntries(contract: Contract): ErrorEntry[] {
  const entries = new Map<string, { code: string; status: string; endpoints: Endpoint[] }>();
  for (const endpoint of contract.endpoints)
    for (const [status, response] of endpoint.responses)
      for (const code of contract.errorCodes(endpoint, status, response)) {
        const entry = entries.get(code) ?? { code, status, endpoints: [] };
        entry.endpoints.push(endpoint);
        entries.set(code, entry);
      }
  return [...entries.values()].sort((one, other) => one.status.localeCompare(other.status));
}

const errorId = (code: string): string => `error-${code}`;

/** The message and the advice, both empty for a code that a site has added to the contract. */
export const errorTexts = (code: string): readonly [message: string, advice: string] =>
  (Object.hasOwn(ERROR_CATALOG, code) && ERROR_CATALOG[code]) || ['', ''];

/** Codes that lead to their explanation, separated by spaces. */
export const errorLinks = (codes: Iterable<string>): Child[] =>
  [...codes].flatMap((code) => [h('a', { href: `#${errorId(code)}`, title: errorTexts(code)[0] }, h('code', code)), ' ']);

/** The error code in a response body. Empty if there is none. */
export const errorCodeOf = (body: string): string => /^\s*\{\s*"code":\s*"(\w+)"/.exec(body)?.[1] ?? '';

/** What to do about the error in a response body. Null if it is none of the service. */
export function errorHint(body: string): Child {
  const code = errorCodeOf(body);
  const [, advice] = errorTexts(code);
  return advice !== '' && h('p.hint', errorLinks([code]), inlineMarkdown(advice));
}

/** Every error code with its message, what to do, and the operations that raise it. */
export function errorCodesSection(contract: Contract): HTMLElement {
  const items = errorEntries(contract).map((entry) => {
    const [message, advice] = errorTexts(entry.code);
    return h(
      'li.field',
      { id: errorId(entry.code), tabindex: -1 },
      h('div.field-head', h('code.field-name', entry.code), statusBadge(entry.status)),
      h('p.field-text', h('strong', message), ' ', inlineMarkdown(advice)),
      h('p.facts', raisedBy(contract, entry)),
    );
  });
  return h(
    'section.chapter',
    heading('h2', 'error-codes', 'Error codes'),
    h('p.prose', 'What each code means, what to do about it, and which operations raise it.'),
    h('ul.fields', items),
  );
}

function raisedBy(contract: Contract, { endpoints }: ErrorEntry): Child {
  const others = contract.endpoints.filter((endpoint) => !endpoints.includes(endpoint));
  if (others.length === 0) return 'Every operation';
  if (others.length <= 4) return ['Every operation but ', operationLinks(others)];
  return ['Raised by ', operationLinks(endpoints)];
}

const operationLinks = (endpoints: readonly Endpoint[]): Child[] =>
  endpoints.map(({ id, method, path }) => h('a', { href: `#${id}` }, `${method.toUpperCase()} ${path}`));
