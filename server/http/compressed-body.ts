import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RequestContext } from './request-context.ts';

/** A body in one content coding, as it is sent. */
interface EncodedBody {
  readonly bytes: Buffer;
  /** Strong, so each coding has its own: they differ in every byte. */
  readonly etag: string;
}

type Coding = 'br' | 'gzip' | 'identity';

/**
 * Only bodies that are large and the same for many callers are compressed, once each. Most responses of the API are below this size, where
 * headers and a packet cost as much as the body. And they differ by caller: compressing each would take longer than computing it.
 */
const minBytes = 1024;

/** Below the maximum: a twentieth of the time for some percent of the size. A change of the settings compresses the document anew. */
const brotliQuality = 6;

const compressors: Record<Exclude<Coding, 'identity'>, (content: Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

const etagSuffixes: Record<Coding, string> = { identity: '', br: '-br', gzip: '-gz' };

/** Koa decides by the order of the header between codings of equal weight; brotli is smaller, so it is used wherever it is accepted. */
export function chooseCoding(ctx: Pick<RequestContext, 'acceptsEncodings'>): Coding {
  const accepted = ctx.acceptsEncodings('br', 'gzip', 'identity');
  if (accepted === 'gzip' && ctx.acceptsEncodings('br')) return 'br';
  return (accepted || 'identity') as Coding;
}

/** A body in every coding that a client has accepted so far. Each is compressed once, in zlib's threads. */
export class CompressedBody {
  readonly hash: string;
  readonly type: string;
  readonly #content: Buffer;
  readonly #encoded = new Map<Coding, Promise<EncodedBody>>();

  constructor(content: Buffer, type: string) {
    this.hash = createHash('sha256').update(content).digest('base64url').slice(0, 16);
    this.type = type;
    this.#content = content;
  }

  /** Responds with the coding that the client prefers, or with 304 where it has that one. */
  async send(ctx: RequestContext, cacheControl: string): Promise<void> {
    const isLarge = this.#content.length >= minBytes;
    const coding = isLarge ? chooseCoding(ctx) : 'identity';
    const { bytes, etag } = await this.#encodedAs(coding);
    ctx.set('Cache-Control', cacheControl);
    if (isLarge) ctx.vary('Accept-Encoding');
    ctx.status = 200;
    ctx.etag = etag;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    if (coding !== 'identity') ctx.set('Content-Encoding', coding);
    ctx.type = this.type;
    ctx.body = bytes;
  }

  #encodedAs(coding: Coding): Promise<EncodedBody> {
    const cached = this.#encoded.get(coding);
    if (cached) return cached;
    const encoding = this.#encode(coding);
    this.#encoded.set(coding, encoding);
    return encoding;
  }

  async #encode(coding: Coding): Promise<EncodedBody> {
    const bytes = coding === 'identity' ? this.#content : await compressors[coding](this.#content);
    return { bytes, etag: `"${this.hash}${etagSuffixes[coding]}"` };
  }
}

const jsonBodies = new WeakMap<object, CompressedBody>();

/** The JSON text of an object that is sent to many callers. Released together with the object. */
export function compressedJson(body: object): CompressedBody {
  const cached = jsonBodies.get(body);
  if (cached) return cached;
  const created = new CompressedBody(Buffer.from(JSON.stringify(body)), 'application/json; charset=utf-8');
  jsonBodies.set(body, created);
  return created;
}
