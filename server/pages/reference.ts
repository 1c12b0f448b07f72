import { Router } from '@koa/router';
import { ApiError } from '../../domain/errors.ts';
import { CompressedBody } from '../http/compressed-body.ts';
import type { RequestContext, RequestState } from '../http/request-context.ts';
import { escapeHtml } from './layout.ts';
import { readWebFiles, type WebFile } from './web-files.ts';

/** Everything from here, nothing inline: what stands in a contract or in an answer cannot become script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const title = 'API reference';

/** The reference page. It is the same for everybody: the page itself asks the API for what is served here and to whom. */
export function referenceRoutes(apiRoot: string): Router<RequestState> {
  const made = once(() => {
    const files = readWebFiles();
    return files && { page: pageOf(apiRoot, files), byName: new Map([...files.values()].map((file) => [file.name, file])) };
  });
  const router = new Router<RequestState>({ strict: true });
  // Whoever types the bare address is looking for one of the two.
  router.get('/', () => {
    throw new ApiError('rest_no_route', { message: `There is nothing here. The API is at ${apiRoot}, and its reference at /docs.` });
  });
  router.get('/docs', async (ctx) => {
    const page = made()?.page;
    secure(ctx);
    if (page) return give(ctx, page, 'no-cache');
    ctx.status = 503;
    ctx.body = 'The reference page is not built. Run `npm run build` and start the service again.\n';
  });
  router.get('/docs/', (ctx) => {
    ctx.status = 301;
    ctx.redirect('/docs');
  });
  router.get('/docs/:file', async (ctx) => {
    const file = made()?.byName.get(String(ctx['params'].file));
    if (file) await give(ctx, file.content, 'public, max-age=31536000, immutable');
  });
  return router;
}

/** Read with the first request, so that a service that nobody asks for it starts as fast as before. */
function once<Value>(make: () => Value): () => Value {
  let value: { made: Value } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}

function secure(ctx: RequestContext): void {
  ctx.set('Content-Security-Policy', policy);
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('X-Frame-Options', 'DENY');
}

function give(ctx: RequestContext, content: CompressedBody, caching: string): Promise<void> {
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  return content.send(ctx, caching);
}

function pageOf(apiRoot: string, files: ReadonlyMap<string, WebFile>): CompressedBody {
  const address = (name: string): string => escapeHtml(`/docs/${files.get(name)?.name ?? ''}`);
  const contract = escapeHtml(`${apiRoot}/openapi`);
  const content = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${address('icon.svg')}">
<link rel="stylesheet" href="${address('reference.css')}">
<link rel="service-desc" type="application/json" href="${contract}">
<script type="module" src="${address('reference.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div id="reference"><p class="waiting" role="status">Reading the contract …</p></div>
<noscript><p class="waiting">This page is made by a script. The contract itself is at <a href="${contract}">${contract}</a>.</p></noscript>
</body>
</html>
`);
  return new CompressedBody(content, 'text/html; charset=utf-8');
}
