import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  readonly body: string;
}

type OnResponse = (response: RawResponse | Error) => void;

/** A kept-alive connection to a server, with at most one request in flight. */
export class Connection {
  readonly #socket: Socket;
  readonly #reader = new ResponseReader();
  #onResponse: OnResponse | undefined;
  usedAt = performance.now();
  isOpen = true;
  /** Resolves when the connection is established, or has failed. */
  readonly connected: Promise<void>;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.connected = new Promise((resolve) => this.#socket.once('connect', resolve).once('close', () => resolve()));
    this.#socket.on('data', (chunk) => {
      const response = this.#reader.read(chunk);
      if (response) this.#settle(response);
    });
    this.#socket.on('error', (error: NodeJS.ErrnoException) => this.#settle(new Error(`The connection failed: ${error.code}.`)));
    this.#socket.on('close', () => {
      this.isOpen = false;
      this.#settle(new Error('The connection was closed before the response.'));
    });
  }

  send(bytes: Buffer, onResponse: OnResponse): void {
    this.#onResponse = onResponse;
    this.#socket.write(bytes);
  }

  end(): void {
    this.#socket.destroy();
  }

  #settle(response: RawResponse | Error): void {
    const onResponse = this.#onResponse;
    this.#onResponse = undefined;
    this.usedAt = performance.now();
    onResponse?.(response);
  }
}

const endOfHead = '\r\n\r\n';
const endOfChunks = Buffer.from('\r\n0\r\n\r\n');

/** Finds the end of a response and parses nothing more than that takes: what it costs lowers the load. */
class ResponseReader {
  #buffered: Buffer[] = [];
  #missing = 0;

  /** Returns the response that ends with this chunk, if one does. */
  read(chunk: Buffer): RawResponse | null {
    if (this.#missing > chunk.length) {
      this.#buffered.push(chunk);
      this.#missing -= chunk.length;
      return null;
    }
    const all = this.#buffered.length === 0 ? chunk : Buffer.concat([...this.#buffered, chunk]);
    const headEnds = all.indexOf(endOfHead);
    const missing = headEnds < 0 ? 1 : missingBytes(all, headEnds + endOfHead.length);
    this.#buffered = missing > 0 ? [all] : [];
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

/** At least so many bytes are missing; 1 where the number is unknown. */
function missingBytes(all: Buffer, bodyBegins: number): number {
  const head = all.toString('latin1', 0, bodyBegins);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return bodyBegins + Number(length) - all.length;
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return all.subarray(-endOfChunks.length).equals(endOfChunks) ? 0 : 1;
  return 0;
}
