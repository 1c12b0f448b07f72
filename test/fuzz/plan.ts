import type { ContractOperation, JsonSchema } from '../../server/contract/document.ts';
import { bodySchema, formMediaType, jsonMediaType, propertiesOf } from '../../server/contract/document.ts';
import type { Caller } from './callers.ts';
import type { WireRequest } from './wire.ts';

export type Place = 'path' | 'query' | 'header' | 'body';

/** A parameter of the operation, or a field of its body. */
export interface Spot {
  readonly place: Place;
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** A list whose entries are parted by commas. */
  readonly isCommaList: boolean;
  readonly example: unknown;
}

/** What stands at a spot. `pairs` are the texts where it is not written as its value says. */
export interface Given {
  readonly spot: Spot;
  readonly value: unknown;
  readonly pairs?: readonly (readonly [name: string, text: string])[];
}

/** How a request says what it says. Each of these is as good as the others. */
export interface Spelling {
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

export interface Plan {
  readonly operation: ContractOperation;
  readonly apiRoot: string;
  readonly caller: Caller;
  readonly given: readonly Given[];
  readonly spelling: Spelling;
  /** What the contract does not know, and the service ignores. */
  readonly noise: {
    query: readonly (readonly [string, string])[];
    fields: readonly (readonly [string, unknown])[];
    headers: readonly (readonly [string, string])[];
  };
  readonly hasBody: boolean;
}

export function spotsOf(operation: ContractOperation): Spot[] {
  const schema = bodySchema(operation) ?? {};
  const fields = Object.entries(propertiesOf(schema)).map(([name, field]): Spot => {
    const { examples: [example] = [] } = field as { examples?: unknown[] };
    return { place: 'body', name, schema: field, isRequired: schema.required?.includes(name) ?? false, isCommaList: false, example };
  });
  const parameters = operation.parameters.map((parameter): Spot => {
    const { name, schema, required = false, explode = true, example } = parameter as typeof parameter & { example?: unknown };
    return { place: parameter.in as Place, name, schema, isRequired: required, isCommaList: schema.type === 'array' && !explode, example };
  });
  return [...parameters, ...fields];
}

export const valuesIn = (plan: Plan, place: Place): Record<string, unknown> =>
  Object.fromEntries(plan.given.filter(({ spot }) => spot.place === place).map(({ spot, value }) => [spot.name, value]));

/** The request that the plan describes. */
export function written(plan: Plan): WireRequest {
  const { operation, caller, spelling, noise } = plan;
  const search = queryOf(plan);
  const body = bodyOf(plan);
  const mediaType = (spelling.isForm ? formMediaType : jsonMediaType) + spelling.mediaTypeSuffix;
  const headers = at(plan, 'header').flatMap((given) => textsOf(given, plan.spelling));
  return {
    method: operation.method === 'get' && spelling.isHead ? 'HEAD' : operation.method.toUpperCase(),
    target: `${plan.apiRoot}${pathOf(plan)}${search === '' ? '' : `?${search}`}`,
    headers: [...caller.headers, ...headers, ...noise.headers, ...(body ? [['Content-Type', mediaType] as const] : [])],
    body,
    isChunked: spelling.isChunked,
  };
}

const at = ({ given }: Plan, place: Place): Given[] => given.filter(({ spot }) => spot.place === place);

function pathOf(plan: Plan): string {
  return at(plan, 'path').reduce((path, given) => {
    const [, text] = textsOf(given, plan.spelling)[0] ?? ['', ''];
    return path.replace(`{${given.spot.name}}`, () => encoded(text, plan.spelling));
  }, plan.operation.path);
}

function queryOf(plan: Plan): string {
  const pairs = [...at(plan, 'query').flatMap((given) => textsOf(given, plan.spelling)), ...plan.noise.query];
  return pairs.map(([name, text]) => `${encoded(name, plan.spelling)}=${encoded(text, plan.spelling)}`).join('&');
}

export function bodyOf(plan: Plan): Buffer | null {
  if (!plan.hasBody) return null;
  const fields = at(plan, 'body');
  if (plan.spelling.isForm) {
    const noise = plan.noise.fields.map(([name, value]) => [name, String(value)] as const);
    const pairs = [...fields.flatMap((given) => textsOf(given, plan.spelling)), ...noise];
    return Buffer.from(pairs.map(([name, text]) => `${encoded(name, plan.spelling)}=${encoded(text, plan.spelling)}`).join('&'));
  }
  const entries = [...plan.noise.fields, ...fields.map(({ spot, value }) => [spot.name, value] as const)];
  // By hand: JavaScript has no object with a field of its own called __proto__, or with one twice.
  const json = `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
  return Buffer.from(plan.spelling.isEscaped ? json.replace(/[^\0-\x7f]/g, escaped) : json);
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function textsOf({ spot, value, pairs }: Given, { lists, booleans }: Spelling): readonly (readonly [string, string])[] {
  if (pairs) return pairs;
  const text = (one: unknown): string => (typeof one === 'boolean' ? booleans[one ? 0 : 1] : String(one));
  if (!Array.isArray(value)) return [[spot.name, text(value)]];
  if (spot.isCommaList) return [[spot.name, value.map(text).join(',')]];
  const name = (index: number): string => ({ brackets: `${spot.name}[]`, repeated: spot.name, numbered: `${spot.name}[${index}]` })[lists];
  return value.map((one, index) => [name(index), text(one)] as const);
}

function encoded(text: string, { percent }: Spelling): string {
  if (percent === 'everywhere') return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return encodeURIComponent(text);
}
