import { randomUUID } from 'node:crypto';
import { errorTable } from '../../domain/errors.ts';
import {
  type ContractOperation,
  type ContractResponse,
  jsonMediaType,
  type MediaType,
  streamMediaType,
} from '../../server/contract/document.ts';
import { declaredCodes } from '../../server/contract/responses.ts';

interface Preferences {
  readonly code?: string;
  readonly example?: string;
}

// RFC 7240: preferences are separated by commas; each is a token [ "=" word ], then parameters, which are ignored here.
// A word is a token or a quoted string.
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = '"(?:[^"\\\\]|\\\\.)*"';
const element = new RegExp(`(?:[^,"]|${quoted})+`, 'g');
const preference = new RegExp(`^(${token})(?:\\s*=\\s*(${token}|${quoted}))?\\s*(?:;|$)`);

/** Parses `Prefer: code=409, example="in_progress"`. Ignores other preferences; the first of a name counts, as the RFC requires. */
export function parsePrefer(header: string): Preferences {
  const preferences: Record<string, string> = {};
  for (const [text] of header.matchAll(element)) {
    const [, name = '', value = ''] = preference.exec(text.trim()) ?? [];
    if (/^(code|example)$/i.test(name)) preferences[name.toLowerCase()] ??= unquote(value);
  }
  return preferences;
}

/** The value of `Preference-Applied`. */
export const formatPreferences = (preferences: Preferences): string =>
  Object.entries(preferences)
    .map(([name, value]) => `${name}=${quote(String(value))}`)
    .join(', ');

const unquote = (value: string): string => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value);

const quote = (value: string): string => (new RegExp(`^${token}$`).test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`);

/** A status and a named example: what `Prefer` can select for an operation. */
export interface MockResponse {
  readonly status: number;
  readonly name: string;
  readonly body: unknown;
}

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * By status; within a status the examples in the order of the contract, then the error codes without an example. openapi-backend's
 * `mockResponseForOperation` is no replacement: it returns one body, prefers 200 to 201, makes one up from the schema where an example is
 * missing, and answers an unknown `code` or `example` with the default instead of an error.
 */
export function listResponses(operation: ContractOperation): MockResponse[] {
  const statuses = Object.keys(operation.responses)
    .map(Number)
    .toSorted((a, b) => a - b);
  return statuses.flatMap((status) => {
    const examples = listExamples(operation.responses[status] ?? {}).map(([name, body]) => ({ status, name, body }));
    return [...examples, ...deriveMissingErrors(operation, status, examples)];
  });
}

/** JSON, except for a stream. */
export const mediaTypeOf = ({ content = {} }: ContractResponse): string => (streamMediaType in content ? streamMediaType : jsonMediaType);

function listExamples(response: ContractResponse): [string, unknown][] {
  if (!response.content) return [['empty', undefined]];
  const { example, examples }: MediaType = response.content[mediaTypeOf(response)] ?? {};
  const named = Object.entries(examples ?? {}).map(([name, { value }]): [string, unknown] => [name, value]);
  return example === undefined ? named : [['example', example], ...named];
}

/** A shared error response has no example for the codes that single operations add to it; the first example is their template. */
function deriveMissingErrors(operation: ContractOperation, status: number, examples: readonly MockResponse[]): MockResponse[] {
  const template = examples[0]?.body as ErrorBody | undefined;
  if (status < 400 || !template) return [];
  // `params` names parameters of the template's own error.
  const { params: _params, ...data } = template.data;
  const shown = new Set(examples.map(({ body }) => (body as ErrorBody).code));
  return declaredCodes(operation, status)
    .filter((code) => !shown.has(code))
    .map((code) => {
      const message = code in errorTable ? errorTable[code as keyof typeof errorTable].message : code;
      return { status, name: code.replace(/^(svc_api|rest)_/, ''), body: { code, message, data } };
    });
}

/** 201 where the operation can create something, otherwise the lowest success. */
export function findDefault(responses: readonly MockResponse[]): MockResponse | undefined {
  return responses.find(({ status }) => status === 201) ?? responses.find(({ status }) => status >= 200 && status < 300);
}

/** The preferred response, or a sentence that says what can be preferred. A name without a code selects the lowest status that has it. */
export function chooseResponse(responses: readonly MockResponse[], { code, example }: Preferences): MockResponse | string {
  const list = (values: readonly (string | number)[]): string => [...new Set(values)].join(', ');
  const withCode = code === undefined ? responses : responses.filter(({ status }) => String(status) === code);
  if (withCode.length === 0) return `Prefer: code must be one of ${list(responses.map(({ status }) => status))}.`;
  const fallback = code === undefined ? findDefault(responses) : withCode[0];
  const chosen = example === undefined ? fallback : withCode.find(({ name }) => name === example);
  return chosen ?? `Prefer: example must be one of ${list(withCode.map(({ name }) => name))}.`;
}

/** The part of an example list that a request selects, and the headers that describe the whole list. */
export interface MockPage {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, number>>;
}

interface PageQuery {
  readonly page?: number;
  readonly per_page?: number;
  readonly after?: number;
}

/** Pages through an example list, and follows the change feed behind a cursor, so that a client that pages or polls reaches an end. */
export function paginate(body: unknown, query: Readonly<Record<string, unknown>>): MockPage {
  if (!Array.isArray(body)) return { body, headers: {} };
  const { page = 1, per_page: perPage = 20, after } = query as PageQuery;
  const rows = after === undefined ? body : body.filter((row) => idOf(row) > after).toSorted((one, other) => idOf(one) - idOf(other));
  const first = after === undefined ? (page - 1) * perPage : 0;
  const shown = rows.slice(first, first + perPage);
  const newest = shown.length === 0 && after === undefined ? rows : shown;
  return {
    body: shown,
    headers: {
      'X-Svc-Total': rows.length,
      'X-Svc-TotalPages': Math.ceil(rows.length / perPage),
      'X-Svc-Last-Event': Math.max(after ?? 0, ...newest.map(idOf)),
    },
  };
}

const idOf = (row: unknown): number => (row as { id?: number }).id ?? 0;

/** The declared headers of a response. One that repeats the body is read from it, because its example fits one body only. */
export function makeHeaders(response: ContractResponse, { body, headers }: MockPage): Record<string, string> {
  const values: Record<string, unknown> = {
    ...headers,
    'X-Request-Id': randomUUID(),
    'Retry-After': (body as Partial<ErrorBody> | undefined)?.data?.['retry_after'],
  };
  return Object.fromEntries(
    Object.entries(response.headers ?? {}).flatMap(([name, { required, example, examples = {} }]) => {
      const value = values[name] ?? (required ? (example ?? Object.values(examples)[0]?.value) : undefined);
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}
