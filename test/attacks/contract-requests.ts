import { type OperationId, operations } from '../../generated/operations.ts';
import type { Contract } from '../../server/contract/contract.ts';
import { type ContractOperation, jsonMediaType, type MediaType } from '../../server/contract/document.ts';
import { operationOf } from '../support/contract.ts';
import { jsonType, type PlainRequest } from './plain-http.ts';

// Requests made from the contract, so that a new operation is attacked automatically.

export const allOperations = Object.keys(operations) as OperationId[];

type Owner = { readonly in: string; readonly name?: string } | null;

const ownerOf = (operationId: OperationId): Owner => operations[operationId].owner;

/** An id stands in its path, or the contract says that one in its query or body names whose record it is. */
export const takesId = (operationId: OperationId): boolean =>
  operations[operationId].path.includes('{') || ['query', 'body'].includes(ownerOf(operationId)?.in ?? '');

/** What kind of record the id is of: `coupons`. */
export function kindOf(operationId: OperationId): string {
  const { path } = operations[operationId];
  const owner = ownerOf(operationId);
  return path.includes('{') || owner?.name === undefined ? (path.split('/')[1] ?? '') : `${owner.name.replace(/_id$/, '')}s`;
}

export const bodyOperations = allOperations.filter((operationId) => operations[operationId].body !== null);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The contract's own example of the body; undefined where none is taken. */
export function exampleBody(contract: Contract, operationId: OperationId): Record<string, unknown> | undefined {
  const content: MediaType | undefined = (operationOf(contract, operationId) as ContractOperation).requestBody?.content[jsonMediaType];
  const example = content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
  return isRecord(example) ? example : undefined;
}

/** A right request for this record: where the id stands, the contract says. */
export function requestFor(contract: Contract, operationId: OperationId, id: number | string): { target: string } & PlainRequest {
  const { method, path } = operations[operationId];
  const owner = ownerOf(operationId);
  const query = owner?.in === 'query' ? `?${owner.name}=${id}` : '';
  const example = exampleBody(contract, operationId);
  const body = example && { ...example, ...(owner?.in === 'body' && owner.name !== undefined && { [owner.name]: id }) };
  return {
    target: `/api/v2${path.replace(/\{\w+\}/g, String(id))}${query}`,
    method: method.toUpperCase(),
    ...(body && { body: JSON.stringify(body), headers: jsonType }),
  };
}
