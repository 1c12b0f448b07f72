export interface Answer {
  status: number;
  readonly body: string;
}

const endOfHead = '\r\n\r\n';
const endOfChunks = Buffer.from('\r\n0\r\n\r\n');

/** Tells when an answer is complete, and looks at nothing more than it must: whatever it costs is taken from what it measures. */
export class AnswerReader {
  #kept: Buffer[] = [];
  #missing = 0;

  /** The answer that ends with this chunk, if one does. There is never more than one under way. */
  take(chunk: Buffer): Answer | null {
    if (this.#missing > chunk.length) {
      this.#kept.push(chunk);
      this.#missing -= chunk.length;
      return null;
    }
    const all = this.#kept.length === 0 ? chunk : Buffer.concat([...this.#kept, chunk]);
    const headEnds = all.indexOf(endOfHead);
    const missing = headEnds < 0 ? 1 : missingOf(all, headEnds + endOfHead.length);
    this.#kept = missing > 0 ? [all] : [];
    this.#missing = missing;
    if (missing > 0) return null;
    return {
      status: Number(all.toString('latin1', 9, 12)),
      get body() {
        return all.toString('utf8', headEnds + endOfHead.length);
      },
    };
  }
}

/** How many bytes are still to come, as far as can be told. */
function missingOf(all: Buffer, bodyBegins: number): number {
  const head = all.toString('latin1', 0, bodyBegins);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return bodyBegins + Number(length) - all.length;
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return all.subarray(-endOfChunks.length).equals(endOfChunks) ? 0 : 1;
  return 0;
}
