import { Place } from './place.mjs';

/** What the service routes. The rule known-methods refuses the others, so readers of the contract meet only these. */
export const methods = ['get', 'post', 'put', 'patch', 'delete'];
const otherMethods = ['options', 'head', 'trace'];

const schemaKeywords = ['items', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else'];
const schemaListKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const schemaMapKeywords = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];

/** A rule about the contract as a whole. `report` drops duplicates: a line that several references lead to is reported once. */
export const contractRule = (check) => () => ({
  Root(root, ctx) {
    const contract = readContract(root, ctx);
    const problems = new Map();
    check(contract, (place, message) => {
      const location = place.at.key();
      problems.set(`${location.absolutePointer} ${message}`, { message, location });
    });
    // After a parse error Redocly reports the file; what the rules find are only consequences of its absence.
    if (contract.isWhole) for (const problem of problems.values()) ctx.report(problem);
  },
});

// All rules share one reading of the document, which makes lint several times faster.
const readings = new WeakMap();

function readContract(node, ctx) {
  if (!readings.has(node)) readings.set(node, new Contract(node, ctx));
  return readings.get(node);
}

class Contract {
  /** False if a reference leads nowhere. */
  isWhole = true;

  constructor(node, ctx) {
    const resolve = (reference, from) => {
      const target = ctx.resolve(reference, from);
      this.isWhole &&= target.node !== undefined && target.node !== null;
      return target;
    };
    const root = new Place(node, ctx.location, resolve);
    this.root = root;
    this.operations = root.get('paths').entries.flatMap(([path, item]) => operationsOf(path, item));
    this.webhooks = root.get('webhooks').entries.map(([event, entry]) => ({ ...readOperation(entry, 'post', event), event, entry }));
    this.everything = [...this.operations, ...this.webhooks];
    this.parameters = this.everything.flatMap(({ parameters }) => parameters);
    this.headers = this.everything.flatMap(({ responses }) => responses.children.flatMap((response) => response.get('headers').children));

    const answered = this.operations.flatMap(({ responses }) => responses.children.flatMap(schemasOfContent));
    const delivered = this.webhooks.flatMap(({ body }) => schemasOfContent(body));
    const sent = this.operations.flatMap(({ body }) => schemasOfContent(body));
    const ofParameters = [...this.parameters, ...this.headers].map((parameter) => parameter.get('schema'));
    const named = root.get('components').get('schemas').children;
    this.schemas = reach([...answered, ...delivered, ...sent, ...ofParameters, ...named]);
    this.requestSchemas = reach(sent);
    // Without the response of GET /openapi: the OpenAPI specification defines its shape.
    this.answerSchemas = reach([...answered, ...delivered].filter((schema) => schema.component.name !== 'OpenApiDocument'));
  }

  /** A schema by the name of its component, wherever the contract uses it. */
  schemaNamed(name) {
    return this.schemas.find(({ component }) => component.section === 'schemas' && component.name === name)?.target;
  }
}

const operationsOf = (path, item) =>
  [...methods, ...otherMethods].filter((method) => item.has(method)).map((method) => readOperation(item, method, path));

function readOperation(item, method, path) {
  const place = item.get(method);
  const own = place.get('parameters').children;
  const inherited = item.get('parameters').children.filter((parameter) => !own.some((other) => isSameParameter(parameter, other)));
  return {
    name: place.get('operationId').value ?? `${method.toUpperCase()} ${path}`,
    method,
    path,
    place,
    parameters: [...inherited, ...own],
    body: place.get('requestBody'),
    responses: place.get('responses'),
  };
}

const isSameParameter = (one, other) => one.value.name === other.value.name && one.value.in === other.value.in;

const schemasOfContent = (message) => message.get('content').children.map((media) => media.get('schema'));

export const jsonSchemaOf = (message) => message.get('content').get('application/json').get('schema');

/** The JSON body's property of that name. */
export const bodyPropertyOf = (operation, name) => jsonSchemaOf(operation.body).get('properties').get(name);

export const isOfType = (schema, type) => [schema.get('type').value].flat().includes(type);

/** Whether a map has these fields and no others. */
export function hasExactly(value, fields) {
  const keys = Object.keys(value ?? {});
  return keys.length === fields.length && fields.every((field) => keys.includes(field));
}

export const isError = (status) => /^[45]/.test(status);

/** Every schema reachable from these, each as written at its place: a `$ref` with further keys counts as a schema. */
export function reach(schemas) {
  const found = new Map();
  const visit = (schema) => {
    const address = schema.at.absolutePointer;
    if (found.has(address) || typeof schema.value !== 'object') return;
    found.set(address, schema);
    partsOf(schema).forEach(visit);
  };
  schemas.forEach(visit);
  return [...found.values()];
}

export const partsOf = (schema) => [
  ...valuesAt(schema, schemaKeywords),
  ...valuesAt(schema, [...schemaListKeywords, ...schemaMapKeywords]).flatMap(({ children }) => children),
];

const valuesAt = (schema, keywords) => keywords.filter((keyword) => schema.has(keyword)).map((keyword) => schema.get(keyword));
