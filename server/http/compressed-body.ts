import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Coding, codingFor } from './accept-encoding.ts';
import type { Request } from './request-context.ts';

/** One form of a content, as it goes over the wire. */
interface Form {
  readonly bytes: Buffer;
  /** Strong, so each form has its own: they differ in every byte. */
  readonly etag: string;
}

/**
 * Only what is large and asked for by many is compressed, and kept. Answers of the API are mostly below this, where headers and a packet
 * cost as much as the body; and they differ from caller to caller, so each would have to be compressed anew: that takes longer than making it.
 */
const smallestBytes = 1024;

/** A step below the best takes a twentieth of the time, for some percent of the size: a page of another host makes a document anew. */
const brotliQuality = 6;

const makers: Record<Exclude<Coding, 'identity'>, (content: Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

const suffixes: Record<Coding, string> = { identity: '', br: '-br', gzip: '-gz' };

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('base64url').slice(0, 16);

/** A content in each form that somebody has asked for. Each is made once, beside the event loop, and kept as long as the content is. */
export class Encoded {
  readonly hash: string;
  readonly type: string;
  readonly #content: Buffer;
  readonly #forms = new Map<Coding, Promise<Form>>();

  constructor(content: Buffer, type: string) {
    this.hash = hashOf(content);
    this.type = type;
    this.#content = content;
  }

  /** Answers with the form that suits the client, or with 304 where it has that one. */
  async give(ctx: Request, caching: string): Promise<void> {
    const isLarge = this.#content.length >= smallestBytes;
    const coding = isLarge ? codingFor(ctx.req.headers['accept-encoding']) : 'identity';
    const { bytes, etag } = await this.#form(coding);
    ctx.set('Cache-Control', caching);
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

  #form(coding: Coding): Promise<Form> {
    const known = this.#forms.get(coding);
    if (known) return known;
    const making = this.#make(coding);
    this.#forms.set(coding, making);
    return making;
  }

  async #make(coding: Coding): Promise<Form> {
    const bytes = coding === 'identity' ? this.#content : await makers[coding](this.#content);
    return { bytes, etag: `"${this.hash}${suffixes[coding]}"` };
  }
}

const texts = new WeakMap<object, Encoded>();

/** The JSON text of an object that is given to all who ask. It goes when the object goes. */
export function encodedJson(body: object): Encoded {
  const known = texts.get(body);
  if (known) return known;
  const made = new Encoded(Buffer.from(JSON.stringify(body)), 'application/json; charset=utf-8');
  texts.set(body, made);
  return made;
}
