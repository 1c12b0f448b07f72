import { ApiError } from '../../domain/errors.ts';
import type { RequestContext } from './request-context.ts';

/** The body as it was sent. `maxSize` is named in the error. A body that breaks off is refused like one that is not JSON. */
export async function readBytes(ctx: RequestContext, maxBytes: number, maxSize: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
      length += chunk.length;
      // The rest is read and dropped: a client that is still sending would not see the answer.
      if (length <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    throw new ApiError('rest_invalid_json', { log: 'request aborted' });
  }
  if (length > maxBytes) throw new ApiError('rest_body_too_large', { message: `The body is larger than ${maxSize}.` });
  return Buffer.concat(chunks);
}
