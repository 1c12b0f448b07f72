import type { ErrorObject } from 'ajv';
import { ApiError } from '../../domain/errors.ts';
import { textFormats } from '../../domain/records/formats.ts';
import type { ContractOperation, JsonSchema } from './document.ts';

export function toInvalidParameters(errors: readonly ErrorObject[], operation: ContractOperation): ApiError {
  const params = describeErrors(errors, operation);
  return new ApiError('rest_invalid_param', { message: `Invalid parameter(s): ${Object.keys(params).join(', ')}.`, data: { params } });
}

/** A sentence for each invalid parameter, by its name. Only the first error of a parameter is reported. */
export function describeErrors(errors: readonly ErrorObject[], { parameters }: ContractOperation): Record<string, string> {
  const headerNames = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const sentences: Record<string, string> = {};
  for (const error of errors) {
    const { name, subject } = locate(error, headerNames);
    sentences[name] ??= error.keyword === 'required' ? `${subject} is required.` : `${subject} ${describeError(error)}.`;
  }
  return sentences;
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
const describeFormat = ({ format = '' }: JsonSchema): string =>
  formatDescriptions[format] ?? textFormats[format]?.problem ?? 'is not in the expected form';
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
  maxProperties: ({ maxProperties }) => `must have at most ${maxProperties} fields`,
  format: describeFormat,
  pattern: describeFormat,
};

/** Ajv's error as the end of a sentence: "must be between 1 and 100". */
const describeError = (error: ErrorObject): string =>
  descriptions[error.keyword]?.((error.parentSchema ?? {}) as JsonSchema, error) ?? error.message ?? 'is not valid';
