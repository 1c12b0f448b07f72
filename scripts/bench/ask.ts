import { adminId } from './dataset/sizes.ts';
import { apiRoot, headersOf, type Question } from './wire.ts';

interface Answered {
  body: unknown;
  bytes: number;
  headers: Headers;
}

/** Asks once, beside all measuring. */
export async function ask(port: number, question: Question): Promise<Answered> {
  const { path, method = 'GET', body, expect = 200 } = question;
  const response = await fetch(`http://127.0.0.1:${port}${apiRoot}${path}`, {
    method,
    headers: headersOf(question),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== expect)
    throw new Error(`${method} ${path} was answered ${response.status} instead of ${expect}: ${text.slice(0, 300)}`);
  return { body: JSON.parse(text) as unknown, bytes: Buffer.byteLength(text), headers: response.headers };
}

/** How many pages a list has. */
export async function pagesOf(port: number, path: string): Promise<number> {
  const { headers } = await ask(port, { path, userId: adminId });
  return Number(headers.get('X-Svc-TotalPages'));
}
