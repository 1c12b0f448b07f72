import type { Contract } from '../../server/contract/contract.ts';
import type { RawRequest } from '../../server/contract/read-request.ts';
import type { ValidationResult } from '../../server/contract/validate.ts';
import { operationOf } from './contract.ts';

type Accepted = Extract<ValidationResult, { ok: true }>;

function validate(contract: Contract, operationId: string, request: Partial<RawRequest>): ValidationResult {
  return contract.validate(operationOf(contract, operationId), { params: {}, search: '', headers: {}, ...request });
}

/** The validation errors of a request; empty if it is valid. */
export function validationErrors(contract: Contract, operationId: string, request: Partial<RawRequest>): Record<string, string> {
  const validation = validate(contract, operationId, request);
  return validation.ok ? {} : validation.params;
}

export function acceptedBy(contract: Contract, operationId: string, request: Partial<RawRequest> = {}): Accepted {
  const validation = validate(contract, operationId, request);
  if (!validation.ok) throw new Error(JSON.stringify(validation.params));
  return validation;
}
