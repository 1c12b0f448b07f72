import {
  bodySchema,
  type ContractOperation,
  formMediaType,
  type JsonSchema,
  jsonMediaType,
  propertiesOf,
} from '../../server/contract/document.ts';
import { acceptsEmpty } from '../../server/contract/read-request.ts';
import type { Caller } from './callers.ts';
import type { WireRequest } from './wire.ts';

export type InputLocation = 'path' | 'query' | 'header' | 'body';

/** A parameter of the operation, or a field of its body. */
export interface InputField {
  readonly location: InputLocation;
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** A list with comma-separated entries. */
  readonly isCommaList: boolean;
  readonly example: unknown;
  /** Values that count as left out: null in JSON, or the empty text of a query parameter. */
  readonly omitted: null | '' | undefined;
  /** Ignored unless the caller is an admin. */
  readonly isAdminOnly: boolean;
}

/** A value of a field. `pairs` replace its usual encoding. */
export interface InputValue {
  readonly field: InputField;
  readonly value: unknown;
  readonly pairs?: readonly (readonly [name: string, text: string])[];
}

/** Equivalent encodings of the same values. */
export interface Encoding {
  readonly isForm: boolean;
  readonly lists: 'brackets' | 'repeated' | 'numbered';
  readonly percent: 'as needed' | 'everywhere';
  readonly booleans: readonly [yes: string, no: string];
  readonly isHead: boolean;
  readonly isChunked: boolean;
  /** Characters of JSON strings as \u escapes. */
  readonly isEscaped: boolean;
  readonly mediaTypeSuffix: string;
}

export interface RequestPlan {
  readonly operation: ContractOperation;
  readonly apiRoot: string;
  readonly caller: Caller;
  readonly values: readonly InputValue[];
  readonly encoding: Encoding;
  /** Undeclared parameters, fields and headers, which the service ignores. */
  readonly noise: {
    query: readonly (readonly [string, string])[];
    fields: readonly (readonly [string, unknown])[];
    headers: readonly (readonly [string, string])[];
  };
  readonly hasBody: boolean;
}

export function inputFieldsOf(operation: ContractOperation): InputField[] {
  const schema = bodySchema(operation) ?? {};
  const fields = Object.entries(propertiesOf(schema)).map(([name, field]): InputField => {
    const { examples: [example] = [] } = field as { examples?: unknown[] };
    const isRequired = schema.required?.includes(name) ?? false;
    const omitted = isRequired ? undefined : null;
    return { location: 'body', name, schema: field, isRequired, isCommaList: false, example, omitted, isAdminOnly: false };
  });
  const parameters = operation.parameters.map((parameter): InputField => {
    const { name, schema, required = false, explode = true, example } = parameter as typeof parameter & { example?: unknown };
    return {
      location: parameter.in as InputLocation,
      name,
      schema,
      isRequired: required,
      isCommaList: schema.type === 'array' && !explode,
      example,
      omitted: acceptsEmpty(parameter) ? '' : undefined,
      isAdminOnly: parameter['x-admin-only'] ?? false,
    };
  });
  return [...parameters, ...fields];
}

export const valuesIn = (plan: RequestPlan, location: InputLocation): Record<string, unknown> =>
  Object.fromEntries(plan.values.filter(({ field }) => field.location === location).map(({ field, value }) => [field.name, value]));

export function toWireRequest(plan: RequestPlan): WireRequest {
  const { operation, caller, encoding, noise } = plan;
  const search = queryOf(plan);
  const body = bodyOf(plan);
  const mediaType = (encoding.isForm ? formMediaType : jsonMediaType) + encoding.mediaTypeSuffix;
  const headers = inputsAt(plan, 'header').flatMap((input) => textsOf(input, plan.encoding));
  return {
    method: operation.method === 'get' && encoding.isHead ? 'HEAD' : operation.method.toUpperCase(),
    target: `${plan.apiRoot}${pathOf(plan)}${search === '' ? '' : `?${search}`}`,
    headers: [...caller.headers, ...headers, ...noise.headers, ...(body ? [['Content-Type', mediaType] as const] : [])],
    body,
    isChunked: encoding.isChunked,
  };
}

const inputsAt = ({ values }: RequestPlan, location: InputLocation): InputValue[] =>
  values.filter(({ field }) => field.location === location);

function pathOf(plan: RequestPlan): string {
  return inputsAt(plan, 'path').reduce((path, input) => {
    const [, text] = textsOf(input, plan.encoding)[0] ?? ['', ''];
    return path.replace(`{${input.field.name}}`, () => encoded(text, plan.encoding));
  }, plan.operation.path);
}

function queryOf(plan: RequestPlan): string {
  const pairs = [...inputsAt(plan, 'query').flatMap((input) => textsOf(input, plan.encoding)), ...plan.noise.query];
  return pairs.map(([name, text]) => `${encoded(name, plan.encoding)}=${encoded(text, plan.encoding)}`).join('&');
}

/** Whether undeclared fields of the body mean something. */
export const takesMap = (operation: ContractOperation): boolean => bodySchema(operation)?.additionalProperties === true;

export const takesForm = ({ requestBody }: ContractOperation): boolean => requestBody?.content[formMediaType] !== undefined;

/** Whether the body is a list of records. */
export const takesList = (operation: ContractOperation): boolean => bodySchema(operation)?.type === 'array';

function exampleRecords({ requestBody }: ContractOperation): string[] {
  const [example] = Object.values(requestBody?.content[jsonMediaType]?.examples ?? {});
  return ((example?.value ?? []) as unknown[]).map((record) => JSON.stringify(record));
}

export function bodyOf(plan: RequestPlan): Buffer | null {
  if (!plan.hasBody) return null;
  const fields = inputsAt(plan, 'body');
  if (plan.encoding.isForm) {
    const noise = plan.noise.fields.map(([name, value]) => [name, String(value)] as const);
    const pairs = [...fields.flatMap((input) => textsOf(input, plan.encoding)), ...noise];
    return Buffer.from(pairs.map(([name, text]) => `${encoded(name, plan.encoding)}=${encoded(text, plan.encoding)}`).join('&'));
  }
  const entries = [...plan.noise.fields, ...fields.map(({ field, value }) => [field.name, value] as const)];
  // Built as text: a JavaScript object cannot have an own field __proto__, or a field twice.
  const object = `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
  const json = takesList(plan.operation) ? `[${[object, ...exampleRecords(plan.operation)].join(',')}]` : object;
  return Buffer.from(plan.encoding.isEscaped ? json.replace(/[^\0-\x7f]/g, escaped) : json);
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function textsOf({ field, value, pairs }: InputValue, { lists, booleans }: Encoding): readonly (readonly [string, string])[] {
  if (pairs) return pairs;
  const text = (one: unknown): string => (typeof one === 'boolean' ? booleans[one ? 0 : 1] : String(one));
  if (!Array.isArray(value)) return [[field.name, text(value)]];
  if (field.isCommaList) return [[field.name, value.map(text).join(',')]];
  const name = (index: number): string =>
    ({ brackets: `${field.name}[]`, repeated: field.name, numbered: `${field.name}[${index}]` })[lists];
  return value.map((one, index) => [name(index), text(one)] as const);
}

function encoded(text: string, { percent }: Encoding): string {
  if (percent === 'everywhere') return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return encodeURIComponent(text);
}
