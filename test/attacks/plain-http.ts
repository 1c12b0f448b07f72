import { request } from 'node:http';
import { connect } from 'node:net';
import type { TestService } from '../support/service.ts';

export interface PlainAnswer {
  status: number;
  /** As they came, names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface PlainRequest {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Asks for exactly this target: no client normalises it, and the response is not validated. */
export const ask = ({ origin }: Pick<TestService, 'origin'>, target: string, { method = 'GET', headers = {}, body }: PlainRequest = {}) =>
  new Promise<PlainAnswer>((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const length = body === undefined || 'Transfer-Encoding' in headers ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = request({ hostname, port, path: target, method, headers: { ...length, ...headers }, agent: false }, (response) => {
      const parts: Buffer[] = [];
      const finish = (): void =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts).toString() });
      response.on('error', reject);
      response.on('end', finish);
      response.on('data', (part: Buffer) => {
        parts.push(part);
        if (!response.headers['content-type']?.startsWith('text/event-stream')) return;
        // A stream does not end.
        finish();
        sent.destroy();
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** Says something to the port that no HTTP client would say, and gives everything that came back until the service hung up. */
export const say = ({ origin }: Pick<TestService, 'origin'>, ...pieces: (string | Buffer)[]): Promise<string> =>
  new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket
      .on('data', (chunk) => (answer += chunk.toString('latin1')))
      .on('close', () => resolve(answer))
      // Hung up while we were still talking: what it said before is the answer.
      .on('error', () => {});
  });

/** Undefined for a stream, whose text is no JSON. */
export const codeOf = ({ body }: Pick<PlainAnswer, 'body'>): unknown =>
  body.startsWith('retry:') ? undefined : (JSON.parse(body) as { code?: unknown }).code;

export const jsonType = { 'Content-Type': 'application/json' };
