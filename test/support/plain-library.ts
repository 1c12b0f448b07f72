import type { Ajv } from 'ajv';
import { type Document, type Operation as LibraryOperation, OpenAPIBackend, type Request, type ValidationResult } from 'openapi-backend';
import { createAjv } from '../../server/contract/ajv.ts';
import type { ContractOperation } from '../../server/contract/document.ts';
import { bundleFile } from './contract.ts';
import type { SampleRequest } from './sample-requests.ts';

/** openapi-backend set up as in its README, with an Ajv that supports OpenAPI 3.1. */
export interface PlainLibrary {
  /** The document with its references resolved. */
  definition: object;
  match(method: string, path: string): string | undefined;
  validate(operation: ContractOperation, sample: SampleRequest): ValidationResult<Request>;
}

export async function plainLibrary(apiRoot: string): Promise<PlainLibrary> {
  const resolved = await openLibrary(apiRoot, bundleFile);
  // Its validators fail where two schemas share a list: a `$ref` with siblings has the `enum` of its target. In a copy nothing is shared.
  const library = await openLibrary(apiRoot, JSON.parse(JSON.stringify(resolved.definition)));
  return {
    definition: resolved.definition,
    match: (method, path) => library.matchOperation({ method, path: apiRoot + path, headers: {} })?.operationId,
    validate: (operation, sample) =>
      library.validator.validateRequest(asRequest(apiRoot, operation, sample), operation as unknown as LibraryOperation),
  };
}

async function openLibrary(apiRoot: string, definition: string | Document): Promise<OpenAPIBackend> {
  const library = new OpenAPIBackend({
    definition,
    apiRoot,
    quick: true,
    strict: true,
    coerceTypes: true,
    ajvOpts: { useDefaults: true },
    customizeAjv: (_ajv, options) => createAjv(options) as unknown as Ajv,
  });
  await library.init();
  return library;
}

function asRequest(apiRoot: string, { method }: ContractOperation, { path, search, headers, body }: SampleRequest): Request {
  const target = search === '' ? path : `${path}?${search}`;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return { method, path: apiRoot + target, headers: { ...headers, ...type }, ...(body !== undefined && { body: structuredClone(body) }) };
}
