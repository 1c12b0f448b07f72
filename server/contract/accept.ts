import type { Context } from 'koa';
import { ApiError } from '../../domain/errors.ts';
import type { Contract } from './contract.ts';
import type { ContractOperation } from './document.ts';
import { readBody } from './parse-request.ts';
import type { Accepted } from './validate.ts';

/** A request to an operation as the contract reads it; what the contract refuses is thrown as the error that it documents. */
export async function accept(
  ctx: Context,
  contract: Contract,
  operation: ContractOperation,
  params: Record<string, string>,
): Promise<Accepted> {
  const body = await readBody(ctx, operation);
  const validation = contract.validate(operation, { params, search: ctx.querystring, headers: ctx.headers, body });
  if (validation.ok) return validation;
  const message = `Invalid parameter(s): ${Object.keys(validation.params).join(', ')}.`;
  throw new ApiError('rest_invalid_param', { message, data: { params: validation.params } });
}
