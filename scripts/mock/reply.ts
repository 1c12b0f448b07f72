import type { Context, Middleware } from 'koa';
import { ApiError } from '../../domain/errors.ts';
import type { Contract } from '../../server/contract/contract.ts';
import type { Operation, Response } from '../../server/contract/document.ts';
import { headersFor } from './answer-headers.ts';
import type { Shown } from './show-list.ts';

/** Sends an answer with the headers that the contract declares for it. One that breaks the contract is a defect of the mock, and is not sent. */
export function reply(ctx: Context, contract: Contract, operation: Operation | undefined, status: number, { body, headers }: Shown): void {
  ctx.status = status;
  ctx.set(headersFor(responseFor(contract, operation, status), body, headers));
  if (body !== undefined) ctx.body = body;
  if (!operation) return;
  const faults = contract.checkReply(operation.operationId, { status, headers: ctx.response.headers, body });
  if (faults.length === 0) return;
  console.error(`The mock was about to break the contract: ${faults.join(' ')}`);
  ctx.status = 500;
  ctx.body = new ApiError('svc_api_db_error', { message: faults.join(' ') }).body;
}

/** Turns a refusal into the error answer of the contract. */
export function answerErrors(contract: Contract): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof ApiError)) console.error(error);
      const { status, body } = error instanceof ApiError ? error : new ApiError('svc_api_db_error');
      reply(ctx, contract, ctx.state['operation'] as Operation | undefined, status, { body, headers: {} });
    }
  };
}

/** Where there is no operation: as another operation would answer it. */
function responseFor({ operations }: Contract, operation: Operation | undefined, status: number): Response {
  const answering = operation ?? operations.find(({ responses }) => status in responses);
  return answering?.responses[status] ?? {};
}
