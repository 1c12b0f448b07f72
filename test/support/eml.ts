/** A message as a mail program reads it: decoded headers and parts. Written from the RFCs, independently of the composer. */
export interface Eml {
  headers: Map<string, string>;
  parts: { type: string; text: string }[];
}

export function parseEml(file: string): Eml {
  if (/(^|[^\r])\n|\r(?!\n)/.test(file)) throw new Error('A line does not end with CRLF.');
  const lines = file.split('\r\n');
  const tooLong = lines.find((line) => Buffer.byteLength(line) > 998);
  if (tooLong !== undefined) throw new Error(`A line is longer than RFC 5322 allows: ${tooLong}`);
  const { headers, body } = entity(file);
  const boundary = /^multipart\/alternative; boundary="([^"]+)"$/.exec(headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined) throw new Error('There is no boundary.');
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`);
  if (pieces.pop()?.trim() !== '--') throw new Error('The last boundary is missing.');
  return { headers, parts: pieces.slice(1).map((piece) => part(piece.replace(/^\r\n/, ''))) };
}

function entity(text: string): { headers: Map<string, string>; body: string } {
  const end = text.indexOf('\r\n\r\n');
  const unfolded = text.slice(0, end).replaceAll(/\r\n(?=[ \t])/g, '');
  const headers = new Map<string, string>();
  for (const line of unfolded.split('\r\n')) {
    const [, name = '', value = ''] = /^([!-9;-~]+): (.*)$/.exec(line) ?? [];
    if (name === '' || headers.has(name.toLowerCase())) throw new Error(`This is no header, or a second one: ${line}`);
    headers.set(name.toLowerCase(), decodeHeader(value));
  }
  return { headers, body: text.slice(end + 4) };
}

/** A quoted display name contains no encoded words. White space between two encoded words is not part of the text. */
function decodeHeader(value: string): string {
  const [quoted, name = ''] = /^"((?:[^"\\]|\\.)*)"(?= <)/.exec(value) ?? [];
  if (quoted !== undefined) return name.replaceAll(/\\(.)/g, '$1') + value.slice(quoted.length);
  return value
    .replaceAll(/(=\?[^?]+\?[BQ]\?[^?]*\?=)\s+(?==\?)/gi, '$1')
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_word, encoding: string, text: string) =>
      new TextDecoder('utf-8', { fatal: true }).decode(encoding === 'B' ? Buffer.from(text, 'base64') : decodeQ(text)),
    );
}

const decodeQ = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll('_', ' ').replaceAll(/=([0-9A-F]{2})/g, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

function part(piece: string): { type: string; text: string } {
  const { headers, body } = entity(piece);
  if (headers.get('content-transfer-encoding') !== 'quoted-printable') throw new Error('The part has another encoding.');
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  return { type: headers.get('content-type') ?? '', text: text.replaceAll('\r\n', '\n') };
}
