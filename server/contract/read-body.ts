import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { ApiError } from '../../domain/errors.ts';
import { exceedsJson } from '../../domain/json-values.ts';
import { type Pairs, readPairs } from './coerce.ts';
import type { ContractOperation } from './document.ts';

const oneMebibyte = String(2 ** 20);

/** Parsing a form takes far longer for each byte than JSON. */
const maxFormBytes = String(64 * 2 ** 10);
const maxFormFields = 1000;

/** A form is parsed into pairs: the schema decides what `a=1&a=2` means, and qs would create nested objects. */
function parseForm(body: string): Pairs {
  const text = Buffer.from(body, 'latin1').toString();
  if ((text.match(/&/g)?.length ?? 0) >= maxFormFields) throw new TooManyFields();
  return readPairs(text);
}

/** No ApiError: co-body sets properties of every error, and a status of its own. */
class TooManyFields extends Error {}

/** koa-bodyparser passes this on to co-body, but its types do not have it. */
interface ParserOptions extends bodyParser.Options {
  qs: { parse: typeof parseForm };
  encoding: 'latin1';
}

const options: ParserOptions = {
  // JSON is read as a text, because co-body would parse any number of values.
  enableTypes: ['form', 'text'],
  extendTypes: { text: ['application/json'] },
  textLimit: oneMebibyte,
  formLimit: maxFormBytes,
  qs: { parse: parseForm },
  // One character for each byte: co-body would decode UTF-8 with replacement characters where bytes are none.
  encoding: 'latin1',
};

const readText: Middleware = bodyParser(options);

/** Five times what a hundred records without custom fields have. A body of 1 MiB has room for half a million, which would block the event loop for a second. */
const maxJsonValues = 10_000;
const maxJsonLevels = 64;

/** Any JSON value: a body that is not an object is an invalid parameter, not invalid JSON. `__proto__` becomes a field like any other. */
function parseJson(body: string): unknown {
  const bytes = Buffer.from(body, 'latin1');
  if (!isUtf8(bytes)) throw new ApiError('rest_invalid_json', { message: 'The body is not UTF-8.' });
  const text = bytes.toString();
  if (exceedsJson(text, maxJsonValues, maxJsonLevels)) throw tooLarge('The body has more than 10,000 values or 64 levels.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw toBodyError(error);
  }
}

/** Parsed JSON, or the pairs of a form; undefined where none was sent. @throws ApiError that the contract documents. */
export async function readBody(ctx: Context, { content }: NonNullable<ContractOperation['requestBody']>): Promise<unknown> {
  if (!hasBody(ctx)) return undefined;
  const mediaTypes = Object.keys(content);
  if (!ctx.is(mediaTypes)) throw new ApiError('rest_unsupported_media_type', { message: `Send the body as ${mediaTypes.join(' or ')}.` });
  await runParser(readText, ctx);
  const { body, rawBody } = ctx.request;
  // The JSON text "" is a body, and no object.
  if (rawBody === '') return undefined;
  return typeof body === 'string' ? parseJson(body) : body;
}

/** RFC 9112, 6.3: one of these two headers announces a body. */
const hasBody = (ctx: Context): boolean => ctx.get('Transfer-Encoding') !== '' || !['', '0'].includes(ctx.get('Content-Length'));

/** Runs a body parser, with its errors as those that the contract documents. Before any queue: a client may send its body slowly. */
export async function runParser(parser: Middleware, ctx: Context): Promise<void> {
  try {
    await Promise.race([parser(ctx, async () => {}), rejectOnAbort(ctx.req)]);
  } catch (error) {
    // The unread rest of the body would block the next request on this connection. It is not decompressed any more.
    ctx.req.unpipe().resume();
    throw toBodyError(error);
  }
}

/** co-body waits for ever for the rest of a compressed body whose client has disconnected. */
const rejectOnAbort = (request: IncomingMessage): Promise<never> =>
  new Promise((_resolve, reject) => {
    request.once('error', reject);
    if (request.destroyed) reject(new Error('The client has disconnected.'));
  });

function toBodyError(error: unknown): ApiError {
  const { status, message, limit } = error as { status?: number; message?: string; limit?: number };
  if (error instanceof TooManyFields) return tooLarge('The form has more than 1,000 fields.');
  if (status === 413)
    return tooLarge(limit === undefined || limit >= 2 ** 20 ? undefined : `The form is larger than ${limit / 2 ** 10} KiB.`);
  if (status === 415) return new ApiError('rest_unsupported_media_type', { message: 'The Content-Encoding of the body is not supported.' });
  // Not its message, which quotes the body.
  const position = /at position \d+/.exec(message ?? '')?.[0];
  return new ApiError('rest_invalid_json', { log: ['The body cannot be parsed', position].filter(Boolean).join(' ') });
}

const tooLarge = (message?: string): ApiError => new ApiError('rest_body_too_large', message === undefined ? {} : { message });
