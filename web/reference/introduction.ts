import { statusBadge } from './badges.ts';
import { exampleCall } from './call.ts';
import { codeBlock, jsonBlock } from './code-block.ts';
import { type Contract, jsonOf } from './contract.ts';
import { type Child, h, heading } from './dom.ts';
import { errorLinks } from './error-codes.ts';
import { chapters, inlineMarkdown, markdown } from './markdown.ts';
import { curl } from './samples.ts';

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** The introductory chapters, for the navigation and the search. */
export function introductionChapters(contract: Contract): { id: string; title: string; text: string }[] {
  const [first, ...described] = chapters(contract.document.info.description ?? '');
  return [
    { id: 'introduction', title: 'Introduction', text: first?.text ?? '' },
    ...described.map(({ title, text }) => ({ id: `about-${slug(title)}`, title, text })),
    { id: 'access', title: 'Credentials and access', text: 'scope role session' },
    ...(editionOf(contract) === undefined ? [] : [{ id: 'edition', title: editionTitle, text: editionText }]),
    { id: 'errors', title: 'Errors', text: 'code message status' },
    { id: 'headers', title: 'Paging, limits and headers', text: 'page per_page' },
  ];
}

const editionTitle = 'What pro means';
const editionText =
  'A badge `pro` marks what belongs to the edition `pro`. An edition is a setting of this service and not a product: everything is included, ' +
  'and there is nothing to buy. `pro` is the default. An operator who wants a smaller API sets `edition` to `free`; payouts, webhooks and ' +
  'multi-level commission then disappear from the service and from this page.';

/** The edition that an operation of this site belongs to. Undefined on a site of the smaller edition. */
const editionOf = ({ endpoints }: Contract): string | undefined =>
  endpoints.find(({ operation }) => operation['x-edition'] !== undefined)?.operation['x-edition'];

/** The description of the contract, then what all operations have in common, collected from what each of them declares. */
export function introduction(contract: Contract): HTMLElement[] {
  const { info, servers } = contract.document;
  const [first, ...others] = chapters(info.description ?? '');
  const store = servers?.[0]?.description;
  return [
    h(
      'header.operation.opening',
      h(
        'div.words',
        h('p.eyebrow', store ? `${store} · API reference` : 'API reference'),
        h('h1', { id: 'introduction', tabindex: -1 }, info.title),
        h('div.prose.lead', markdown(first?.text ?? '')),
        keyFacts(contract),
      ),
      h('div.examples', firstCall(contract)),
    ),
    ...others.map(({ title, text }) => chapter(`about-${slug(title)}`, title, h('div.prose', markdown(text)))),
    accessChapter(contract),
    ...(editionOf(contract) === undefined ? [] : [chapter('edition', editionTitle, h('p.prose', inlineMarkdown(editionText)))]),
    errorsChapter(contract),
    headersChapter(contract),
  ];
}

const chapter = (id: string, title: string, ...content: Child[]): HTMLElement => h('section.chapter', heading('h2', id, title), content);

function keyFacts({ document: { info, openapi }, baseUrl, basePath, endpoints }: Contract): HTMLElement {
  const fact = (name: string, value: Child): HTMLElement => h('div', h('dt', name), h('dd', value));
  return h(
    'dl.key-facts',
    fact('Base URL', h('code', baseUrl)),
    fact('Version', info.version),
    fact('Operations', endpoints.length),
    fact('Document', h('a', { href: `${basePath}/openapi` }, `OpenAPI ${openapi}`)),
  );
}

/** A call to paste into a shell. */
function firstCall(contract: Contract): Node | undefined {
  const me = contract.endpoints.find(({ id }) => id === 'get_me');
  if (!me) return undefined;
  const example = contract.examplesOf(jsonOf(me.responses[0]?.[1]))[0];
  return h(
    'div.sticky',
    h('p.example-name', 'A first call: who am I, and what may I do?'),
    codeBlock(curl(contract, exampleCall(contract, me)), 'shell', 'A first call'),
    example && jsonBlock(example.value, 'Its response', 24),
  );
}

function table(caption: string, columns: readonly [string, string], rows: readonly (readonly [Child, Child])[]): HTMLElement {
  const heads = columns.map((column) => h('th', { scope: 'col' }, column));
  const body = rows.map(([name, content]) => h('tr', h('th', { scope: 'row' }, name), h('td', content)));
  return h('table', h('caption.off-screen', caption), h('thead', h('tr', heads)), h('tbody', body));
}

function accessChapter({ document }: Contract): HTMLElement {
  const schemes = Object.values(document.components?.securitySchemes ?? {}).map(({ scheme = '', type, description = '' }) => {
    const name = scheme === 'bearer' ? 'API key' : scheme === 'basic' ? 'HTTP Basic' : type;
    return [name, inlineMarkdown(description)] as const;
  });
  const session = inlineMarkdown(
    'The cookie of a signed-in browser, with the header `X-Svc-CSRF` on every request that changes something.',
  );
  const levels = Object.entries(document['x-access-levels'] ?? {}).map(
    ([level, { description }]) => [h('span.badge.access', level), inlineMarkdown(description)] as const,
  );
  return chapter(
    'access',
    'Credentials and access',
    table('Ways to identify yourself', ['Scheme', 'How'], [...schemes, ['Session', session]]),
    h('p.prose', 'Each operation names who may call it:'),
    table('Who may call', ['Badge', 'Who'], levels),
  );
}

function errorsChapter(contract: Contract): HTMLElement {
  const badRequest = contract.endpoints.flatMap(({ responses }) => responses).find(([status]) => status === '400');
  const example = contract.examplesOf(jsonOf(badRequest?.[1]))[0];
  const rows = [...codesByStatus(contract)]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([status, { text, codes }]) => {
      const content = [h('span.codes-text', inlineMarkdown(text)), h('span.codes', errorLinks(codes))];
      return [statusBadge(status), content] as const;
    });
  return chapter(
    'errors',
    'Errors',
    h('p.prose', inlineMarkdown('Branch on `code`, which does not change. Show `message` to people.')),
    example && jsonBlock(example.value, 'An error'),
    table('Error codes by status', ['Status', 'Codes'], rows),
  );
}

function codesByStatus(contract: Contract): Map<string, { text: string; codes: Set<string> }> {
  const byStatus = new Map<string, { text: string; codes: Set<string> }>();
  for (const endpoint of contract.endpoints)
    for (const [status, response] of endpoint.responses) {
      const codes = contract.errorCodes(endpoint, status, response);
      if (codes.size === 0) continue;
      const entry = byStatus.get(status) ?? { text: response.description ?? '', codes: new Set() };
      for (const code of codes) entry.codes.add(code);
      byStatus.set(status, entry);
    }
  return byStatus;
}

function headersChapter(contract: Contract): HTMLElement {
  const rows = Object.entries(contract.document.components?.headers ?? {}).map(([name, header]) => {
    const { description = '', example } = contract.resolve(header);
    const content = [inlineMarkdown(description), ' ', example !== undefined && h('code.quiet', String(example))];
    return [h('code', name), content] as const;
  });
  return chapter(
    'headers',
    'Paging, limits and headers',
    h('p.prose', inlineMarkdown('Lists accept `page` and `per_page`. Headers carry the number of items and pages.')),
    table('Response headers', ['Header', 'Meaning'], rows),
  );
}
