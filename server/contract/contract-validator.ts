import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { OpenAPIValidator, type Operation, ValidationContext, type ValidationResult } from 'openapi-backend';
import { createAjv } from './ajv.ts';
import { bodySchema, type ContractOperation } from './document.ts';
import { type ContractRequest, compileRequestReader, customError, type ReadRequest, type TypedRequest } from './read-request.ts';

/** A request with the types of the contract and its defaults, in the shape that handlers take. */
export interface ValidRequest {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  /** By the name that the contract uses. */
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

interface CompiledOperation {
  readonly read: ReadRequest;
  readonly headerNames: readonly string[];
}

/**
 * openapi-backend's validator, except that texts are converted strictly before (coerce.ts) and never by Ajv. Validators are compiled with
 * the first request to their operation: all of them at once would take half of the time that the service needs to start.
 */
export class ContractValidator extends OpenAPIValidator {
  readonly #compiled = new Map<string, CompiledOperation>();
  readonly #requestAjv = createAjv({ useDefaults: true, verbose: true });
  readonly #responseAjv = createAjv({});

  /** `coerced` is a ValidRequest. */
  override validateRequest(request: ContractRequest, operation: Operation | string): ValidationResult {
    const operationId = typeof operation === 'string' ? operation : (operation.operationId ?? '');
    const { read, headerNames } = this.#compile(operationId);
    const errors: ErrorObject[] = [];
    const typed = read(request, errors);
    errors.push(...findUnstorable(typed));
    // They also write the contract's defaults into the request.
    for (const validate of this.getRequestValidatorsForOperation(operationId))
      if (!validate(typed)) errors.push(...(validate.errors ?? []));
    return errors.length > 0 ? { valid: false, errors } : { valid: true, errors: null, coerced: toValidRequest(typed, headerNames) };
  }

  #compile(operationId: string): CompiledOperation {
    let compiled = this.#compiled.get(operationId);
    if (!compiled) {
      const operation = this.router.getOperation(operationId) as unknown as ContractOperation;
      const headers = operation.parameters.filter((parameter) => parameter.in === 'header');
      compiled = { read: compileRequestReader(operation), headerNames: headers.map(({ name }) => name) };
      this.#compiled.set(operationId, compiled);
    }
    return compiled;
  }

  /** For a list of records only its length is checked: each record is validated by itself, and its problems are its outcome. */
  override buildRequestValidatorsForOperation(operation: Operation): ValidateFunction[] | null {
    const body = bodySchema(operation as unknown as ContractOperation);
    if (body?.items?.['x-import-kind'] === undefined) return super.buildRequestValidatorsForOperation(operation);
    const requestBody = { ...body, items: { type: 'object' } };
    return [this.#requestAjv.compile({ type: 'object', properties: { requestBody } })];
  }

  override getAjv(context: ValidationContext): Ajv {
    return context === ValidationContext.RequestBody || context === ValidationContext.Params ? this.#requestAjv : this.#responseAjv;
  }
}

function toValidRequest({ path, query, header, requestBody }: TypedRequest, headerNames: readonly string[]): ValidRequest {
  const headers: Record<string, unknown> = {};
  for (const name of headerNames) {
    const value = header[name.toLowerCase()];
    if (value !== undefined) headers[name] = value;
  }
  return { path, query, headers, body: requestBody };
}

// A NUL ends a text in C, and half of a surrogate pair is no character: PostgreSQL rejects both, SQLite stores them as they are. JSON
// Schema has no keyword for it, so it is checked here for every string, whichever engine is used.
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** No deeper than lists of texts: the contract has nothing deeper, and a value nested a hundred thousand times fails its type anyway. */
const holdsUnstorable = (value: unknown): boolean =>
  typeof value === 'string'
    ? !isStorable(value)
    : Array.isArray(value) && value.some((text) => typeof text === 'string' && !isStorable(text));

export function findUnstorable(request: TypedRequest): ErrorObject[] {
  const errors: ErrorObject[] = [];
  for (const [place, part] of Object.entries(request) as [string, unknown][]) {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) continue;
    for (const [name, value] of Object.entries(part))
      if (holdsUnstorable(value)) errors.push(customError(`/${place}/${name}`, 'holds a character that cannot be stored'));
  }
  return errors;
}
