import type { Context, Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { ApiError } from '../../domain/errors.ts';
import { readPairs } from './coerce.ts';
import type { ContractOperation } from './document.ts';

const oneMebibyte = String(2 ** 20);

/** koa-bodyparser hands these on to co-body, and its types do not know them. */
interface ParserOptions extends bodyParser.Options {
  /** A form arrives as pairs: how `a=1&a=2` is meant is for the schema to say, and qs would invent nested objects. */
  qs: { parse: typeof readPairs };
  /** An unknown field is ignored, also one of this name. */
  onProtoPoisoning: 'remove';
}

const options: ParserOptions = {
  // Any JSON value: a body that is not an object is an invalid parameter, not invalid JSON.
  strict: false,
  jsonLimit: oneMebibyte,
  formLimit: oneMebibyte,
  qs: { parse: readPairs },
  onProtoPoisoning: 'remove',
};

const parse: Middleware = bodyParser(options);

/** The body of this request as `RawRequest` wants it. Nothing is read for an operation that takes none. */
export async function readBody(ctx: Context, operation: ContractOperation): Promise<unknown> {
  if (!operation.requestBody || !hasBody(ctx)) return undefined;
  if (!ctx.is(Object.keys(operation.requestBody.content))) throw new ApiError('rest_unsupported_media_type');
  try {
    await parse(ctx, async () => {});
  } catch (error) {
    // What is left of a body that was given up on stands in the way of the next request on this connection.
    ctx.req.resume();
    throw refusal(error);
  }
  // By what was sent: the JSON text "" is a body, and no object.
  return ctx.request.rawBody === '' ? undefined : ctx.request.body;
}

/** RFC 9112, 6.3: one of these two headers says that there is a body. */
function hasBody(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') !== '' || !['', '0'].includes(ctx.get('Content-Length'));
}

/** What the parser says, as the error that the contract documents. */
export function refusal(error: unknown): ApiError {
  const { status, message } = error as { status?: number; message?: string };
  if (status === 413) return new ApiError('rest_body_too_large');
  if (status === 415) return new ApiError('rest_unsupported_media_type', { message: 'The Content-Encoding of the body is not supported.' });
  return new ApiError('rest_invalid_json', { log: message ?? String(error) });
}
