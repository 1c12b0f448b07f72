import type { Operation } from './context.ts';
import type { AnswerOf } from './contract-types.ts';

export const get_openapi: Operation<'get_openapi'> = async (_request, { document }) => ({
  status: 200,
  body: document() as unknown as AnswerOf<'get_openapi', 200>,
  shared: true,
});
