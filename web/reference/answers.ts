import { statusClass } from './badges.ts';
import { codeBlock } from './code-block.ts';
import type { Contract, Endpoint } from './contract.ts';
import { jsonText } from './json-view.ts';
import { make } from './make.ts';
import { inlineMarkdown } from './markdown.ts';
import type { Answer, Field } from './openapi.ts';
import { lazyDetails, schemaTree } from './schema-tree.ts';
import { tabs } from './tabs.ts';

const contentOf = ({ content }: Answer) => Object.values(content ?? {})[0];

/** Every status of an operation: what it means, which codes it carries, what its answer consists of. */
export function answersPart(contract: Contract, endpoint: Endpoint): Node[] {
  const rows = endpoint.answers.map(([status, answer]) =>
    lazyDetails(
      'answer',
      [
        make('span', { class: `status ${statusClass(status)}` }, status),
        make('span', { class: 'answer-text' }, inlineMarkdown(answer.description ?? '')),
      ],
      () => answerDetail(contract, endpoint, status, answer),
    ),
  );
  return [make('h4', {}, 'Answers'), make('div', { class: 'answers' }, rows)];
}

function answerDetail(contract: Contract, { operation }: Endpoint, status: string, answer: Answer): Node[] {
  const codes = [...(answer['x-error-codes'] ?? []), ...(operation['x-error-codes']?.[status] ?? [])];
  const schema = contentOf(answer)?.schema;
  return [
    ...(codes.length > 0
      ? [
          make(
            'p',
            { class: 'codes' },
            'Codes: ',
            [...new Set(codes)].flatMap((code) => [make('code', {}, code), ' ']),
          ),
        ]
      : []),
    ...(schema ? [schemaTree(contract, schema)] : []),
    ...headersPart(contract, answer.headers ?? {}),
  ];
}

function headersPart(contract: Contract, headers: Record<string, Field>): Node[] {
  const rows = Object.entries(headers).map(([name, header]) => {
    const { description = '', example } = contract.resolve(header);
    return make(
      'li',
      { class: 'field' },
      make('div', { class: 'field-head' }, make('code', { class: 'field-name' }, name)),
      make('p', { class: 'field-text' }, inlineMarkdown(description)),
      example !== undefined && make('div', { class: 'facts' }, make('span', {}, 'such as ', make('code', {}, String(example)))),
    );
  });
  return rows.length === 0 ? [] : [lazyDetails('fold', [`${rows.length} headers`], () => [make('ul', { class: 'fields' }, rows)])];
}

/** The contract's examples of every status, one tab each. */
export function answerExamples(contract: Contract, endpoint: Endpoint): HTMLElement | null {
  const entries = endpoint.answers.flatMap(([status, answer]) => {
    const examples = contract.examplesOf(contentOf(answer)?.examples);
    return examples.length > 0 ? [{ status, examples }] : [];
  });
  if (entries.length === 0) return null;
  return tabs(
    'Example answers by status',
    entries.map(({ status, examples }) => ({ name: status, class: statusClass(status), content: () => examplesOfOne(status, examples) })),
  );
}

/** Several examples of one status are chosen from by their names. */
export function examplesOfOne(label: string, examples: readonly { name: string; value: unknown }[]): HTMLElement {
  const place = make('div');
  const show = (index: number): void => place.replaceChildren(codeBlock(jsonText(examples[index]?.value), 'json', `Example: ${label}`));
  show(0);
  if (examples.length < 2) return make('div', {}, examples[0] && make('p', { class: 'example-name' }, examples[0].name), place);
  const choice = make(
    'select',
    { 'aria-label': `Example of ${label}` },
    examples.map(({ name }, index) => make('option', { value: index }, name)),
  );
  choice.addEventListener('change', () => show(Number(choice.value)));
  return make('div', {}, make('p', { class: 'example-name' }, choice), place);
}
