import type { ErrorObject, ValidateFunction } from 'ajv';
import type { ContractOperation } from './document.ts';
import { compileRequestReader, type Faults, type RawRequest, type TypedRequest } from './read-request.ts';
import { wordsFor } from './sentences.ts';
import { refuseUnstorable } from './storable.ts';

export interface Accepted {
  readonly ok: true;
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  /** By the name that the contract uses. */
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

export type Validation = Accepted | { readonly ok: false; readonly params: Faults };

export type RequestCheck = (request: RawRequest) => Validation;

/** The validators are openapi-backend's own; they write the contract's defaults into what they are given. */
export function compileRequestCheck(operation: ContractOperation, validators: readonly ValidateFunction[]): RequestCheck {
  const read = compileRequestReader(operation);
  const headerNames = operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);

  return (request) => {
    const faults: Faults = {};
    const typed = read(request, faults);
    refuseUnstorable(typed, faults);
    for (const validate of validators) {
      if (!validate(typed)) addFaults(faults, validate.errors ?? [], headerNames);
    }
    return Object.keys(faults).length > 0 ? { ok: false, params: faults } : accepted(typed, headerNames);
  };
}

function accepted(typed: TypedRequest, headerNames: readonly string[]): Accepted {
  const headers: Record<string, unknown> = {};
  for (const name of headerNames) {
    const value = typed.header[name.toLowerCase()];
    if (value !== undefined) headers[name] = value;
  }
  return { ok: true, params: typed.path, query: typed.query, headers, body: typed.requestBody };
}

/** The first thing that is wrong with a parameter is the one that is told. */
function addFaults(faults: Faults, errors: readonly ErrorObject[], headerNames: readonly string[]): void {
  for (const error of errors) {
    const { name, subject } = place(error, headerNames);
    faults[name] ??= error.keyword === 'required' ? `${subject} is required.` : `${subject} ${wordsFor(error)}.`;
  }
}

/** `/requestBody/scopes/1` speaks of `scopes[1]`, and is filed under `scopes`. */
function place(error: ErrorObject, headerNames: readonly string[]): { name: string; subject: string } {
  const [location, ...steps] = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (error.keyword === 'required') steps.push(String(error.params['missingProperty']));
  const [first = 'body', ...rest] = steps;
  const name = location === 'header' ? (headerNames.find((one) => one.toLowerCase() === first) ?? first) : first;
  return { name, subject: name + rest.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('') };
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
