import type { RequestContext } from './request-context.ts';

/** The first value of a query parameter. Not of `ctx.query`, which takes a second for 16 kB of `a&a&…`: its time is the square of their number. */
export const getQueryValue = ({ querystring }: Pick<RequestContext, 'querystring'>, name: string): string | undefined =>
  new URLSearchParams(querystring).get(name) ?? undefined;
