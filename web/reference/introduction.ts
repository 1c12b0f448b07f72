import { codeBlock } from './code-block.ts';
import type { Contract } from './contract.ts';
import { heading, slug } from './heading.ts';
import { jsonText } from './json-view.ts';
import { make } from './make.ts';
import { chapters, markdown } from './markdown.ts';
import { curl, exampleCall } from './snippets.ts';

export interface Chapter {
  readonly id: string;
  readonly title: string;
}

export const introductionChapters = (contract: Contract): Chapter[] =>
  chapters(contract.document.info.description ?? '').flatMap(({ title }) => (title === '' ? [] : [{ id: `about-${slug(title)}`, title }]));

/** The contract's own words, chapter by chapter. */
export function introduction(contract: Contract): HTMLElement[] {
  const { info, servers } = contract.document;
  const [first, ...others] = chapters(info.description ?? '');
  const store = servers?.[0]?.description;
  return [
    make(
      'header',
      { class: 'operation opening' },
      make(
        'div',
        { class: 'words' },
        make('p', { class: 'eyebrow' }, store ? `${store} · API reference` : 'API reference'),
        make('h1', { id: 'introduction', tabindex: -1 }, info.title),
        make('div', { class: 'prose lead' }, markdown(first?.text ?? '')),
        facts(contract),
      ),
      make('div', { class: 'examples' }, firstCall(contract)),
    ),
    ...others.map(({ title, text }) =>
      make('section', { class: 'chapter' }, heading('h2', `about-${slug(title)}`, title), make('div', { class: 'prose' }, markdown(text))),
    ),
  ];
}

function facts(contract: Contract): HTMLElement {
  const { info, openapi } = contract.document;
  const rows: [string, Node | string][] = [
    ['Base address', make('code', {}, contract.baseUrl)],
    ['Version', info.version],
    ['Operations', String(contract.endpoints.length)],
    ['Document', make('a', { href: `${contract.basePath}/openapi` }, `OpenAPI ${openapi}`)],
  ];
  return make(
    'dl',
    { class: 'key-facts' },
    rows.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))),
  );
}

/** Something to paste into a shell before reading any further. */
function firstCall(contract: Contract): Node | null {
  const me = contract.endpoints.find(({ id }) => id === 'get_me');
  if (!me) return null;
  const example = contract.examplesOf(me.answers[0]?.[1].content?.['application/json']?.examples)[0];
  return make(
    'div',
    { class: 'sticky' },
    make('p', { class: 'example-name' }, 'A first call: who am I, and what may I do?'),
    codeBlock(curl(contract.baseUrl, exampleCall(contract, me), 'key'), 'shell', 'A first call'),
    example && codeBlock(jsonText(example.value), 'json', 'Its answer'),
  );
}
