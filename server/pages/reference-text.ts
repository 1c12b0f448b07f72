import { type ErrorCode, errorTable } from '../../domain/errors.ts';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import { errorAdvice } from '../../site/document/error-advice.ts';
import { isJsonObject, type JsonObject, type OpenApiDocument, parseComponentRef } from '../../site/document/openapi.ts';

/** Markdown of the contract as HTML: code becomes code, and anything else stays as it is written. */
const inline = (text: unknown): string => escapeHtml(String(text ?? '')).replace(/`([^`]+)`/g, '<code>$1</code>');

const paragraphs = (text: unknown): string =>
  String(text ?? '')
    .trim()
    .split(/\n{2,}|\n(?=## )|(?<=## .*)\n/)
    .map(block)
    .join('\n');

function block(text: string): string {
  if (text.startsWith('## ')) return `<h2>${inline(text.slice(3))}</h2>`;
  const [first = '', ...items] = text.split(/^- /m);
  return (first === '' ? '' : `<p>${inline(first)}</p>`) + list(items.map(inline));
}

const list = (items: readonly string[]): string =>
  items.length > 0 ? `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>\n` : '';

const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const entriesOf = (value: unknown): [string, JsonObject][] =>
  Object.entries(isJsonObject(value) ? value : {}).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));

const operationsOf = (document: OpenApiDocument): { address: string; operation: JsonObject; shared: unknown[] }[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    entriesOf(item)
      .filter(([, part]) => 'responses' in part)
      .map(([method, operation]) => ({ address: `${method.toUpperCase()} ${path}`, operation, shared: arrayOf(item['parameters']) })),
  );

const heading = ({ info }: OpenApiDocument): string => `<h1>${escapeHtml(info.title)} ${escapeHtml(info.version)}</h1>`;

/** The operations by name, each with a link to its part of the text. */
export function formatOperationList(document: OpenApiDocument): string {
  const items = operationsOf(document).map(({ address, operation: { operationId, summary } }) => {
    const target = escapeHtml(`/docs/text#${String(operationId)}`);
    return `<code>${escapeHtml(address)}</code> <a href="${target}">${inline(summary)}</a>`;
  });
  return [
    heading(document),
    '<p>The reference with search, examples and forms needs JavaScript. <a href="/docs/text">The whole contract as text</a> does not.</p>',
    '<h2>Operations</h2>',
    list(items),
  ].join('\n');
}

/** The document as HTML without script: every operation with its fields, then the records and the error codes. */
export function formatReferenceText(document: OpenApiDocument): string {
  const resolve = (part: unknown): JsonObject => {
    if (!isJsonObject(part)) return {};
    const [section, name] = parseComponentRef(part) ?? [];
    return section && name ? { ...resolve(document.components?.[section]?.[name]), ...part } : part;
  };
  const operations = operationsOf(document).map(({ address, operation, shared }) => formatOperation(address, operation, shared, resolve));
  const records = Object.entries(document.components?.['schemas'] ?? {})
    .filter(([, schema]) => isJsonObject(schema['properties']))
    .map(([name, schema]) => `<h3 id="schema-${escapeHtml(name)}">${escapeHtml(name)}</h3>\n${formatFields(schema, resolve)}`);
  return [
    heading(document),
    paragraphs(document.info['description']),
    '<h2>Operations</h2>',
    ...operations,
    '<h2>Records</h2>',
    ...records,
    '<h2>Error codes</h2>',
    formatErrors(),
  ].join('\n');
}

type Resolve = (part: unknown) => JsonObject;

function formatOperation(address: string, operation: JsonObject, shared: readonly unknown[], resolve: Resolve): string {
  const { operationId, summary, description, requestBody, responses } = operation;
  const parameters = [...shared, ...arrayOf(operation['parameters'])].map((parameter) => {
    const { name, required, description, in: location } = resolve(parameter);
    const facts = [location, required === true ? 'required' : ''].filter(Boolean).join(', ');
    return `<code>${escapeHtml(String(name))}</code> (${facts}) ${inline(description)}`;
  });
  const [, body] = entriesOf(resolve(requestBody)['content'])[0] ?? [];
  const answers = entriesOf(responses).map(([status, response]) => formatResponse(status, resolve(response), operation));
  const scope = operation['x-scope'];
  const access = [...arrayOf(operation['x-access']), ...(scope && scope !== 'none' ? [`scope ${scope}`] : [])].join(', ');
  return `<h3 id="${escapeHtml(String(operationId))}">${inline(summary)}</h3>
<p><strong><code>${escapeHtml(address)}</code></strong> for ${escapeHtml(access)}</p>
${paragraphs(description)}
${list(parameters)}${body ? `<p>Body: ${formatType(body['schema'])}</p>\n` : ''}${list(answers)}`;
}

function formatResponse(status: string, response: JsonObject, operation: JsonObject): string {
  const ownCodes = isJsonObject(operation['x-error-codes']) ? operation['x-error-codes'][status] : [];
  const codes = [...arrayOf(response['x-error-codes']), ...arrayOf(ownCodes)].map(
    (code) => `<a href="#error-${escapeHtml(String(code))}"><code>${escapeHtml(String(code))}</code></a>`,
  );
  const [, content] = entriesOf(response['content'])[0] ?? [];
  const record = content && codes.length === 0 ? ` ${formatType(content['schema'])}` : '';
  return `${escapeHtml(status)}: ${inline(response['description'])}${record} ${codes.join(' ')}`;
}

/** The name of a record with a link to it, or the type. */
function formatType(schema: unknown): string {
  if (!isJsonObject(schema)) return '';
  const name = parseComponentRef(schema)?.[1];
  if (name !== undefined) return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
  return schema['type'] === 'array' ? `array of ${formatType(schema['items'])}` : escapeHtml([schema['type']].flat().join(' or '));
}

const formatFields = (schema: JsonObject, resolve: Resolve): string =>
  list(
    entriesOf(schema['properties']).map(
      ([name, property]) => `<code>${escapeHtml(name)}</code> ${inline(resolve(property)['description'])}`,
    ),
  );

const formatErrors = (): string =>
  `<dl>${(Object.keys(errorTable) as ErrorCode[])
    .map((code) => {
      const { status, message } = errorTable[code];
      return `<dt id="error-${code}"><code>${code}</code> (${status})</dt><dd>${inline(message)} ${inline(errorAdvice[code])}</dd>`;
    })
    .join('\n')}</dl>`;
