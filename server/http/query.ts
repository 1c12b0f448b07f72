import type { RequestContext } from './request-context.ts';

/**
 * The value of a query parameter that is given once: of two it is unknown which is meant. Not of `ctx.query`, which takes a second for 16 kB of
 * `a&a&…`: its time is the square of their number.
 */
export function getQueryValue({ querystring }: Pick<RequestContext, 'querystring'>, name: string): string | undefined {
  const [value, ...others] = new URLSearchParams(querystring).getAll(name);
  return others.length === 0 ? value : undefined;
}
