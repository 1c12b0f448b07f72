import type { InvoiceType } from './invoice.ts';

/** What browsers look for at the start of a file when they guess that it is a page or a drawing with scripts. */
const markup = /<(!doctype|html|head|body|script|iframe|svg)/i;
const sniffedBytes = 1024;

/** Readers of PDF skip a byte order mark, commands to a printer, part of a header: no markup, no part of a form, no other type of file. */
const isForeign = (text: string): boolean => /<[\w!?]|^--|^(?:PK|MZ|GIF8|#!)/m.test(text);

/**
 * The type of a file by its content; null if it is none of an invoice. The start and the end must be those of the type, so that a file that
 * broke off is refused.
 */
export function detectInvoiceType(bytes: Buffer): InvoiceType | null {
  const start = bytes.toString('latin1', 0, sniffedBytes);
  if (isCompletePng(bytes)) return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return !markup.test(start) && endsAsJpeg(bytes) ? 'image/jpeg' : null;
  const header = start.search(/%PDF-\d\.\d/);
  if (header < 0 || isForeign(start.slice(0, header)) || markup.test(start)) return null;
  return endsAsPdf(bytes) ? 'application/pdf' : null;
}

/** Readers look for the last marker in the last 1,024 bytes. Objects after it belong to a change of the document that broke off. */
function endsAsPdf(bytes: Buffer): boolean {
  let end = bytes.length;
  while (end > 0 && isBlank(bytes[end - 1])) end -= 1;
  const last = bytes.toString('latin1', Math.max(0, end - sniffedBytes), end).split('%%EOF');
  const rest = last.at(-1) ?? '';
  return last.length > 1 && !isForeign(rest) && !/\d obj\b|xref|trailer/.test(rest);
}

const isBlank = (byte: number | undefined): boolean => byte !== undefined && [0, 9, 10, 12, 13, 26, 32].includes(byte);

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Ten times what a PNG of 5 MiB has. Each takes time to look at. */
const maxPngChunks = 10_000;

/** The chunks follow each other from IHDR to IEND, where the file ends. */
export function isCompletePng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, pngSignature.length).equals(pngSignature)) return false;
  let at = pngSignature.length;
  for (let chunks = 0; chunks < maxPngChunks && at + 12 <= bytes.length; chunks += 1) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const isFirst = at === pngSignature.length;
    if (isFirst !== (type === 'IHDR') || (isFirst && length !== 13)) return false;
    at += 12 + length;
    if (type === 'IEND') return at === bytes.length;
  }
  return false;
}

const endOfImage = Buffer.from('ffd9', 'hex');

/** Phones write data of their own after the image. */
const endsAsJpeg = (bytes: Buffer): boolean => bytes.subarray(-2).equals(endOfImage) || bytes.indexOf(endOfImage, findScan(bytes)) > 0;

/** Where the image data begins. The segments before it can contain a preview, which has an end of its own. */
function findScan(bytes: Buffer): number {
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return bytes.length;
    // Any number of fill bytes may precede a marker.
    if (bytes[at + 1] === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return bytes.length;
    const isScan = bytes[at + 1] === 0xda;
    at += 2 + length;
    if (isScan) return at;
  }
  return bytes.length;
}
