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

type Segment = readonly [marker: number, content?: string | Buffer];

/** Segments, one scan for each further part, the end of the image. */
export function buildJpeg(segments: readonly Segment[], { scans = 1, trailer = '' as string | Buffer } = {}): Buffer {
  const segment = ([marker, content = '']: Segment): Buffer => {
    const body = Buffer.from(content as string, 'latin1');
    return Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]), body]);
  };
  const scan = Buffer.concat([segment([0xda, '\x01\x01\x00\x00\x3f\x00']), Buffer.from('1122ff003344ffd05566', 'hex')]);
  const parts = [...segments.map(segment), ...Array.from({ length: scans }, () => scan)];
  return Buffer.concat([Buffer.from('ffd8', 'hex'), ...parts, Buffer.from('ffd9', 'hex'), Buffer.from(trailer as string, 'latin1')]);
}

interface PdfParts {
  version?: string;
  before?: string;
  body?: string;
  tail?: string;
  newline?: string;
}

/** As a program writes it: its version, a comment of four bytes above 127, objects, cross references, the marker. */
export function buildPdf({ version = '1.4', before = '', body = '', tail = '\n', newline = '\n' }: PdfParts = {}): Buffer {
  const lines = [`%PDF-${version}`, '%\xe2\xe3\xcf\xd3', '1 0 obj', '<< /Type /Catalog /Pages 2 0 R >>', 'endobj', body, 'xref', '0 1'];
  const end = ['0000000000 65535 f ', 'trailer', '<< /Size 3 /Root 1 0 R >>', 'startxref', '64', '%%EOF'];
  return Buffer.from(before + [...lines, ...end].join(newline) + tail, 'latin1');
}

const xmp = '<?xpacket begin="\xef\xbb\xbf"?><?xml version="1.0"?><x:xmpmeta xmlns:x="adobe:ns:meta/"></x:xmpmeta><?xpacket end="w"?>';
const revision = '\n3 0 obj\n<< /Type /Annot >>\nendobj\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Prev 64 >>\nstartxref\n200\n%%EOF\n';
const encrypted = '9 0 obj\n<< /Filter /Standard /V 2 /R 3 /P -1340 /Length 128 >>\nendobj';
const frame = [0xc0, Buffer.from('0800010001010111', 'hex')] as const;
const jfif = [0xe0, 'JFIF\0\x01\x02\0\0\x48\0\x48\0\0'] as const;
const exif = [0xe1, `Exif\0\0II*\0${'\0'.repeat(20)}\xff\xd8\xff\xdb\0\x04ab\xff\xd9`] as const;
const adobe = (transform: number) => [0xee, `Adobe\0\x64\0\0\0\0${String.fromCharCode(transform)}`] as const;
const cmyk = [0xc0, Buffer.from('080001000104011100021100031100041100', 'hex')] as const;

/** Complete files as common programs, printers, phones and scanners write them. */
export const commonInvoices: readonly (readonly [title: string, type: string, bytes: Buffer])[] = [
  ...['1.3', '1.4', '1.5', '1.6', '1.7', '2.0'].map((version) => [`PDF ${version}`, buildPdf({ version })] as const),
  ['PDF with CRLF', buildPdf({ newline: '\r\n', tail: '\r\n' })] as const,
  ['PDF with CR', buildPdf({ newline: '\r', tail: '\r' })] as const,
  ['PDF without a last line break', buildPdf({ tail: '' })] as const,
  ['linearised PDF', buildPdf({ body: '4 0 obj\n<< /Linearized 1 /L 900 >>\nendobj\nstartxref\n0\n%%EOF' })] as const,
  ['PDF with a change', buildPdf({ tail: revision })] as const,
  ['signed PDF with two changes', buildPdf({ tail: revision + revision })] as const,
  [
    'PDF with a stream of cross references',
    buildPdf({ version: '1.5', body: '5 0 obj\n<< /Type /XRef /W [1 2 1] >>\nstream\nab\nendstream' }),
  ] as const,
  ['PDF with restricted permissions', buildPdf({ body: encrypted })] as const,
  ['PDF/A with XMP at its start', buildPdf({ body: `6 0 obj\nstream\n${xmp}\nendstream` })] as const,
  ['PDF after a byte order mark', buildPdf({ before: '\xef\xbb\xbf' })] as const,
  ['PDF after empty lines', buildPdf({ before: '\r\n\r\n' })] as const,
  ['PDF after commands of a printer', buildPdf({ before: '\x1b%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=PDF\r\n' })] as const,
  ['PDF after a header of MacBinary', buildPdf({ before: `\0\x0binvoice.pdf${'\0'.repeat(115)}` })] as const,
  ['PDF before commands of a printer', buildPdf({ tail: '\n\x1b%-12345X@PJL EOJ\r\n\x1b%-12345X' })] as const,
  ['PDF padded with zeros', buildPdf({ tail: `\n${'\0'.repeat(4000)}` })] as const,
  ['PDF with Ctrl-Z at its end', buildPdf({ tail: '\r\n\x1a' })] as const,
  ['PDF with bytes after its end', buildPdf({ tail: '\n\x07\xf3scan-id=4711\n' })] as const,
  ['JFIF', buildJpeg([jfif, frame])] as const,
  ['JPEG with Exif and a preview', buildJpeg([exif, frame])] as const,
  ['JPEG with JFIF, Exif and XMP', buildJpeg([jfif, exif, [0xe1, `http://ns.adobe.com/xap/1.0/\0${xmp}`], frame])] as const,
  ['JPEG of Photoshop', buildJpeg([jfif, [0xed, 'Photoshop 3.0\x008BIM'], adobe(1), frame])] as const,
  ['CMYK JPEG', buildJpeg([adobe(2), cmyk])] as const,
  ['progressive JPEG', buildJpeg([jfif, [0xc2, frame[1]]], { scans: 4 })] as const,
  ['JPEG with a colour profile and restarts', buildJpeg([jfif, [0xe2, 'ICC_PROFILE\0\x01\x01'], [0xdd, '\0\x08'], frame])] as const,
  [
    'JPEG with fill bytes',
    Buffer.concat([Buffer.from('ffd8ffff', 'hex'), buildJpeg([jfif, frame], { trailer: 'SEFT' }).subarray(2)]),
  ] as const,
  ['JPEG of a phone with a video after it', buildJpeg([exif, frame], { trailer: `\0\0\0\x18ftypmp42${'\0'.repeat(40)}` })] as const,
].map(([title, bytes]) => [title, bytes[0] === 0xff ? 'image/jpeg' : 'application/pdf', bytes]);

/** With a preview, which has an end of its own. */
export const jpeg = ({ isWhole = true, trailer = '' } = {}): Buffer =>
  Buffer.concat([
    Buffer.from('ffd8ffe10008ffd8ffd90000ffda0004000011223344', 'hex'),
    Buffer.from(isWhole ? 'ffd9' : '', 'hex'),
    Buffer.from(trailer),
  ]);
