import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from '@koa/router';
import { ApiError } from '../../domain/errors.ts';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import { CompressedBody } from '../http/compressed-body.ts';
import type { RequestContext, RequestState } from '../http/request-context.ts';

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

/** The reference page, the same for all callers: its script requests the contract from the API. */
export function referenceRoutes(apiRoot: string): Router<RequestState> {
  const built = once(() => {
    const files = readWebFiles();
    return files && { page: renderReference(apiRoot, files), byName: new Map([...files.values()].map((file) => [file.name, file])) };
  });
  const router = new Router<RequestState>({ strict: true });
  router.get('/', () => {
    throw new ApiError('rest_no_route', { message: `There is nothing here. The API is at ${apiRoot}, and its reference at /docs.` });
  });
  router.get('/docs', async (ctx) => {
    const page = built()?.page;
    setSecurityHeaders(ctx);
    if (page) return sendBody(ctx, page, 'no-cache');
    ctx.status = 503;
    ctx.body = 'The reference page is not built. Run `npm run build` and start the service again.\n';
  });
  router.get('/docs/', (ctx) => {
    ctx.status = 301;
    ctx.redirect('/docs');
  });
  router.get('/docs/:file', async (ctx, next) => {
    const file = built()?.byName.get(String(ctx['params'].file));
    return file ? sendBody(ctx, file.content, 'public, max-age=31536000, immutable') : next();
  });
  return router;
}

/** Called with the first request rather than at start-up. */
function once<Value>(create: () => Value): () => Value {
  let created: { value: Value } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

function setSecurityHeaders(ctx: RequestContext): void {
  ctx.set('Content-Security-Policy', contentSecurityPolicy);
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('X-Frame-Options', 'DENY');
}

function sendBody(ctx: RequestContext, content: CompressedBody, cacheControl: string): Promise<void> {
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  return content.send(ctx, cacheControl);
}

function renderReference(apiRoot: string, files: ReadonlyMap<string, WebFile>): CompressedBody {
  const href = (name: string): string => escapeHtml(`/docs/${files.get(name)?.name ?? ''}`);
  const contract = escapeHtml(`${apiRoot}/openapi`);
  const content = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference</title>
<link rel="icon" type="image/svg+xml" href="${href('icon.svg')}">
<link rel="stylesheet" href="${href('reference.css')}">
<link rel="service-desc" type="application/json" href="${contract}">
<script type="module" src="${href('reference.js')}"></script>
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

interface WebFile {
  readonly content: CompressedBody;
  /** With the hash of the content, so that browsers may cache it for ever. */
  readonly name: string;
}

const types: Record<string, string> = {
  'reference.js': 'text/javascript; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** Beside the compiled service, or in dist/ when the service runs from its sources. */
const folders = ['../../web', '../../dist/web'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));

const isBuilt = (folder: string): boolean => Object.keys(types).every((name) => existsSync(path.join(folder, name)));

/** The built files of web/ by their plain names. Null where nothing is built. */
function readWebFiles(): ReadonlyMap<string, WebFile> | null {
  const folder = folders.find(isBuilt);
  return folder === undefined ? null : new Map(Object.entries(types).map(([name, type]) => [name, readWebFile(folder, name, type)]));
}

function readWebFile(folder: string, name: string, type: string): WebFile {
  const content = new CompressedBody(readFileSync(path.join(folder, name)), type);
  const { name: stem, ext } = path.parse(name);
  return { content, name: `${stem}-${content.hash}${ext}` };
}
