import { tokenOf } from './dataset/keys.ts';
import type { Wire } from './load.ts';

/** What is asked, and by whom. */
export interface Question {
  /** Below `/api/v2`. */
  path: string;
  userId: number;
  method?: 'GET' | 'POST';
  body?: unknown;
  expect?: number;
}

export const apiRoot = '/api/v2';

/** As a proxy in front of the service passes it on. */
export const headersOf = ({ userId, body }: Question): Record<string, string> => ({
  Authorization: `Bearer ${tokenOf(userId)}`,
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-For': '192.0.2.10',
  Accept: 'application/json',
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
});

export function wireOf(question: Question): Wire {
  const { path, method = 'GET', body, expect = 200 } = question;
  const content = body === undefined ? '' : JSON.stringify(body);
  const headers = { Host: 'bench', ...headersOf(question), ...(content && { 'Content-Length': String(Buffer.byteLength(content)) }) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { bytes: Buffer.from([`${method} ${apiRoot}${path} HTTP/1.1`, ...lines, '', content].join('\r\n')), expect };
}

/** The same with something in its address that means nothing to anybody. */
export const renamed = (question: Question, number: number): Question => ({
  ...question,
  path: `${question.path}${question.path.includes('?') ? '&' : '?'}n=${number}`,
});
