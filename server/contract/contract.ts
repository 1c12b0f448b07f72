import { isDeepStrictEqual } from 'node:util';
import { OpenAPIBackend } from 'openapi-backend';
import type { OpenApiDocument } from '../../site/document/openapi.ts';
import { isKnownFormat } from './ajv.ts';
import { isArray } from './coerce.ts';
import { ContractRouter } from './contract-router.ts';
import { ContractValidator } from './contract-validator.ts';
import { bodySchema, type ContractOperation, formMediaType, propertiesOf, readBundle } from './document.ts';
import { createResponseCheck, type ResponseCheck } from './responses.ts';

export interface Contract {
  /** As it was read from the bundle. */
  readonly document: OpenApiDocument;
  /** The prefix of all paths: `/api/v2`. */
  readonly apiRoot: string;
  readonly operations: readonly ContractOperation[];
  /** Has no handlers yet: `createApi` registers those of the service, `npm run mock` its own. */
  readonly backend: OpenAPIBackend;
  /** Those of the backend. */
  readonly router: ContractRouter;
  readonly validator: ContractValidator;
  /** Returns a sentence for each violation of the contract. */
  readonly checkResponse: ResponseCheck;
}

/**
 * Loads the bundled document into openapi-backend. `quick`, because the library would otherwise validate the document as OpenAPI 3.0 and
 * find no operation in a 3.1 document; Redocly has validated ours. From the file, because from an object it would drop the siblings of a
 * `$ref`.
 */
export async function loadContract(bundleFile: string): Promise<Contract> {
  // openapi-backend reads the file itself, but an unreadable one would end the process there as an unhandled rejection.
  const document = readBundle(bundleFile);
  const apiRoot = new URL(document.servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
  const backend = new OpenAPIBackend({ definition: bundleFile, apiRoot: apiRoot || '/', quick: true, strict: true });
  const { definition } = await backend.init();
  const router = new ContractRouter({ definition, apiRoot });
  const validator = new ContractValidator({ definition, router, lazyCompileValidators: true });
  Object.assign(backend, { router, validator });
  const operations = router.getOperations() as unknown as ContractOperation[];
  operations.forEach(requireSupported);
  return { document, apiRoot, operations, backend, router, validator, checkResponse: createResponseCheck(operations, validator) };
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

/** Every format that is named anywhere in the value. */
function formatsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { format } = part as { format?: unknown };
  return [...(typeof format === 'string' ? [format] : []), ...Object.values(part).flatMap(formatsIn)];
}
