import type { OperationHandler } from './context.ts';
import type { ResponseBody } from './contract-types.ts';

export const get_openapi: OperationHandler<'get_openapi'> = async (_request, { document }) => ({
  status: 200,
  body: document() as unknown as ResponseBody<'get_openapi', 200>,
  shared: true,
});
