import { codeBlock, exampleView } from './code-block.ts';
import { type Contract, type Endpoint, jsonOf } from './contract.ts';
import { h, heading, lazyDetails } from './dom.ts';
import { inlineMarkdown } from './markdown.ts';
import { parameterList, schemaTree } from './schema-view.ts';
import { tabs } from './tabs.ts';

export const eventId = ({ path }: Endpoint): string => `event-${path}`;

/** The events that the service sends, and how a receiver verifies them. */
export function webhooksSection(contract: Contract): HTMLElement[] {
  const [first] = contract.events;
  if (!first) return [];
  // Every event is sent with the same headers. They are what a receiver gets, so none is marked as required.
  const headers = first.parameters.map((parameter) => ({ ...parameter, required: false }));
  const events = contract.events.map((event) => eventSection(contract, event));
  return [
    h(
      'section.operation',
      { 'data-part': 'webhooks' },
      h(
        'div.words',
        heading('h2', 'webhook-events', 'Webhook events'),
        h(
          'p.prose',
          inlineMarkdown('Each delivery is a POST to your URL. Verify its signature before you trust it, and respond with any 2xx status.'),
        ),
        parameterList(contract, headers),
      ),
      h('div.examples', h('div.sticky', h('p.example-name', 'Verify a delivery'), verificationExamples())),
    ),
    h('div.events', events),
  ];
}

function eventSection(contract: Contract, event: Endpoint): HTMLElement {
  const { path: name, operation, body } = event;
  const content = jsonOf(body);
  return h(
    'section.event',
    { 'data-event': name },
    heading('h3', eventId(event), name),
    h('p.prose', inlineMarkdown(operation.description ?? '')),
    lazyDetails('fold', 'Payload and example', () =>
      h(
        'div.side-by-side',
        content?.schema ? schemaTree(contract, content.schema) : h('div'),
        exampleView(name, contract.examplesOf(content)),
      ),
    ),
  );
}

/** `body` is the request body as received, before it is parsed. */
const nodeExample = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuine(body, header, secret) {
  const [, t, v1] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (!v1 || Math.abs(Date.now() / 1000 - t) > 300) return false;
  const expected = createHmac('sha256', secret)
    .update(\`\${t}.\${body}\`)
    .digest('hex');
  return timingSafeEqual(Buffer.from(v1), Buffer.from(expected));
}`;

const typedClientExample = `import { verifyWebhook } from 'affiliate-program-client';

const delivery = await verifyWebhook(
  { headers: request.headers, body },
  secret,
);`;

const verificationExamples = (): HTMLElement =>
  tabs('Verify a delivery', [
    { name: 'Node.js', content: () => codeBlock(nodeExample, 'javascript', 'Verify a delivery in Node.js') },
    { name: 'Typed client', content: () => codeBlock(typedClientExample, 'javascript', 'Verify a delivery with the typed client') },
  ]);
