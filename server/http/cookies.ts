import type { Context } from 'koa';
import type { RequestContext } from './request-context.ts';

/**
 * Over HTTPS the names begin with `__Host-`: browsers accept such a cookie only from this very host and over HTTPS, so that a sibling domain
 * cannot plant one. There, cookies without the prefix are not read.
 */
const fullName = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name);

export type CookieReader = Pick<Context, 'cookies'> & { state: { isSecure: boolean } };

export const readCookie = ({ cookies, state }: CookieReader, name: string): string | undefined =>
  cookies.get(fullName(name, state.isSecure));

type CookieOptions = Parameters<RequestContext['cookies']['set']>[2];

/** Null deletes the cookie. */
export function setCookie(ctx: RequestContext, name: string, value: string | null, options: CookieOptions = {}): void {
  // Without TLS browsers would drop a secure cookie. Koa does not know trusted proxies.
  const secure = ctx.state.isSecure;
  ctx.cookies.secure = secure;
  ctx.cookies.set(fullName(name, secure), value, { sameSite: 'lax', secure, ...options });
}
