import type { Contract } from '../../server/contract/contract.ts';
import type { Operation } from '../../server/contract/document.ts';
import type { Answer } from './answers.ts';

/** What can be called, and what can be asked for with `Prefer`. */
export function indexOf(contract: Contract, answers: ReadonlyMap<Operation, readonly Answer[]>): object {
  return {
    title: contract.title,
    version: contract.version,
    base: contract.apiRoot,
    operations: contract.operations.map((operation) => ({
      operation: operation.operationId,
      call: `${operation.method.toUpperCase()} ${contract.apiRoot}${operation.path}`,
      summary: operation.summary ?? '',
      examples: namesByStatus(answers.get(operation) ?? []),
    })),
  };
}

function namesByStatus(answers: readonly Answer[]): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const { status, name } of answers) (names[status] ??= []).push(name);
  return names;
}
