import type { ErrorObject, ValidateFunction } from 'ajv';
import type { ContractOperation, JsonSchema } from './document.ts';
import { compileRequestReader, type ParameterErrors, type RawRequest, type TypedRequest } from './read-request.ts';

export interface ValidRequest {
  readonly ok: true;
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  /** By the name that the contract uses. */
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

export type ValidationResult = ValidRequest | { readonly ok: false; readonly params: ParameterErrors };

export type ValidateRequest = (request: RawRequest) => ValidationResult;

/** The validators are openapi-backend's own; they write the contract's defaults into the request. */
export function compileRequestValidator(operation: ContractOperation, validators: readonly ValidateFunction[]): ValidateRequest {
  const read = compileRequestReader(operation);
  const headerNames = operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);

  return (request) => {
    const errors: ParameterErrors = {};
    const typed = read(request, errors);
    addUnstorableTexts(errors, typed);
    for (const validate of validators) {
      if (!validate(typed)) addSchemaErrors(errors, validate.errors ?? [], headerNames);
    }
    return Object.keys(errors).length > 0 ? { ok: false, params: errors } : validRequest(typed, headerNames);
  };
}

function validRequest(typed: TypedRequest, headerNames: readonly string[]): ValidRequest {
  const headers: Record<string, unknown> = {};
  for (const name of headerNames) {
    const value = typed.header[name.toLowerCase()];
    if (value !== undefined) headers[name] = value;
  }
  return { ok: true, params: typed.path, query: typed.query, headers, body: typed.requestBody };
}

// A NUL ends a text in C, and half of a surrogate pair is no character: PostgreSQL rejects both, SQLite stores them as they are. JSON
// Schema has no keyword for it, so it is checked here for every string, whichever engine is used.
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** No deeper than lists of texts: the contract has nothing deeper, and a value nested a hundred thousand times fails its type anyway. */
const holdsUnstorable = (value: unknown): boolean => [value].flat().some((text) => typeof text === 'string' && !isStorable(text));

export function addUnstorableTexts(errors: ParameterErrors, { path, query, header, requestBody }: TypedRequest): void {
  const body = typeof requestBody === 'object' && requestBody !== null && !Array.isArray(requestBody) ? requestBody : {};
  for (const part of [path, query, header, body])
    for (const [name, value] of Object.entries(part))
      if (holdsUnstorable(value)) errors[name] ??= `${name} holds a character that cannot be stored.`;
}

/** Only the first error of a parameter is reported. */
function addSchemaErrors(errors: ParameterErrors, found: readonly ErrorObject[], headerNames: readonly string[]): void {
  for (const error of found) {
    const { name, subject } = locate(error, headerNames);
    errors[name] ??= error.keyword === 'required' ? `${subject} is required.` : `${subject} ${describeError(error)}.`;
  }
}

/** `/requestBody/scopes/1` is about `scopes[1]`, and is reported under `scopes`. `/requestBody/1` is about `body[1]`. */
function locate(error: ErrorObject, headerNames: readonly string[]): { name: string; subject: string } {
  const [location, ...steps] = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (error.keyword === 'required') steps.push(String(error.params['missingProperty']));
  if (location === 'requestBody' && /^\d*$/.test(steps[0] ?? '')) steps.unshift('body');
  const [first = 'body', ...rest] = steps;
  const name = location === 'header' ? (headerNames.find((one) => one.toLowerCase() === first) ?? first) : first;
  return { name, subject: name + rest.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('') };
}

const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

const formatDescriptions: Readonly<Record<string, string>> = {
  'calendar-day': 'must be a day that exists, written YYYY-MM-DD',
};

const typeNames: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  string: 'a string',
  array: 'a list',
  object: 'an object',
};

/** A pattern beside a format says the same to a machine; people read the format's description. */
const describeFormat = ({ format = '' }: JsonSchema): string => formatDescriptions[format] ?? 'is not in the expected form';
const describeLength = ({ minLength, maxLength }: JsonSchema): string => `must be ${describeRange(minLength, maxLength)} characters long`;
const describeSize = ({ minItems, maxItems }: JsonSchema): string => `must have ${describeRange(minItems, maxItems)} entries`;

/** A technical upper bound, such as 2^31 - 1, is left out of the error about a 0: it would only confuse. */
function describeNumber({ minimum, maximum }: JsonSchema, { keyword }: ErrorObject): string {
  const isTechnical = keyword === 'minimum' && maximum !== undefined && maximum >= 2 ** 31 - 1;
  return `must be ${describeRange(minimum, isTechnical ? undefined : maximum)}`;
}

function describeRange(low: number | undefined, high: number | undefined): string {
  if (low === undefined) return `at most ${high}`;
  return high === undefined ? `at least ${low}` : `between ${low} and ${high}`;
}

const descriptions: Readonly<Record<string, (schema: JsonSchema, error: ErrorObject) => string>> = {
  type: ({ type = [] }) => {
    const names = [type].flat().map((name) => typeNames[name] ?? name);
    return `must be ${names.join(' or ')}`;
  },
  enum: (schema) => `must be one of ${(schema.enum ?? []).map(String).join(', ')}`,
  minimum: describeNumber,
  maximum: describeNumber,
  minLength: describeLength,
  maxLength: describeLength,
  minItems: describeSize,
  maxItems: describeSize,
  format: describeFormat,
  pattern: describeFormat,
};

/** Ajv's error as the end of a sentence: "must be between 1 and 100". */
const describeError = (error: ErrorObject): string =>
  descriptions[error.keyword]?.((error.parentSchema ?? {}) as JsonSchema, error) ?? error.message ?? 'is not valid';
