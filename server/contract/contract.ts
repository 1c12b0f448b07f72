import { isDeepStrictEqual } from 'node:util';
import type { Ajv, ValidateFunction } from 'ajv';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { OpenAPIBackend, ValidationContext } from 'openapi-backend';
import { textFormats, valueFormats } from '../../domain/records/formats.ts';
import type { OpenApiDocument } from '../../site/document/openapi.ts';
import { isArray } from './coerce.ts';
import { bodySchema, type ContractOperation, formMediaType, propertiesOf, readBundle } from './document.ts';
import { compileMatcher, type Matcher } from './match.ts';
import type { RawRequest } from './read-request.ts';
import { createResponseCheck, type ResponseCheck } from './responses.ts';
import { compileRequestValidator, type ValidateRequest, type ValidationResult } from './validate.ts';

export interface Contract {
  /** As it was read from the bundle. */
  readonly document: OpenApiDocument;
  /** The prefix of all paths: `/api/v2`. */
  readonly apiRoot: string;
  readonly operations: readonly ContractOperation[];
  /** Method in upper case; the path still percent-encoded, without the query. */
  readonly match: Matcher;
  validate(operation: ContractOperation, request: RawRequest): ValidationResult;
  /** Returns a sentence for each violation of the contract. */
  readonly checkResponse: ResponseCheck;
}

/**
 * Loads the bundled document into openapi-backend. The validators of an operation are compiled with its first request: all of them at
 * once would take half of the time that the service needs to start.
 */
export async function loadContract(bundleFile: string): Promise<Contract> {
  // openapi-backend reads the file itself, but an unreadable one would end the process there as an unhandled rejection.
  const document = readBundle(bundleFile);
  const apiRoot = new URL(document.servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
  const replyAjv = createAjv({});
  const library = await startLibrary(bundleFile, apiRoot, replyAjv);
  const operations = library.router.getOperations() as unknown as ContractOperation[];
  operations.forEach(requireSupported);
  const requestValidators = new Map<ContractOperation, ValidateRequest>();

  return {
    document,
    apiRoot,
    operations,
    match: compileMatcher(operations, apiRoot),
    validate(operation, request) {
      let validate = requestValidators.get(operation);
      if (!validate) {
        if (!operations.includes(operation)) throw new Error(`${operation.operationId} is not an operation of this contract.`);
        validate = compileRequestValidator(
          operation,
          compileRecordListValidator(operation) ?? library.validator.getRequestValidatorsForOperation(operation.operationId),
        );
        requestValidators.set(operation, validate);
      }
      return validate(request);
    },
    checkResponse: createResponseCheck(operations, {
      body: (operationId, status) => library.validator.getStatusBasedResponseValidatorForOperation(operationId)[status],
      header: (schema) => replyAjv.compile(schema),
    }),
  };
}

/**
 * `quick`, because the library would otherwise validate the document as OpenAPI 3.0 and find no operation in a 3.1 document; Redocly has
 * validated ours. From the file, because from an object it would drop the siblings of a `$ref`.
 */
async function startLibrary(bundleFile: string, apiRoot: string, replyAjv: Ajv): Promise<OpenAPIBackend> {
  // No coercion: strings are converted strictly before (coerce.ts), and JSON must not be coerced.
  const requestAjv = createAjv({ useDefaults: true, verbose: true });
  const shared: Record<ValidationContext, Ajv> = {
    [ValidationContext.RequestBody]: requestAjv,
    [ValidationContext.Params]: requestAjv,
    [ValidationContext.Response]: replyAjv,
    [ValidationContext.ResponseHeaders]: replyAjv,
  };
  const library = new OpenAPIBackend({
    definition: bundleFile,
    apiRoot: apiRoot || '/',
    quick: true,
    strict: true,
    customizeAjv: (_ajv, _options, context) => shared[context],
  });
  await library.init();
  return library;
}

/** Rejects contracts that openapi-backend would load, but not enforce as written. */
function requireSupported(operation: ContractOperation): void {
  const { operationId, method, path, parameters, requestBody } = operation;
  const rejectIf = (condition: boolean, sentence: string) => {
    if (condition) throw new Error(`${operationId ?? `${method} ${path}`}: ${sentence}`);
  };
  const body = bodySchema(operation);
  const form = requestBody?.content[formMediaType];
  const schemas = [...parameters.map(({ schema }) => schema), ...Object.values(propertiesOf(body ?? {}))];
  rejectIf(!operationId, 'an operation needs an operationId.');
  rejectIf(
    parameters.some((parameter) => parameter.in === 'cookie'),
    'parameters in cookies are not supported.',
  );
  rejectIf(requestBody !== undefined && !body, 'the body has no JSON schema.');
  rejectIf(form !== undefined && !isDeepStrictEqual(form.schema, body), 'the form and the JSON body must have one schema.');
  rejectIf(
    schemas.some((schema) => isArray(schema) && schema.maxItems === undefined),
    'a list that is sent needs maxItems.',
  );
  const unknown = formatsIn([...parameters, body]).find((format) => !isKnownFormat(format));
  rejectIf(unknown !== undefined, `unknown format "${unknown}".`);
}

/** For a list of records only its length is checked: each record is validated by itself, and its problems are its outcome. */
function compileRecordListValidator(operation: ContractOperation): [ValidateFunction] | undefined {
  const body = bodySchema(operation);
  if (body?.items?.['x-import-kind'] === undefined) return undefined;
  const requestBody = { ...body, items: { type: 'object' } };
  return [createAjv({ verbose: true }).compile({ type: 'object', properties: { requestBody } })];
}

/** Every format that is named anywhere in the value. */
function formatsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { format } = part as { format?: unknown };
  return [...(typeof format === 'string' ? [format] : []), ...Object.values(part).flatMap(formatsIn)];
}

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** `YYYY-MM-DD` of a day that exists in the Gregorian calendar, years 0001 to 9999. */
export function isCalendarDay(text: string): boolean {
  const [, year, month, day] = dayPattern.exec(text) ?? [];
  if (year === undefined || year === '0000') return false;
  // A day that the month does not have overflows into another month. Date.UTC reads the years 1 to 99 as 1901 to 1999, which have the
  // same leap years.
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCMonth() === Number(month) - 1;
}

/** A misspelt format would otherwise only log a warning, and not be checked. */
function fail(message: unknown): never {
  throw new Error(`The contract cannot be compiled: ${String(message)}`);
}

// Ajv throws what it logs as an error, with a better message.
const logger = { log: fail, warn: fail, error: () => {} };

/** OpenAPI 3.1 schemas are JSON Schema 2020-12. Not strict, because the contract has keywords of its own (`x-…`, `example`). */
export function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger, ...options });
  formatsPlugin.default(ajv);
  for (const [name, { isValid }] of Object.entries(textFormats)) ajv.addFormat(name, isValid);
  // Depends on the store's currency and time zone: domain/records/ checks them.
  for (const name of Object.keys(valueFormats)) ajv.addFormat(name, true);
  return ajv.addFormat('calendar-day', isCalendarDay);
}

const { formats } = createAjv({});

/** Checked at start: an unknown format would otherwise fail with the first request that needs it. */
const isKnownFormat = (format: string): boolean => Object.hasOwn(formats, format);
