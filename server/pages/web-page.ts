import type { CompressedBody } from '../http/compressed-body.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Nothing inline and nothing from elsewhere: text of a contract or a response cannot become script. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Called with the first request rather than at start-up. */
export function once<Value>(create: () => Value): () => Value {
  let created: { value: Value } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

export function sendPage(ctx: RequestContext, page: CompressedBody): Promise<void> {
  setSecurityHeaders(ctx);
  return sendBody(ctx, page, 'no-cache');
}

function setSecurityHeaders(ctx: RequestContext): void {
  ctx.set('Content-Security-Policy', contentSecurityPolicy);
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('X-Frame-Options', 'DENY');
}

export function sendBody(ctx: RequestContext, content: CompressedBody, cacheControl: string): Promise<void> {
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  return content.send(ctx, cacheControl);
}

export function sendNotBuilt(ctx: RequestContext, page: string): void {
  setSecurityHeaders(ctx);
  ctx.status = 503;
  ctx.body = `The ${page} is not built. Run \`npm run build\` and start the service again.\n`;
}
