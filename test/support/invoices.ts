import { deflateSync } from 'node:zlib';

// Small files of each kind, all different from each other.

export const pdf = (text = 'invoice'): Buffer =>
  Buffer.from(
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n% ${text}\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n`,
  );

function chunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content, Buffer.alloc(4)]);
}

export const png = (emptyChunks = 0): Buffer =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from('00000001000000010800000000', 'hex')),
    Buffer.alloc(12 * emptyChunks, chunk('tEXt', Buffer.alloc(0))),
    chunk('IDAT', deflateSync(Buffer.from([0, 255]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);

/** With a preview, which has an end of its own. */
export const jpeg = ({ isWhole = true, trailer = '' } = {}): Buffer =>
  Buffer.concat([
    Buffer.from('ffd8ffe10008ffd8ffd90000ffda0004000011223344', 'hex'),
    Buffer.from(isWhole ? 'ffd9' : '', 'hex'),
    Buffer.from(trailer),
  ]);
