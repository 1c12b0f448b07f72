import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Ajv, ValidateFunction } from 'ajv';
import { OpenAPIBackend, ValidationContext } from 'openapi-backend';
import { isArray } from './coerce.ts';
import { bodySchema, type ContractOperation, formMediaType, propertiesOf } from './document.ts';
import { createAjv, knowsFormat } from './formats.ts';
import { compileMatcher, type Matcher } from './match.ts';
import type { RawRequest } from './read-request.ts';
import { createResponseCheck, type ResponseCheck } from './responses.ts';
import { compileRequestCheck, type RequestCheck, type Validation } from './validate.ts';

export interface Contract {
  readonly title: string;
  readonly version: string;
  /** What all paths are relative to: `/api/v2`. */
  readonly apiRoot: string;
  readonly operations: readonly ContractOperation[];
  /** Method in upper case; the path as it came, still percent-encoded, without the query. */
  readonly match: Matcher;
  validate(operation: ContractOperation, request: RawRequest): Validation;
  /** Sentences about what the contract does not allow; none for a valid reply. */
  readonly checkResponse: ResponseCheck;
}

/**
 * Builds the engine from the bundled document. What an operation needs is compiled with its first request: all of them at once would be
 * half of the time that the service takes to start.
 */
export async function loadContract(bundleFile: string): Promise<Contract> {
  const { title, version, apiRoot } = readBundle(bundleFile);
  const replyAjv = createAjv({});
  const library = await startLibrary(bundleFile, apiRoot, replyAjv);
  const operations = library.router.getOperations() as unknown as ContractOperation[];
  operations.forEach(refuseWhatIsNotSupported);
  const checks = new Map<ContractOperation, RequestCheck>();

  return {
    title,
    version,
    apiRoot,
    operations,
    match: compileMatcher(operations, apiRoot),
    validate(operation, request) {
      let check = checks.get(operation);
      if (!check) {
        if (!operations.includes(operation)) throw new Error(`${operation.operationId} is not an operation of this contract.`);
        check = compileRequestCheck(operation, requestValidators(library, operation));
        checks.set(operation, check);
      }
      return check(request);
    },
    checkResponse: createResponseCheck(operations, {
      body: (operationId, status) => library.validator.getStatusBasedResponseValidatorForOperation(operationId)[status],
      header: (schema) => replyAjv.compile(schema),
    }),
  };
}

interface Bundle {
  readonly info: { readonly title: string; readonly version: string };
  readonly servers?: readonly { readonly url: string }[];
}

/** openapi-backend reads the file itself, but one that it cannot read would end the process as an unhandled rejection in there. */
function readBundle(bundleFile: string): { title: string; version: string; apiRoot: string } {
  const { info, servers } = parseBundle(bundleFile);
  const apiRoot = new URL(servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
  return { title: info.title, version: info.version, apiRoot };
}

function parseBundle(bundleFile: string): Bundle {
  try {
    return JSON.parse(readFileSync(bundleFile, 'utf8')) as Bundle;
  } catch (error) {
    throw new Error(`The contract ${bundleFile} cannot be read. Run "npm run generate".`, { cause: error });
  }
}

/**
 * `quick`, because the library checks documents against OpenAPI 3.0 otherwise and knows no operation of a 3.1 document; Redocly has
 * validated ours. From the file, because given an object it would lose what stands beside a `$ref`.
 */
async function startLibrary(bundleFile: string, apiRoot: string, replyAjv: Ajv): Promise<OpenAPIBackend> {
  // No coercion here: strings were read strictly before (coerce.ts), and JSON must not be loosened.
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

function requestValidators(library: OpenAPIBackend, { operationId }: ContractOperation): ValidateFunction[] {
  return library.validator.getRequestValidatorsForOperation(operationId);
}

/** Each of these would be accepted in silence, and then not be checked as it reads. */
function refuseWhatIsNotSupported(operation: ContractOperation): void {
  const { operationId, method, path, parameters, requestBody } = operation;
  const refuseIf = (condition: boolean, sentence: string) => {
    if (condition) throw new Error(`${operationId ?? `${method} ${path}`}: ${sentence}`);
  };
  const body = bodySchema(operation);
  const form = requestBody?.content[formMediaType];
  const schemas = [...parameters.map(({ schema }) => schema), ...Object.values(propertiesOf(body ?? {}))];
  refuseIf(!operationId, 'an operation needs an operationId.');
  refuseIf(
    parameters.some((parameter) => parameter.in === 'cookie'),
    'parameters in cookies are not supported.',
  );
  refuseIf(requestBody !== undefined && !body, 'the body has no JSON schema.');
  refuseIf(form !== undefined && !isDeepStrictEqual(form.schema, body), 'the form and the JSON body must have one schema.');
  refuseIf(
    schemas.some((schema) => isArray(schema) && schema.maxItems === undefined),
    'a list that is sent needs maxItems.',
  );
  const unknown = formatsIn([...parameters, body]).find((format) => !knowsFormat(format));
  refuseIf(unknown !== undefined, `unknown format "${unknown}".`);
}

/** Every format that is named anywhere in it. */
function formatsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { format } = part as { format?: unknown };
  return [...(typeof format === 'string' ? [format] : []), ...Object.values(part).flatMap(formatsIn)];
}
