import type { Contract } from '../../server/contract/contract.ts';
import type { Operation } from '../../server/contract/document.ts';
import { headersFor } from './answer-headers.ts';
import { type Answer, defaultAnswer } from './answers.ts';
import { showList } from './show-list.ts';

/** An example that breaks its own contract teaches a client something false, so the mock does not start with one. */
export function refuseInvalidExamples(contract: Contract, answers: ReadonlyMap<Operation, readonly Answer[]>): void {
  const faults = [...answers].flatMap(([operation, own]) => [
    ...missing(operation, own),
    ...own.flatMap((answer) => invalid(contract, operation, answer)),
  ]);
  if (faults.length > 0)
    throw new Error(`The contract's examples do not keep the contract:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
}

function missing({ operationId, responses }: Operation, answers: readonly Answer[]): string[] {
  const without = Object.keys(responses).filter((status) => !answers.some((answer) => String(answer.status) === status));
  return [
    ...without.map((status) => `${operationId} ${status}: there is no example.`),
    ...(defaultAnswer(answers) ? [] : [`${operationId}: there is no successful answer.`]),
  ];
}

function invalid(contract: Contract, operation: Operation, { status, name, body }: Answer): string[] {
  const { headers: told } = showList(body, {});
  const headers = { 'Content-Type': 'application/json', ...headersFor(operation.responses[status] ?? {}, body, told) };
  return contract.checkReply(operation.operationId, { status, headers, body }).map((fault) => `example "${name}" of ${fault}`);
}
