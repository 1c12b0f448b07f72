import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { type CookieReader, readCookie } from '../http/cookies.ts';

export const sessionCookie = 'svc_session';
export const csrfCookie = 'svc_csrf';
export const deviceCookie = 'svc_device';
export const csrfHeader = 'x-svc-csrf';

export type Credentials =
  | { kind: 'key'; token: string }
  | { kind: 'basic'; name: string; password: string }
  | { kind: 'session'; cookie: string }
  | { kind: 'none' };

/** A header wins over the cookie, because browsers send cookies without being told to. */
export function readCredentials(ctx: Pick<Context, 'headers'> & CookieReader): Credentials {
  const { headers } = ctx;
  const authorization = (headers.authorization ?? '').trim();
  const [scheme = ''] = authorization.split(/\s/, 1);
  const value = authorization.slice(scheme.length).trim();
  if (scheme.toLowerCase() === 'bearer') return { kind: 'key', token: value };
  if (scheme.toLowerCase() === 'basic') return parseBasic(value);
  const key = headers['x-svc-api-key'];
  if (key !== undefined) return { kind: 'key', token: [key].flat().join(',').trim() };
  const cookie = readCookie(ctx, sessionCookie);
  return cookie === undefined ? { kind: 'none' } : { kind: 'session', cookie };
}

function parseBasic(value: string): Credentials {
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0
    ? { kind: 'basic', name: text, password: '' }
    : { kind: 'basic', name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** In constant time, so that the response time does not reveal how many characters are right. */
export function isSameSecret(expected: string, sent: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
}
