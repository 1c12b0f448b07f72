import { connect } from 'node:net';

/** A request as it is written to the socket. */
export interface WireRequest {
  readonly method: string;
  /** Path and query as in the request line, percent-encoded or not. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
  /** Sent with Transfer-Encoding: chunked. */
  readonly isChunked: boolean;
  /** Sent instead of all of the above: bytes that no HTTP client sends. */
  readonly raw?: string;
}

export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The headers and the beginning of the body, which are sent together. */
const streamPattern = /^content-type: text\/event-stream[\s\S]*\r\n\r\n[\s\S]*\n\n/im;

/** Far more than a response takes: a service that hangs is a fault. */
const timeoutMs = 20_000;

/** Sends bytes over a new connection, because an HTTP client would correct or reject them. Resolves to all responses: usually one. */
export function send(origin: string, request: WireRequest): Promise<WireReply[]> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(bytesOf(request)));
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no response within ${timeoutMs} ms`)));
    let failure: Error | undefined;
    socket
      .on('data', (chunk) => {
        received.push(chunk);
        // A stream does not end: its first block is enough.
        if (streamPattern.test(Buffer.concat(received).toString('latin1'))) socket.destroy();
      })
      // The service may close before it has read a rejected body. Its response has arrived all the same.
      .on('error', (error) => {
        failure = error;
      })
      .on('close', () => {
        const replies = repliesIn(Buffer.concat(received), request.raw === undefined && request.method === 'HEAD');
        if (replies.length === 0 && failure) reject(new Error(`The connection ended without a response: ${failure.message}`));
        else resolve(replies);
      });
  });
}

/** For a report: the longest bodies are cut. */
export const toText = (request: WireRequest): string => JSON.stringify(bytesOf(request).toString('latin1', 0, 2000));

function bytesOf(request: WireRequest): Buffer {
  if (request.raw !== undefined) return Buffer.from(request.raw, 'latin1');
  const { method, target, headers, body, isChunked } = request;
  const length: [string, string][] = body ? [isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)]] : [];
  const lines = [['Host', 'shop.example'] as const, ...headers, ...length, ['Connection', 'close'] as const];
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), ...(body ? [isChunked ? inChunks(body) : body] : [])]);
}

function inChunks(body: Buffer): Buffer {
  const half = Math.ceil(body.length / 2);
  const chunks = [body.subarray(0, half), body.subarray(half)].filter((chunk) => chunk.length > 0);
  return Buffer.concat([...chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]), last]);
}

const last = Buffer.from('0\r\n\r\n');

/** Needs no chunked encoding: the service always sends Content-Length, except for a stream, which is taken as it was sent. */
function repliesIn(bytes: Buffer, toHead: boolean): WireReply[] {
  const replies: WireReply[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [line = '', ...fields] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(fields.map((field) => [nameOf(field), field.slice(field.indexOf(':') + 1).trim()]));
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? Number.NaN);
    const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
    const length = toHead || status === 100 ? 0 : Number(headers['content-length'] ?? (isStream ? rest.length : 0));
    const body = rest.subarray(end + 4, end + 4 + length);
    if (status !== 100) replies.push({ status, headers, text: body.toString('utf8') });
    rest = rest.subarray(end + 4 + length);
  }
  return replies;
}

const nameOf = (field: string): string => field.slice(0, field.indexOf(':')).toLowerCase();
