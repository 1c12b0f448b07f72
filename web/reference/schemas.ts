import type { Contract } from './contract.ts';
import { heading } from './heading.ts';
import { make } from './make.ts';
import { inlineMarkdown } from './markdown.ts';
import { isRecord, typeText } from './schema-text.ts';
import { lazyDetails, schemaTree } from './schema-tree.ts';

/** Every record of the contract by its name. */
export function schemasPart(contract: Contract): HTMLElement | null {
  const schemas = Object.entries(contract.document.components?.schemas ?? {}).filter(([, schema]) => isRecord(schema));
  if (schemas.length === 0) return null;
  return make(
    'section',
    { class: 'chapter' },
    heading('h2', 'schemas', 'Records'),
    make('p', { class: 'prose' }, 'The records that operations and webhooks take and give.'),
    make(
      'div',
      { class: 'records' },
      schemas.map(([name, schema]) => {
        const folded = lazyDetails(
          'record',
          [make('code', {}, name), make('span', { class: 'quiet' }, inlineMarkdown(schema.description ?? typeText(contract, schema)))],
          () => [schemaTree(contract, schema)],
        );
        folded.id = `schema-${name}`;
        return folded;
      }),
    ),
  );
}
