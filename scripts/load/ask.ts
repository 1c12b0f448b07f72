import type { RawResponse } from '../bench/connection.ts';
import type { Outcome, Request } from './open-loop.ts';

export interface Question {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v2`. */
  path: string;
  token: string;
  body?: unknown;
  expect?: number;
  /** Told of the answer: its body, or null where it was shed, so that nothing came of it. */
  settle?(body: string | null): void;
}

/** As a proxy in front of the service passes it on. */
export function requestOf({ method = 'GET', path, token, body, expect = 200, settle }: Question): Request {
  const content = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} /api/v2${path} HTTP/1.1`,
    'Host: load',
    `Authorization: Bearer ${token}`,
    'X-Forwarded-Proto: https',
    'X-Forwarded-For: 192.0.2.10',
    ...(content ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`] : []),
    '',
    content,
  ];
  const judge = (answer: RawResponse): Outcome | Error => {
    if (isShed(answer)) {
      settle?.(null);
      return 'shed';
    }
    if (answer.status !== expect) return new Error(`${method} ${shape(path)} was answered ${answer.status}: ${answer.body.slice(0, 200)}`);
    settle?.(answer.body);
    return 'answered';
  };
  return { bytes: Buffer.from(lines.join('\r\n')), judge };
}

/** Nothing else may be a 503: it must be in the error's shape and say when to come back. */
const isShed = ({ status, body }: RawResponse): boolean => status === 503 && /"code":"svc_api_overloaded".*"retry_after":[1-9]/.test(body);

/** So that a fault which happens to many is told once. */
const shape = (path: string): string => path.replaceAll(/\d+/g, '…');
