import { examplesOfOne } from './answers.ts';
import type { Contract, Endpoint } from './contract.ts';
import { fieldRow } from './field-row.ts';
import { heading } from './heading.ts';
import { make } from './make.ts';
import { inlineMarkdown } from './markdown.ts';
import { typeText } from './schema-text.ts';
import { lazyDetails, schemaTree } from './schema-tree.ts';
import { verification } from './verification.ts';

export const eventId = ({ path }: Endpoint): string => `event-${path}`;

/** What the service sends by itself, and how a receiver knows that it was the service. */
export function webhooksPart(contract: Contract): HTMLElement[] {
  const [first] = contract.events;
  if (!first) return [];
  return [
    make(
      'section',
      { class: 'operation', 'data-part': 'webhooks' },
      make(
        'div',
        { class: 'words' },
        heading('h2', 'webhook-events', 'Webhook events'),
        make(
          'p',
          { class: 'prose' },
          inlineMarkdown('Each delivery is a POST to your address. Compare its signature before you believe it; answer with any 2xx.'),
        ),
        make(
          'ul',
          { class: 'fields' },
          first.parameters.map(({ name, schema = {}, description, example }) =>
            make('li', { class: 'field' }, fieldRow({ name, type: typeText(contract, schema), schema: {}, description, example })),
          ),
        ),
      ),
      make(
        'div',
        { class: 'examples' },
        make('div', { class: 'sticky' }, make('p', { class: 'example-name' }, 'Verify a delivery'), verification()),
      ),
    ),
    make(
      'div',
      { class: 'events' },
      contract.events.map((event) => eventSection(contract, event)),
    ),
  ];
}

function eventSection(contract: Contract, event: Endpoint): HTMLElement {
  const { path: name, operation, body } = event;
  const content = body?.content?.['application/json'];
  return make(
    'section',
    { class: 'event', 'data-event': name },
    heading('h3', eventId(event), name),
    make('p', { class: 'prose' }, inlineMarkdown(operation.description ?? '')),
    lazyDetails('fold', ['Payload and example'], () => [
      make(
        'div',
        { class: 'side-by-side' },
        content?.schema ? schemaTree(contract, content.schema) : make('div'),
        examplesOfOne(name, contract.examplesOf(content?.examples)),
      ),
    ]),
  );
}
