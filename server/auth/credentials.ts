import type { Context } from 'koa';

export const sessionCookie = 'svc_session';
export const csrfCookie = 'svc_csrf';
export const csrfHeader = 'x-svc-csrf';

export type Credentials =
  | { kind: 'key'; token: string }
  | { kind: 'basic'; name: string; password: string }
  | { kind: 'session'; cookie: string }
  | { kind: 'none' };

/** What the caller sent to be known by. A header wins over the cookie, because it was sent on purpose. */
export function credentialsIn({ headers, cookies }: Pick<Context, 'headers' | 'cookies'>): Credentials {
  const authorization = (headers.authorization ?? '').trim();
  const [scheme = ''] = authorization.split(/\s/, 1);
  const value = authorization.slice(scheme.length).trim();
  if (scheme.toLowerCase() === 'bearer') return { kind: 'key', token: value };
  if (scheme.toLowerCase() === 'basic') return basic(value);
  const key = headers['x-svc-api-key'];
  if (key !== undefined) return { kind: 'key', token: [key].flat().join(',').trim() };
  const cookie = cookies.get(sessionCookie);
  return cookie === undefined ? { kind: 'none' } : { kind: 'session', cookie };
}

function basic(value: string): Credentials {
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0
    ? { kind: 'basic', name: text, password: '' }
    : { kind: 'basic', name: text.slice(0, colon), password: text.slice(colon + 1) };
}

export function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim();
  }
  return undefined;
}
