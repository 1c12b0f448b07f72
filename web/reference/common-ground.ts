import { statusBadge } from './badges.ts';
import { codeBlock } from './code-block.ts';
import type { Contract } from './contract.ts';
import { heading } from './heading.ts';
import { jsonText } from './json-view.ts';
import { make } from './make.ts';
import { inlineMarkdown } from './markdown.ts';

export const commonChapters = [
  { id: 'access', title: 'Credentials and access' },
  { id: 'errors', title: 'Errors' },
  { id: 'headers', title: 'Paging, limits and headers' },
];

/** What holds for all operations, put together from what each of them declares. */
export const commonGround = (contract: Contract): HTMLElement[] => [accessPart(contract), errorsPart(contract), headersPart(contract)];

const row = (name: Node | string, ...cells: (Node | (Node | string)[])[]): HTMLElement =>
  make(
    'tr',
    {},
    make('th', { scope: 'row' }, name),
    cells.map((cell) => make('td', {}, cell)),
  );

const table = (caption: string, heads: string[], rows: HTMLElement[]): HTMLElement =>
  make(
    'table',
    {},
    make('caption', { class: 'off-screen' }, caption),
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        heads.map((head) => make('th', { scope: 'col' }, head)),
      ),
    ),
    make('tbody', {}, rows),
  );

function accessPart(contract: Contract): HTMLElement {
  const schemes = Object.values(contract.document.components?.securitySchemes ?? {});
  const levels = Object.entries(contract.document['x-access-levels'] ?? {});
  return make(
    'section',
    { class: 'chapter' },
    heading('h2', 'access', 'Credentials and access'),
    table(
      'Ways to identify yourself',
      ['Scheme', 'How'],
      [
        ...schemes.map(({ scheme = '', type, description = '' }) =>
          row(scheme === 'bearer' ? 'API key' : scheme === 'basic' ? 'HTTP Basic' : type, inlineMarkdown(description)),
        ),
        row(
          'Session',
          inlineMarkdown('The cookie of a browser that is signed in, with `X-Svc-CSRF` on everything that changes something.'),
        ),
      ],
    ),
    make('p', { class: 'prose' }, 'Each operation names who may call it:'),
    table(
      'Who may call',
      ['Badge', 'Who'],
      levels.map(([level, { description }]) => row(make('span', { class: 'badge access' }, level), inlineMarkdown(description))),
    ),
  );
}

function errorsPart(contract: Contract): HTMLElement {
  const example = contract.endpoints
    .flatMap(({ answers }) => answers.filter(([status]) => status === '400').map(([, answer]) => answer))
    .map((answer) => contract.examplesOf(answer.content?.['application/json']?.examples)[0])[0];
  const rows = [...codesByStatus(contract)].sort(([one], [other]) => one.localeCompare(other));
  return make(
    'section',
    { class: 'chapter' },
    heading('h2', 'errors', 'Errors'),
    make('p', { class: 'prose' }, inlineMarkdown('Decide by `code`, which does not change; show `message` to people.')),
    example && codeBlock(jsonText(example.value), 'json', 'An error'),
    table(
      'Error codes by status',
      ['Status', 'Codes'],
      rows.map(([status, { text, codes }]) =>
        row(statusBadge(status), [
          make('span', { class: 'codes-text' }, inlineMarkdown(text)),
          make(
            'span',
            { class: 'codes' },
            [...codes].flatMap((code) => [make('code', {}, code), ' ']),
          ),
        ]),
      ),
    ),
  );
}

interface Codes {
  text: string;
  codes: Set<string>;
}

function codesByStatus({ endpoints }: Contract): Map<string, Codes> {
  const found = new Map<string, Codes>();
  for (const { operation, answers } of endpoints)
    for (const [status, answer] of answers) {
      const codes = [...(answer['x-error-codes'] ?? []), ...(operation['x-error-codes']?.[status] ?? [])];
      if (codes.length === 0) continue;
      const entry = found.get(status) ?? { text: answer.description ?? '', codes: new Set<string>() };
      for (const code of codes) entry.codes.add(code);
      found.set(status, entry);
    }
  return found;
}

function headersPart(contract: Contract): HTMLElement {
  const headers = Object.entries(contract.document.components?.headers ?? {});
  return make(
    'section',
    { class: 'chapter' },
    heading('h2', 'headers', 'Paging, limits and headers'),
    make(
      'p',
      { class: 'prose' },
      inlineMarkdown('Lists take `page` and `per_page`; how many items and pages there are is said in headers.'),
    ),
    table(
      'Headers of answers',
      ['Header', 'What it says'],
      headers.map(([name, header]) => {
        const { description = '', example } = contract.resolve(header);
        return row(make('code', {}, name), [
          ...inlineMarkdown(description),
          ' ',
          ...(example === undefined ? [] : [make('code', { class: 'quiet' }, String(example))]),
        ]);
      }),
    ),
  );
}
