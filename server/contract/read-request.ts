import { compileReader, isArray, type Pairs, type Reader, readPairs } from './coerce.ts';
import { bodySchema, type ContractOperation, type JsonSchema, type Parameter, propertiesOf } from './document.ts';

/** A request as it came, after matching and after its body was parsed. */
export interface RawRequest {
  readonly params: Readonly<Record<string, string>>;
  /** The query string, without the question mark. */
  readonly search: string;
  /** By lower-case name, as node gives them. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON, or the pairs of a form; undefined when none was sent. */
  readonly body?: unknown;
}

/** The same request in the shape and with the types that openapi-backend's validators look at. Header names are in lower case. */
export interface TypedRequest {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly header: Record<string, unknown>;
  readonly requestBody: unknown;
}

/** Bad parameter → the sentence that says what is wrong with it. */
export type Faults = Record<string, string>;

export type RequestReader = (request: RawRequest, faults: Faults) => TypedRequest;

interface Source {
  readonly name: string;
  readonly read: Reader;
  /** Undefined for what is not a list. */
  readonly mostEntries: number | undefined;
}

export function compileRequestReader(operation: ContractOperation): RequestReader {
  const [path, query, header] = [sourcesIn(operation, 'path'), sourcesIn(operation, 'query'), sourcesIn(operation, 'header')];
  const readBody = compileBodyReader(operation);
  return (request, faults) => ({
    path: readTexts(path, request.params),
    query: request.search === '' ? {} : readGiven(query, readPairs(request.search), faults),
    header: readTexts(header, request.headers),
    requestBody: readBody(request.body, faults),
  });
}

function sourcesIn(operation: ContractOperation, place: Parameter['in']): Source[] {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  return parameters.map(({ name, schema, explode }) => source(place === 'header' ? name.toLowerCase() : name, schema, explode));
}

function source(name: string, schema: JsonSchema, explode?: boolean): Source {
  const mostEntries = isArray(schema) ? (schema.maxItems ?? Infinity) : undefined;
  return { name, read: compileReader(schema, explode), mostEntries };
}

/** Ajv reports every bad entry, which takes seconds for a body full of them. One more than allowed is refused just as well. */
function cut(value: unknown, mostEntries: number | undefined): unknown {
  return Array.isArray(value) && mostEntries !== undefined ? value.slice(0, mostEntries + 1) : value;
}

function readTexts(sources: readonly Source[], texts: RawRequest['headers']): Record<string, unknown> {
  const typed: Record<string, unknown> = {};
  for (const { name, read } of sources) {
    const text = texts[name];
    if (text !== undefined) typed[name] = read({ texts: [text].flat(), asList: false });
  }
  return typed;
}

/** Looks up what the contract declares, so whatever else was sent is dropped. */
function readGiven(sources: readonly Source[], pairs: Pairs, faults: Faults): Record<string, unknown> {
  const typed: Record<string, unknown> = {};
  for (const { name, read, mostEntries } of sources) {
    const given = pairs.get(name);
    if (!given) continue;
    if (mostEntries === undefined && (given.asList || given.texts.length > 1)) faults[name] = `${name} must be a single value, given once.`;
    typed[name] = cut(read(given), mostEntries);
  }
  return typed;
}

/** A form is read by the schema. JSON has types of its own and is never coerced. Fields that the contract does not know are dropped from both. */
function compileBodyReader(operation: ContractOperation): (body: unknown, faults: Faults) => unknown {
  const schema = bodySchema(operation) ?? {};
  const properties = propertiesOf(schema);
  const sources = Object.entries(properties).map(([name, schema]) => source(name, schema));
  // No body reads as an empty one: the caller gets the defaults, or is told which fields are missing. Only where the contract lets
  // leave out a body that has required fields, "no body" is an answer of its own.
  const emptyBody = operation.requestBody?.required || (operation.requestBody && !schema.required?.length);
  return (body, faults) => {
    if (body === undefined || !operation.requestBody) return emptyBody ? {} : undefined;
    if (body instanceof Map) return readGiven(sources, body as Pairs, faults);
    return isRecord(body) ? knownFields(sources, body) : body;
  };
}

function isRecord(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function knownFields(sources: readonly Source[], body: Record<string, unknown>): Record<string, unknown> {
  const given = sources.filter(({ name }) => Object.hasOwn(body, name));
  return Object.fromEntries(given.map(({ name, mostEntries }) => [name, cut(body[name], mostEntries)]));
}
