import type { Contract } from '../../server/contract/contract.ts';
import type { ValidRequest } from '../../server/contract/contract-validator.ts';
import type { ContractRequest } from '../../server/contract/read-request.ts';
import { describeErrors } from '../../server/contract/validation-errors.ts';
import { operationOf } from './contract.ts';

/** A request with nothing in it. */
export const emptyRequest = (): ContractRequest => ({
  method: 'GET',
  path: '/',
  params: {},
  query: '',
  headers: {},
  cookies: {},
  requestBody: undefined,
});

/** The validation errors of a request; empty if it is valid. */
export function validationErrors(contract: Contract, operationId: string, request: Partial<ContractRequest>): Record<string, string> {
  const { errors } = contract.validator.validateRequest({ ...emptyRequest(), ...request }, operationId);
  return describeErrors(errors ?? [], operationOf(contract, operationId));
}

export function acceptedBy(contract: Contract, operationId: string, request: Partial<ContractRequest> = {}): ValidRequest {
  const { errors, coerced } = contract.validator.validateRequest({ ...emptyRequest(), ...request }, operationId);
  if (errors) throw new Error(JSON.stringify(errors));
  return coerced as ValidRequest;
}
