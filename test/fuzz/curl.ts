import { bytesOf, type WireRequest } from './wire.ts';

/** A shell command that sends the same request. */
export function curlLine(origin: string, request: WireRequest): string {
  const { port } = new URL(origin);
  if (request.raw !== undefined) return `printf ${quoted(printfText(bytesOf(request)))} | nc -N 127.0.0.1 ${port}`;
  const { method, target, headers, body, isChunked } = request;
  const parts = [
    'curl -i --path-as-is --globoff',
    method === 'HEAD' ? '--head' : `-X ${method}`,
    ...headers.map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // Removes curl's default media type.
    ...(body && !headers.some(([name]) => name.toLowerCase() === 'content-type') ? ["-H 'Content-Type:'"] : []),
    ...(isChunked ? ["-H 'Transfer-Encoding: chunked'"] : []),
    ...(body ? ['--data-binary @-'] : []),
    quoted(`${origin}${target}`),
  ];
  return body ? `${bodyCommand(body)} | ${parts.join(' ')}` : parts.join(' ');
}

/** The longest run of one byte is generated instead of written out. */
function bodyCommand(body: Buffer): string {
  const { start, length } = longestRun(body);
  if (length < 200) return `printf ${quoted(printfText(body))}`;
  const [head, tail] = [body.subarray(0, start), body.subarray(start + length)];
  const filling = `head -c ${length} /dev/zero | tr '\\0' ${quoted(String.fromCharCode(body[start] ?? 0))}`;
  return `{ printf ${quoted(printfText(head))}; ${filling}; printf ${quoted(printfText(tail))}; }`;
}

function longestRun(bytes: Buffer): { start: number; length: number } {
  let [best, start] = [{ start: 0, length: 0 }, 0];
  for (let at = 1; at <= bytes.length; at += 1) {
    if (at < bytes.length && bytes[at] === bytes[start]) continue;
    if (at - start > best.length) best = { start, length: at - start };
    start = at;
  }
  return best;
}

/** The printf format that prints exactly these bytes. */
const printfText = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) => {
      if (byte === 0x5c) return '\\\\';
      if (byte === 0x25) return '%%';
      return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
    })
    .join('');

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
