import { isDeepStrictEqual } from 'node:util';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import type { OpenApiDocument } from '../../site/document/openapi.ts';
import { isKnownFormat } from './ajv.ts';
import { isArray } from './coerce.ts';
import { ContractRouter } from './contract-router.ts';
import { ContractValidator } from './contract-validator.ts';
import { bodySchema, type ContractOperation, formMediaType, propertiesOf, readBundle } from './document.ts';
import { resolveReferences } from './resolve-references.ts';
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
 * Loads the bundled document into openapi-backend, with a router and a validator of ours. Not by its `init`: it would validate the document as
 * OpenAPI 3.0, find no operation in a 3.1 document, and resolve the references once more.
 */
export function loadContract(bundleFile: string): Contract {
  const document = readBundle(bundleFile);
  const apiRoot = new URL(document.servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
  const definition = resolveReferences(document) as unknown as Document;
  const backend = new OpenAPIBackend({ definition, apiRoot: apiRoot || '/', quick: true, strict: true });
  const router = new ContractRouter({ definition, apiRoot });
  const validator = new ContractValidator({ definition, router, lazyCompileValidators: true });
  Object.assign(backend, { definition, router, validator, initialized: true });
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
