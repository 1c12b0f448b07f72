import { accessBadges, methodBadge, statusBadge, statusClass } from './badges.ts';
import { exampleView } from './code-block.ts';
import type { Contract, Endpoint } from './contract.ts';
import { type Child, h, heading, lazyDetails } from './dom.ts';
import { errorLinks } from './error-codes.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import type { ResponseObject } from './openapi.ts';
import { samples } from './samples.ts';
import { headerList, parameterList, schemaTree } from './schema-view.ts';
import { tabs } from './tabs.ts';
import { tryIt } from './try-it.ts';

/** An operation: its description beside its examples. */
export function operationSection(contract: Contract, endpoint: Endpoint): HTMLElement {
  const { id, operation, method, path } = endpoint;
  const shown = samples(contract, endpoint);
  const pathParts = path.split(/(\{[^}]+\})/).map((part) => (part.startsWith('{') ? h('var', part) : part));
  return h(
    'section.operation',
    { 'aria-labelledby': id, 'data-operation': id },
    h(
      'div.words',
      heading('h3', id, operation.summary ?? id),
      h('p.address', methodBadge(method), h('code', pathParts)),
      accessBadges(contract, endpoint),
      h('div.prose', markdown(operation.description ?? '')),
      parameters(contract, endpoint),
      requestBody(contract, endpoint),
      responses(contract, endpoint),
    ),
    h('div.examples', h('div.sticky', shown.element, tryIt(contract, endpoint, shown.show), responseExamples(contract, endpoint))),
  );
}

const parameterGroups = { path: 'Path parameters', query: 'Query parameters', header: 'Header parameters' };

const parameters = (contract: Contract, endpoint: Endpoint): Child[] =>
  Object.entries(parameterGroups).map(([location, title]) => {
    const group = endpoint.parameters.filter((parameter) => parameter.in === location);
    return group.length > 0 && [h('h4', title), parameterList(contract, group, endpoint.id)];
  });

/** The fields are the same in every media type, so there is one tree for all. */
function requestBody(contract: Contract, { body }: Endpoint): Child {
  const content = Object.entries(body?.content ?? {});
  const schema = content[0]?.[1].schema;
  if (!schema) return null;
  const mediaTypes = content.flatMap(([mediaType], index) => [index > 0 && ' or ', h('code', mediaType)]);
  return [h('h4', 'Request body'), h('p.quiet', 'Sent as ', mediaTypes, '.'), schemaTree(contract, schema)];
}

const contentOf = ({ content }: ResponseObject) => Object.values(content ?? {})[0];

function responses(contract: Contract, endpoint: Endpoint): Child {
  const rows = endpoint.responses.map(([status, response]) => {
    const summary = [statusBadge(status), h('span.response-text', inlineMarkdown(response.description ?? ''))];
    return lazyDetails('response', summary, () => responseDetails(contract, endpoint, status, response));
  });
  return [h('h4', 'Responses'), h('div.responses', rows)];
}

function responseDetails(contract: Contract, endpoint: Endpoint, status: string, response: ResponseObject): Child {
  const codes = contract.errorCodes(endpoint, status, response);
  const schema = contentOf(response)?.schema;
  const { headers = {} } = response;
  const headerCount = Object.keys(headers).length;
  return [
    codes.size > 0 && h('p.codes', 'Codes: ', errorLinks(codes)),
    schema && schemaTree(contract, schema),
    headerCount > 0 && lazyDetails('fold', `${headerCount} headers`, () => headerList(contract, headers)),
  ];
}

/** The examples of every status, one tab each. */
function responseExamples(contract: Contract, { responses }: Endpoint): HTMLElement | false {
  const entries = responses.flatMap(([status, response]) => {
    const examples = contract.examplesOf(contentOf(response));
    return examples.length > 0 ? [{ name: status, class: statusClass(status), content: () => exampleView(status, examples) }] : [];
  });
  return entries.length > 0 && tabs('Example responses by status', entries);
}
