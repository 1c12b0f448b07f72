import { Router } from '@koa/router';
import type { Clock } from '../../domain/clock.ts';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { findSession } from '../../domain/users/sign-in.ts';
import { oncePerSettings } from '../../site/program.ts';
import { textOn } from '../../site/settings/brand-color.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { acceptsSession } from '../auth/accepts-session.ts';
import { sessionCookie } from '../auth/credentials.ts';
import { CompressedBody } from '../http/compressed-body.ts';
import { readCookie } from '../http/cookies.ts';
import type { RequestContext, RequestState } from '../http/request-context.ts';
import { parseReturnUrl } from './return-url.ts';
import { logoPath } from './small-page.ts';
import { readWebFiles, type WebFiles } from './web-files.ts';
import { once, sendBody, sendNotBuilt, sendPage } from './web-page.ts';

export interface ConsoleOptions {
  storage: UnitOfWork<Repositories>;
  clock: Clock;
  /** False in production: see `acceptsSession`. */
  allowPlainHttp: boolean;
}

/**
 * The console: one page for all its addresses, and its files. The page contains no data; its script calls the API with the session of the browser.
 */
export function consoleRoutes(apiRoot: string, options: ConsoleOptions): Router<RequestState> {
  const built = once(() => {
    const web = readWebFiles();
    return web && { web, files: new Map([...web.files.values()].map(({ name, content }) => [name, content])) };
  });
  const pageOf = oncePerSettings((settings) => {
    const web = built()?.web;
    return web && createPage(apiRoot, settings, web);
  });
  const show = async (ctx: RequestContext): Promise<void> => {
    ctx.vary('Cookie');
    if (!(await isSignedIn(ctx, options))) return redirectToSignIn(ctx);
    const page = pageOf(ctx.state.settings);
    return page ? sendPage(ctx, page) : sendNotBuilt(ctx, 'console');
  };
  const router = new Router<RequestState>({ strict: true });
  router.get('/console/files/:file', async (ctx, next) => {
    const file = built()?.files.get(String(ctx['params'].file));
    return file ? sendBody(ctx, file, 'public, max-age=31536000, immutable') : next();
  });
  router.get('/console', show);
  router.get('/console/*path', (ctx, next) => (parseReturnUrl(ctx.path) === null ? next() : show(ctx)));
  return router;
}

async function isSignedIn(ctx: RequestContext, { storage, clock, allowPlainHttp }: ConsoleOptions): Promise<boolean> {
  const cookie = acceptsSession(ctx, allowPlainHttp) ? readCookie(ctx, sessionCookie) : undefined;
  return cookie !== undefined && (await findSession(storage, cookie, clock.now())) !== null;
}

/** Returns to the same address afterwards, with its filters. */
function redirectToSignIn(ctx: RequestContext): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.status = 303;
  ctx.redirect(`/sign-in?to=${encodeURIComponent(parseReturnUrl(ctx.url) ?? parseReturnUrl(ctx.path) ?? '/console')}`);
}

function createPage(apiRoot: string, { store, brand }: Settings, { files }: WebFiles): CompressedBody {
  const href = (name: string): string => escapeHtml(`/console/files/${files.get(name)?.name ?? ''}`);
  // Part of the page: a request less before the first chart.
  const icon = `data:image/svg+xml,${encodeURIComponent(String(files.get('icon.svg')?.bytes ?? ''))}`;
  const color = brand.color === '' ? '' : ` data-color="${brand.color}" data-on-color="${textOn(brand.color)}"`;
  const logo = brand.logo === '' ? '' : ` data-logo="${logoPath}"`;
  const content = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(store.name)}</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="stylesheet" href="${href('console.css')}">
<script type="module" src="${href('console.js')}"></script>
</head>
<body data-api="${escapeHtml(apiRoot)}" data-store="${escapeHtml(store.name)}"${color}${logo}>
<a class="skip" href="#content">Skip to the content</a>
<div id="console"><div class="waiting" role="status"><span class="off-screen">Loading …</span></div></div>
<noscript><main class="waiting"><h1>Console</h1><p>The console needs JavaScript. Everything in it can also be done with the <a href="/docs">API</a>.</p></main></noscript>
</body>
</html>
`;
  return new CompressedBody(Buffer.from(content), 'text/html; charset=utf-8');
}
