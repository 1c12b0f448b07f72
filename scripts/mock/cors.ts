import type { Middleware } from 'koa';
import type { Contract } from '../../server/contract/contract.ts';

const usualHeaders = 'Authorization, Content-Type, Idempotency-Key, Prefer, X-Svc-API-Key, X-Svc-CSRF';

/** Lets a page from anywhere call: the mock has nothing to protect, and frontend teams run it beside a dev server on another port. */
export function permissiveCors({ operations }: Contract): Middleware {
  const methods = [...new Set(operations.map(({ method }) => method.toUpperCase()))].join(', ');
  const declared = operations.flatMap(({ responses }) => Object.values(responses).flatMap(({ headers }) => Object.keys(headers ?? {})));
  const exposed = [...new Set([...declared, 'Allow', 'Preference-Applied'])].join(', ');
  return async (ctx, next) => {
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Expose-Headers', exposed);
    if (ctx.method !== 'OPTIONS') return next();
    ctx.set('Access-Control-Allow-Methods', methods);
    ctx.set('Access-Control-Allow-Headers', ctx.get('Access-Control-Request-Headers') || usualHeaders);
    ctx.set('Access-Control-Max-Age', '600');
    ctx.status = 204;
  };
}
