import type { ErrorObject } from 'ajv';
import type { Context } from 'koa';
import type { ParsedRequest, Request } from 'openapi-backend';
import { normalizeText } from '../../domain/records/formats.ts';
import { dryRunRoot, type MarkedProperty } from '../../site/served.ts';
import { compileReader, isArray, type Pairs, type ReadValues, readPairs } from './coerce.ts';
import { bodySchema, type ContractOperation, type JsonSchema, type Parameter, propertiesOf } from './document.ts';

/** The one object that openapi-backend passes on as the request: the router adds the parameters of the path, a hook the body. */
export interface ContractRequest extends ParsedRequest {
  params: Record<string, string>;
  /** The query string, without the question mark. */
  query: string;
  /** By lower-case name, as in Node. */
  headers: Request['headers'];
  /** Parsed JSON, or the pairs of a form; undefined when none was sent. */
  requestBody: unknown;
  /** Tried without saving. */
  isDryRun?: boolean;
  /** Made in this process, with its body. */
  isInternal?: boolean;
  /** False ignores the parameters that are for admins only. */
  byAdmin?: boolean;
  /** Whether this site has the parameter, or the field of the body. By default it has all. */
  hasParameter?: (parameter: MarkedProperty) => boolean;
}

/** The query is parsed by the validator, the body is read by a hook. The request for a dry run is that of its operation. */
export function createRequest(
  { method, path, headers, querystring }: Pick<Context, 'method' | 'path' | 'headers' | 'querystring'>,
  apiRoot: string,
): ContractRequest {
  const isDryRun = path.startsWith(`${apiRoot}${dryRunRoot}/`);
  return {
    method,
    path: isDryRun ? apiRoot + path.slice(apiRoot.length + dryRunRoot.length) : path,
    headers: headers as ContractRequest['headers'],
    query: querystring,
    params: {},
    cookies: {},
    requestBody: undefined,
    isDryRun,
  };
}

/** The same request in the shape and with the types that openapi-backend's validators expect. Header names are in lower case. */
export interface TypedRequest {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly header: Record<string, unknown>;
  readonly requestBody: unknown;
}

/** Adds what is wrong with the values before they are converted to `errors`. */
export type ReadRequest = (request: ContractRequest, errors: ErrorObject[]) => TypedRequest;

interface ParameterReader {
  readonly name: string;
  readonly read: ReadValues;
  /** Undefined for a scalar. */
  readonly maxItems: number | undefined;
  /** Whether this value counts as left out. */
  isOmitted(value: unknown): boolean;
}

export function compileRequestReader(operation: ContractOperation): ReadRequest {
  const [path, query, header] = [readersFor(operation, 'path'), readersFor(operation, 'query'), readersFor(operation, 'header')];
  const adminOnly = new Set(operation.parameters.filter((parameter) => parameter['x-admin-only']).map(({ name }) => name));
  const publicQuery = query.filter(({ name }) => !adminOnly.has(name));
  const optional = operation.parameters.filter((parameter) => parameter['x-add-ons']);
  const queryReaders = ({ byAdmin, hasParameter = () => true }: ContractRequest): ParameterReader[] => {
    const absent = optional.filter((parameter) => !hasParameter(parameter)).map(({ name }) => name);
    const readers = byAdmin === false ? publicQuery : query;
    return absent.length === 0 ? readers : readers.filter(({ name }) => !absent.includes(name));
  };
  const readBody = compileBodyReader(operation);
  return (request, errors) => ({
    path: readTexts(path, request.params),
    query: request.query === '' ? {} : readPairsOf(queryReaders(request), readPairs(request.query), errors, 'query'),
    header: readTexts(header, request.headers),
    requestBody: readBody(request, errors),
  });
}

/** In the form of Ajv, for a rule that JSON Schema cannot state. The message ends a sentence that begins with the parameter's name. */
export const customError = (instancePath: string, message: string): ErrorObject => ({
  instancePath,
  message,
  keyword: 'custom',
  schemaPath: '',
  params: {},
});

function readersFor(operation: ContractOperation, place: Parameter['in']): ParameterReader[] {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  return parameters.map((parameter) => {
    const { name, schema, explode } = parameter;
    const mayBeEmpty = acceptsEmpty(parameter);
    return {
      ...readerFor(place === 'header' ? name.toLowerCase() : name, schema, explode),
      isOmitted: (text) => mayBeEmpty && text === '',
    };
  });
}

/** Whether `name=` counts as left out. A range of days that lost one end to a client's mistake would answer all-time figures. */
export const acceptsEmpty = ({ name, in: place }: Pick<Parameter, 'name' | 'in'>): boolean =>
  place === 'query' && name !== 'from' && name !== 'to';

function readerFor(name: string, schema: JsonSchema, explode?: boolean): Omit<ParameterReader, 'isOmitted'> {
  const maxItems = isArray(schema) ? (schema.maxItems ?? Infinity) : undefined;
  return { name, read: compileReader(schema, explode), maxItems };
}

/** Ajv reports every invalid item, which takes seconds for a body full of them. One more than allowed is rejected just as well. */
function limitItems(value: unknown, maxItems: number | undefined): unknown {
  return Array.isArray(value) && maxItems !== undefined ? value.slice(0, maxItems + 1) : value;
}

function readTexts(readers: readonly ParameterReader[], texts: Readonly<Record<string, string | string[]>>): Record<string, unknown> {
  const typed: Record<string, unknown> = {};
  for (const { name, read } of readers) {
    const text = texts[name];
    if (text !== undefined) typed[name] = read({ texts: [text].flat(), asList: false });
  }
  return typed;
}

/** Reads what the contract declares; everything else is dropped. */
function readPairsOf(
  readers: readonly ParameterReader[],
  pairs: Pairs,
  errors: ErrorObject[],
  place: 'query' | 'requestBody',
): Record<string, unknown> {
  const typed: Record<string, unknown> = {};
  for (const { name, read, maxItems, isOmitted } of readers) {
    const values = pairs.get(name);
    if (!values || (values.texts.length === 1 && isOmitted(values.texts[0]))) continue;
    if (maxItems === undefined && (values.asList || values.texts.length > 1))
      errors.push(customError(`/${place}/${name}`, 'must be a single value, given once'));
    typed[name] = limitItems(read(values), maxItems);
  }
  return typed;
}

/** A form is coerced by the schema. JSON has types of its own and is never coerced. Undeclared fields are dropped, except from a map. */
function compileBodyReader(operation: ContractOperation): (request: ContractRequest, errors: ErrorObject[]) => unknown {
  const schema = bodySchema(operation) ?? {};
  const properties = propertiesOf(schema);
  const every = Object.entries(properties).map(([name, field]) => ({
    ...readerFor(name, field),
    field,
    isOmitted: (value: unknown) => value === null && !schema.required?.includes(name),
  }));
  // A missing body is read as an empty one: the caller gets the defaults, or an error that names the missing fields. Only where a body with
  // required fields is optional, a missing one stays undefined.
  const readsAsEmpty = operation.requestBody?.required || (operation.requestBody && !schema.required?.length);
  return ({ requestBody: body, hasParameter = () => true }, errors) => {
    // The document of a site without an add-on does not have its fields.
    const readers = every.filter(({ field }) => hasParameter(field));
    if (body === undefined || !operation.requestBody) return readsAsEmpty ? {} : undefined;
    if (body instanceof Map) return readPairsOf(readers, body as Pairs, errors, 'requestBody');
    if (!isRecord(body)) return limitItems(body, schema.maxItems);
    return schema.additionalProperties === true ? body : pickDeclared(readers, body);
  };
}

function isRecord(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

interface FieldReader extends ParameterReader {
  readonly field: JsonSchema;
}

function pickDeclared(readers: readonly FieldReader[], body: Record<string, unknown>): Record<string, unknown> {
  const sent = readers.filter(({ name, isOmitted }) => Object.hasOwn(body, name) && !isOmitted(body[name]));
  return Object.fromEntries(sent.map(({ name, field, maxItems }) => [name, limitItems(normalizeText(field.format, body[name]), maxItems)]));
}
