import { type ContractDocument, listOperations, type OperationObject, resolveReference, type SchemaObject } from '../contract/document.ts';
import { formatConstant, generatedNotice } from './operations.ts';

type Schema = Record<string, unknown>;

/** Pages for agents are short: every record is read by a model. */
const maxPerPage = 50;

/** generated/tools.ts: the tools for agents, by their names, with the JSON schemas of their arguments and results. */
export function formatTools(contract: ContractDocument): string {
  const tools = [...listOperations(contract)].flatMap(({ method, operation }) => {
    const tool = operation['x-tool'];
    return tool ? [[tool.name, describeTool(contract, method, operation, tool)] as const] : [];
  });
  return [generatedNotice, formatConstant('tools', Object.fromEntries(tools)), 'export type ToolName = keyof typeof tools;\n'].join('\n');
}

function describeTool(contract: ContractDocument, method: string, operation: OperationObject, tool: Schema): Schema {
  const isWrite = method !== 'get';
  const parameters = (operation.parameters ?? []).map((parameter) => resolveReference(contract, parameter));
  const sent = parameters.filter((parameter) => parameter.in !== 'header') as (Schema & {
    name: string;
    in: string;
    schema: SchemaObject;
  })[];
  const json = operation.requestBody?.content['application/json']?.schema;
  const body = (json ? resolveReference(contract, json) : {}) as { properties?: Record<string, SchemaObject>; required?: string[] };
  const argumentsOf = {
    ...Object.fromEntries(sent.map(({ name, schema, description }) => [name, toArgument(contract, name, schema, description)])),
    ...Object.fromEntries(Object.entries(body.properties ?? {}).map(([name, schema]) => [name, simplify(contract, schema)])),
    ...(isWrite && { confirm: confirmSchema }),
  };
  const required = [...sent.filter((parameter) => parameter.required === true).map(({ name }) => name), ...(body.required ?? [])];
  const results = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  return {
    operationId: operation.operationId,
    title: tool.title,
    description: String(tool.description).trim(),
    isWrite,
    arguments: Object.fromEntries(sent.map(({ name, in: place }) => [name, place])),
    inputSchema: { type: 'object', properties: argumentsOf, ...(required.length > 0 && { required }) },
    outputSchema: describeResult(
      contract,
      results.map(([, response]) => response),
      isWrite,
    ),
  };
}

const confirmSchema = {
  type: 'string',
  description:
    'Leave it out first: the answer shows what would happen, and a token. Then call again with the same arguments and the token.',
};

function toArgument(contract: ContractDocument, name: string, schema: SchemaObject, description: unknown): Schema {
  const simple = { ...simplify(contract, schema), ...(typeof description === 'string' && { description: description.trim() }) };
  return name === 'per_page' ? { ...simple, maximum: maxPerPage } : simple;
}

type Response = OperationObject['responses'][string];

/** Lists are in `items`, because a result is an object. */
function describeResult(contract: ContractDocument, responses: readonly Response[], isWrite: boolean): Schema {
  const schemas = responses.map((response) => {
    const { content } = resolveReference(contract, response) as unknown as { content: Record<string, { schema: SchemaObject }> };
    return simplify(contract, content['application/json']?.schema ?? ({} as SchemaObject));
  });
  const [schema = {}, ...others] = schemas;
  if (isWrite)
    return {
      type: 'object',
      properties: { preview: { type: 'object' }, confirm: { type: 'string' }, result: others.length > 0 ? { anyOf: schemas } : schema },
    };
  if (schema['type'] !== 'array') return schema;
  const counts = { total: { type: 'integer' }, page: { type: 'integer' }, next_page: { type: ['integer', 'null'] } };
  return { type: 'object', required: ['items', ...Object.keys(counts)], properties: { items: schema, ...counts } };
}

/** Of a property that not every site or caller has, only the type is promised. */
const conditions = ['x-edition', 'x-add-ons', 'x-switch-group', 'x-absent'];
const schemaLists = ['oneOf', 'anyOf', 'allOf'];
const dropped = new Set(['examples', 'example', 'additionalProperties', 'format', 'default']);

/** Without references, extensions, examples and formats of our own, so that every client understands it. */
function simplify(contract: ContractDocument, written: SchemaObject): Schema {
  const schema = { ...resolveReference(contract, written), ...written } as Schema & { properties?: Record<string, SchemaObject> };
  const isCertain = (name: string): boolean => {
    const written = schema.properties?.[name] ?? ({} as SchemaObject);
    const property = { ...resolveReference(contract, written), ...written };
    return !conditions.some((condition) => condition in property);
  };
  const simple: Schema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$ref' || key.startsWith('x-') || dropped.has(key)) continue;
    if (key === 'properties')
      simple[key] = Object.fromEntries(
        Object.entries(value as Record<string, SchemaObject>).map(([name, part]) => [name, simplify(contract, part)]),
      );
    else if (key === 'items') simple[key] = simplify(contract, value as SchemaObject);
    else if (schemaLists.includes(key)) simple[key] = (value as SchemaObject[]).map((part) => simplify(contract, part));
    else if (key === 'required') simple[key] = (value as string[]).filter(isCertain);
    else if (key === 'description') simple[key] = String(value).trim();
    else simple[key] = value;
  }
  return simple;
}
